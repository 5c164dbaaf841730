// The packed package in Node 20 and 24, Deno and Bun.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'

import { unless } from '../js/helpers/runtime.mjs'
import { TEXT } from './check.mjs'
import { programs, project } from './project.mjs'

const here = project()
let expected

before(async () => {
  expected = await here.expected()
})

/** @param {string} file reads en.onenlp into `file` @param {string} [worker] a function that makes a worker */
const program = (file, worker = 'undefined') => `
import * as onenlp from 'onenlp'
import * as formats from 'onenlp/formats'
import { check } from './check.mjs'
${file}
const results = [await check(onenlp, formats, file, { pool: true }), await check(onenlp, formats, file, { pool: true, worker: ${worker} })]
console.log(JSON.stringify(results))
`

const ofNode = program(
  'import { readFileSync } from \'node:fs\'\nimport { Worker } from \'node:worker_threads\'\nconst file = readFileSync(\'en.onenlp\')',
  '() => new Worker(new URL(import.meta.resolve(\'onenlp/worker\')))')
const webWorker = '() => new Worker(import.meta.resolve(\'onenlp/worker\'), { type: \'module\' })'

const required = `
const onenlp = require('onenlp')
const formats = require('onenlp/formats')
const file = require('node:fs').readFileSync('en.onenlp')
Promise.all([import('./check.mjs'), import('onenlp')]).then(async ([{ check }, { OnenlpError }]) => {
  if (OnenlpError !== onenlp.OnenlpError) throw new Error('two classes of errors')
  console.log(JSON.stringify([await check(onenlp, formats, file, { pool: true })]))
})
`

for (const [name, node] of [[`Node ${process.versions.node.split('.')[0]}`, process.execPath], ['Node 24', programs.node24]]) {
  describe(name, { skip: unless(node) }, () => {
    test('is what it is said to be', () => {
      assert.equal(here.run(node, ['--print', '`Node ${process.versions.node.split(".")[0]}`']).trim(), name)
    })

    test('import', () => {
      here.write('node.mjs', ofNode)
      assert.deepEqual(JSON.parse(here.run(node, ['node.mjs'])), [expected, expected])
    })

    test('require', () => {
      here.write('node.cjs', required)
      assert.deepEqual(JSON.parse(here.run(node, ['node.cjs'])), [expected])
    })

    test('the command', () => {
      assert.equal(here.run(node, ['node_modules/onenlp/js/cli/onenlp.mjs', 'annotate', '-m', 'en.onenlp', '-t', TEXT]), expected)
    })
  })
}

test('Deno', { skip: unless(programs.deno) }, () => {
  here.write('deno.mjs', program('const file = Deno.readFileSync(\'en.onenlp\')', webWorker))
  const flags = ['--no-remote', '--node-modules-dir=manual', '--allow-read', '--quiet', '--no-lock']
  assert.deepEqual(JSON.parse(here.run(programs.deno, ['run', ...flags, 'deno.mjs'])), [expected, expected])
})

test('Bun', { skip: unless(programs.bun) }, () => {
  here.write('bun.mjs', program('const file = new Uint8Array(await Bun.file(\'en.onenlp\').arrayBuffer())', webWorker))
  assert.deepEqual(JSON.parse(here.run(programs.bun, ['bun.mjs'])), [expected, expected])
})
