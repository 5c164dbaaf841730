// Each command that writes a file is killed at 150 random moments.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { killLoop, writers } from '../js/helpers/kill.mjs'

const times = Number(process.env.ONENLP_KILLS ?? 150)

describe('killed at random moments', { concurrency: false }, () => {
  const { folder, list } = writers()
  for (const [i, [name, writer]] of Object.entries(list).entries()) {
    test(name, async () => {
      const counts = await killLoop({ folder, name, writer, times, seed: i + 1, say: console.log })
      console.log(`${name}: ${JSON.stringify(counts)}`)
      // The loop tests something only where kills came in time.
      assert.ok(counts.killed >= times / 4, JSON.stringify(counts))
    })
  }
})
