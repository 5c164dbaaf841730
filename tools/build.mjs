// npm run build: the native program build/native/onenlp and the modules dist/onenlp.wasm,
// dist/onenlp.transformer.wasm and dist/onenlp.relaxed.wasm.
// With an argument, `native` or `wasm`, only that one.

import { buildNative, buildWasm, runMain, say, setup } from './steps.mjs'

await runMain(() => {
  const [what = 'all'] = process.argv.slice(2)
  if (!['all', 'native', 'wasm'].includes(what)) {
    say('usage: npm run build [-- native|wasm]')
    return 2
  }
  setup(what === 'wasm' ? 'wasm' : 'build')
  if (what !== 'wasm') buildNative()
  if (what !== 'native') buildWasm()
})
