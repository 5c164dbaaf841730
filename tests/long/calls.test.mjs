// 100,000 annotate calls, and 1,000 pipelines loaded and closed, in one process: memory is flat. With the trained English
// pipeline where there is one.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

import { englishPipeline } from '../js/helpers/english-pipeline.mjs'
import { callMany, loadMany } from '../js/helpers/flat.mjs'
import { englishModel } from '../js/helpers/runtime.mjs'

const file = existsSync(englishModel) ? readFileSync(englishModel) : englishPipeline()
const MB = 1 << 20
const shown = (values) => Object.entries(values).map(([name, bytes]) => `${name} ${(bytes / MB).toFixed(2)} MB`).join(', ')

test('100,000 calls', async () => {
  const { before, after, left } = await callMany(file, 100_000)
  console.log(`100,000 calls: ${shown(before)}; then ${shown(after)}; ${left} bytes are left after close`)
  assert.equal(after.used, before.used)
  assert.equal(after.module, before.module)
  assert.ok(after.heap - before.heap < MB)
  assert.ok(after.resident - before.resident < 32 * MB)
  assert.ok(left < 10_000)
})

test('1,000 pipelines', async () => {
  const { before, after } = await loadMany(file, 1000)
  console.log(`1,000 pipelines: ${shown(before)}; then ${shown(after)}`)
  assert.ok(after.heap - before.heap < MB)
  assert.ok(after.resident - before.resident < 128 * MB)
})
