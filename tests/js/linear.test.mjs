// Adversarial inputs take time linear in their size: four times the input, far less than sixteen times the time. (The
// table at a whole megabyte: node bench/linear.mjs.)

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'

import { linearCases, processorTime } from '../../bench/linear.mjs'
import { unless, wasm } from './helpers/runtime.mjs'

const SIZE = 48 << 10

describe('time is linear', { skip: unless(wasm), concurrency: false }, () => {
  let cases
  before(async () => {
    cases = await linearCases()
  })

  test('in every adversarial input', async (t) => {
    assert.ok(Object.keys(cases).length >= 20)
    for (const [name, make] of Object.entries(cases)) {
      await make(SIZE / 16)()  // compiled code
      const [short, long] = [await processorTime(make(SIZE / 4)), await processorTime(make(SIZE))]
      t.diagnostic(`${name}: ${short.toFixed(1)} ms, ${long.toFixed(1)} ms`)
      // Short times are those of the clock, and of limits of a token's length that only the longer input reaches. What is
      // quadratic takes seconds here.
      assert.ok(long < 9 * Math.max(short, 8), `${name}: ${short} ms for ${SIZE / 4} bytes, ${long} ms for ${SIZE}`)
    }
  })
})
