// Two million different sentences through one module, and through two workers of a pool: memory is flat. The pipeline has
// every component, narrow (16 numbers a word) so that the run ends; ONENLP_SOAK_MODEL names another one, ONENLP_SOAK the
// number of sentences.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { englishPipeline } from '../js/helpers/english-pipeline.mjs'
import { growth, soakModule, soakPool } from '../js/helpers/soak.mjs'

const count = Number(process.env.ONENLP_SOAK ?? 2_000_000)
const file = process.env.ONENLP_SOAK_MODEL ? readFileSync(process.env.ONENLP_SOAK_MODEL) : englishPipeline()
const MB = 1 << 20

test('one module', async () => {
  const { samples, sentences, left } = await soakModule({ file, count, say: console.log })
  assert.ok(sentences >= count)
  // Room for the longest text so far grows a little still.
  assert.ok(growth(samples, 'used') < 4096, `bytes used grow by ${growth(samples, 'used')}`)
  assert.ok(growth(samples, 'module') <= 0, `the module's memory grows by ${growth(samples, 'module')}`)
  assert.ok(growth(samples, 'heap') < MB, `the heap grows by ${growth(samples, 'heap')}`)
  assert.ok(growth(samples, 'resident') < 32 * MB, `the process grows by ${growth(samples, 'resident')}`)
  assert.ok(left < 10_000, `${left} bytes are left after close`)
})

test('the workers of a pool', async () => {
  const { samples, sentences } = await soakPool({ file, count, say: console.log })
  assert.ok(sentences >= count)
  assert.ok(growth(samples, 'heap') < MB, `the heap grows by ${growth(samples, 'heap')}`)
  assert.ok(growth(samples, 'resident') < 32 * MB, `the process grows by ${growth(samples, 'resident')}`)
})
