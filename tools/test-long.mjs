// npm run test:long: what takes too long for every change. Each test says how far it is.
//
//   npm run test:long                 everything
//   npm run test:long -- PART...      fuzz, tidy, or a name of tests/long (kill, soak, ...)
//
// ONENLP_FUZZ_CPU: seconds of processor time for each fuzz target (1200). ONENLP_SOAK, ONENLP_KILLS: see the tests.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { buildNative, buildWasm, root, runMain, say, setup } from './steps.mjs'

process.env.ONENLP_DATA ??= join(root, 'data')

const node = (...args) => () => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0

const tests = readdirSync(join(root, 'tests/long')).filter((name) => name.endsWith('.test.mjs')).sort()
const parts = {
  tidy: node('tools/tidy.mjs'),
  ...Object.fromEntries(tests.map((name) => [name.slice(0, -'.test.mjs'.length), node('--test', join('tests/long', name))])),
  fuzz: node('tools/fuzz.mjs', '--seconds', '120', '--cpu', process.env.ONENLP_FUZZ_CPU ?? '1200'),
}

await runMain(() => {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !(name in parts))
  if (unknown.length > 0) {
    say(`unknown part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`)
    return 2
  }
  setup('test')
  buildNative()
  buildWasm()
  const results = Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name)).map(([name, run]) => {
    say(`== ${name}`)
    const start = performance.now()
    const result = run() ? 'passed' : 'failed'
    say(`== ${name}: ${result}, ${((performance.now() - start) / 1000).toFixed(0)} s`)
    return result
  })
  console.log(`${results.filter((r) => r === 'passed').length} passed, ${results.filter((r) => r === 'failed').length} failed`)
  return results.includes('failed') ? 1 : 0
})
