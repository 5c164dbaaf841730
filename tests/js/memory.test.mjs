// Memory stays flat, in the module and outside of it. (tests/long makes ten times as many calls.)

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { englishPipeline } from './helpers/english-pipeline.mjs'
import { callMany, loadMany } from './helpers/flat.mjs'

const file = englishPipeline()

describe('memory', () => {
  test('is flat over 10,000 texts', async (t) => {
    const { before, after, left } = await callMany(file, 10_000)
    t.diagnostic(`module ${after.used} of ${after.module} bytes, heap ${before.heap} to ${after.heap}`)
    assert.equal(after.used, before.used)
    assert.equal(after.module, before.module)
    assert.ok(after.heap - before.heap < 1 << 20, `${after.heap - before.heap} bytes`)
    assert.ok(left < 10_000)
  })

  test('is flat over 500 pipelines', async () => {
    const { before, after } = await loadMany(file, 500)
    assert.ok(after.heap - before.heap < 2 << 20, `heap ${after.heap - before.heap}`)
    assert.ok(after.resident - before.resident < 200 << 20, `resident ${after.resident - before.resident}`)
  })
})
