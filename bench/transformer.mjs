// Speed of a transformer pipeline against onnxruntime-web on the same model, one thread each, in turns, in milliseconds of
// processor time (so that other work on the machine counts little).
//
//     node bench/transformer.mjs PIPELINE FOLDER [ORT]
//
// FOLDER holds the files that the pipeline names. ORT is the path of onnxruntime-web's ort.wasm.mjs (or of another build
// of it); without it only our own times are shown. What is timed on our side is more than the encoder: tokenizing,
// the first component and the columns, too. The piece numbers that onnxruntime gets are any: they do not matter.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { loadPipeline } from '../js/node.js'

const [pipeline, folder, ort] = process.argv.slice(2)
if (!folder) {
  console.error('usage: node bench/transformer.mjs PIPELINE FOLDER [ORT]')
  process.exit(2)
}

const words = 'the quick brown fox jumps over a lazy dog while many people watch from the old bridge near our town'.split(' ')
const sentence = (n) => Array.from({ length: n }, (_, i) => words[i % words.length]).join(' ')
const cases = [
  { name: '1 x 20 words', text: sentence(20), batch: 1, pieces: 22 },
  { name: '32 x 20 words', text: Array(32).fill(sentence(20)).join('\n\n'), batch: 32, pieces: 22 },
  { name: '1 x 512 pieces', text: sentence(510), batch: 1, pieces: 512 },
]

const megabytes = () => (process.memoryUsage().rss / 1e6).toFixed(0)
const now = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const since = (start) => now() - start

const rss = megabytes()
let start = now()
const nlp = await loadPipeline(pipeline, { files: (name) => join(folder, name) })
console.log(`onenlp: load ${since(start).toFixed(0)} ms, memory ${rss} -> ${megabytes()} MB (its own account: ${(nlp.memoryUsed / 1e6).toFixed(0)} MB)`)
const components = [nlp.components[0].name]

let session = null
if (ort) {
  const runtime = await import(pathToFileURL(ort))
  runtime.env.wasm.numThreads = 1
  const before = megabytes()
  const { settings } = nlp.inspect().config.encoders.find(({ kind }) => kind === 'transformer')
  start = now()
  session = await runtime.InferenceSession.create(new Uint8Array(readFileSync(join(folder, settings.model))), { executionProviders: ['wasm'] })
  console.log(`onnxruntime-web: load ${since(start).toFixed(0)} ms, memory ${before} -> ${megabytes()} MB`)
  session.make = (batch, pieces) => {
    const tensor = (value) => new runtime.Tensor('int64', BigInt64Array.from({ length: batch * pieces }, value), [batch, pieces])
    const feeds = { input_ids: tensor((_, i) => BigInt(1000 + (i * 37) % 20000)), attention_mask: tensor(() => 1n), token_type_ids: tensor(() => 0n) }
    return Object.fromEntries(session.inputNames.map((name) => [name, feeds[name]]))
  }
}

for (const { name, text, batch, pieces } of cases) {
  const times = { ours: [], theirs: [] }
  const feeds = session?.make(batch, pieces)
  for (let round = 0; round < (batch * pieces > 100 ? 6 : 20); round++) {
    start = now()
    nlp.annotate(text, { components })
    times.ours.push(since(start))
    if (!session) continue
    start = now()
    await session.run(feeds)
    times.theirs.push(since(start))
  }
  const best = (list) => (list.length ? `${Math.min(...list).toFixed(1)} ms (median ${list.sort((a, b) => a - b)[list.length >> 1].toFixed(1)})` : '-')
  console.log(`${name}: onenlp ${best(times.ours)}, onnxruntime-web ${best(times.theirs)}`)
}
nlp.close()
