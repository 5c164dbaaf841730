// A few kills of each command that writes a file, and disks that take nothing; tests/long/kill.test.mjs kills hundreds of times.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { killLoop, writers } from './helpers/kill.mjs'
import { native, unless, wasm } from './helpers/runtime.mjs'

describe('a killed command leaves no broken file', { skip: unless(native, wasm), concurrency: false }, () => {
  const { folder, list } = writers()
  for (const [i, [name, writer]] of Object.entries(list).entries()) {
    test(name, async (t) => {
      const counts = await killLoop({ folder, name, writer, times: 6, seed: 100 + i })
      t.diagnostic(JSON.stringify(counts))
    })
  }

  // A limit of the size of a file stands for a full disk: the write fails, or the system ends the process.
  test('where the disk is full, what was there stays', () => {
    for (const [name, writer] of Object.entries(list)) {
      const out = folder.path('full')
      const { file, args } = writer.start(out)
      for (const ignored of ['trap "" XFSZ;', '']) {
        writeFileSync(out, 'before')
        const { status, stderr } = spawnSync('bash', ['-c', `${ignored} ulimit -f 8; exec "$0" "$@"`, file, ...args])
        assert.notEqual(status, 0, name)
        if (ignored) assert.match(stderr.toString(), /cannot write .*full/, name)
        assert.ok(readFileSync(out).equals(Buffer.from('before')), `${name}: ${out} is no longer what it was`)
        // A command that ends by itself tidies up.
        if (ignored) assert.deepEqual(readdirSync(folder.path('.')).filter((entry) => entry.startsWith('full.')), [], name)
        rmSync(out)
        for (const rest of readdirSync(folder.path('.'))) if (rest.startsWith('full.')) rmSync(folder.path(rest))
      }
    }
  })

  test('where nothing can be written, the error says so', () => {
    const taken = folder.path('taken')
    mkdirSync(taken)
    for (const [name, writer] of Object.entries(list)) {
      for (const out of [folder.path('no/folder/here'), taken, '/proc/onenlp-test', folder.write('plain', '') + '/below']) {
        const { file, args } = writer.start(out)
        const { status, stderr } = spawnSync(file, args)
        assert.equal(status, 1, `${name} to ${out}: ${stderr}`)
        assert.match(stderr.toString(), /^onenlp: cannot .*\n$/m, name)
      }
      assert.ok(existsSync(taken))
    }
  })
})
