// Speed of a transformer encoder against onnxruntime-web on the same model, one thread each, in turns, in milliseconds of
// processor time (so that other work on the machine counts little).
//
//     node bench/transformer.mjs FOLDER [--ort FILE] [--rounds N] [--json]
//
// FOLDER holds a model and its tokenizer, NAME.onnx and NAME.tokenizer.json (tools/export-minilm.py makes them). FILE is
// onnxruntime-web's ort.wasm.min.mjs, by default that of `npm ci --prefix bench`; `--ort none` measures ours alone. What
// is timed on our side is more than the encoder: cutting into words and pieces, a head and the columns, too. The piece
// numbers that onnxruntime gets are any: they do not matter.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { loadPipeline } from '../js/node.js'
import { pipelineFile } from './pipeline-file.mjs'
import { median } from './report.mjs'

const { values: options, positionals: [folder] } = parseArgs({
  allowPositionals: true,
  options: {
    ort: { type: 'string', default: fileURLToPath(new URL('node_modules/onnxruntime-web/dist/ort.wasm.min.mjs', import.meta.url)) },
    rounds: { type: 'string', default: '6' },
    json: { type: 'boolean', default: false },
    width: { type: 'string' },
  },
})
if (!folder) {
  console.error('usage: node bench/transformer.mjs FOLDER [--ort FILE|none] [--rounds N] [--json]')
  process.exit(2)
}

const model = readdirSync(folder).find((name) => name.endsWith('.onnx'))
const tokenizer = model && model.replace(/onnx$/, 'tokenizer.json')
if (!model || !existsSync(join(folder, tokenizer))) {
  console.error(`${folder} has no NAME.onnx with its NAME.tokenizer.json`)
  process.exit(1)
}

/** Loads a pipeline of one head over the encoder; its weights do not matter. */
function load(width) {
  const file = pipelineFile({
    format: 'onenlp-pipeline', version: 1, language: 'en', tokenizer: { kind: 'uax', data: 'english' },
    encoders: [{ kind: 'transformer', settings: { model, tokenizer, pooling: 'first', maxLength: 512 } }],
    components: [{ name: 'tagger', type: 'head', kind: 'tagger', encoder: 0, config: { column: 'Tag', labels: ['A', 'B'] } }],
  }, [['head0.output.weight', [2, width]], ['head0.output.bias', [2]]])
  return loadPipeline(file, { files: (name) => join(folder, name) })
}

/** The width of the encoder's vectors stands in what is said of a wrong one: asked in another process, so that nothing of
 *  it is warm in this one. */
function widthOf() {
  const { stderr, stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder, '--width', '1'], { encoding: 'utf8' })
  const width = stderr.match(/want \[2, (\d+)\]/)?.[1]
  if (width) return Number(width)
  console.error(stderr || stdout)
  process.exit(1)
}

const words = 'the quick brown fox jumps over a lazy dog while many people watch from the old bridge near our town'.split(' ')
const sentence = (n) => Array.from({ length: n }, (_, i) => words[i % words.length]).join(' ')
const cases = [
  { name: '1 x 20 words', text: sentence(20), batch: 1, pieces: 22 },
  { name: '32 x 20 words', text: Array(32).fill(sentence(20)).join('\n\n'), batch: 32, pieces: 22 },
  { name: '1 x 510 words', text: sentence(510), batch: 1, pieces: 512 },
]

const memory = () => process.memoryUsage().rss / 1e6
const now = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds and megabytes of loading. */
async function loading(open) {
  const before = { memory: memory(), ms: now() }
  const loaded = await open()
  return [loaded, { ms: now() - before.ms, memory: memory() - before.memory }]
}

const report = { model, load: {}, cases: [] }
const width = options.width ? Number(options.width) : widthOf()
let nlp, session
;[nlp, report.load.onenlp] = await loading(() => load(width))

if (options.ort !== 'none' && existsSync(options.ort)) {
  const runtime = await import(pathToFileURL(options.ort))
  runtime.env.wasm.numThreads = 1
  ;[session, report.load.onnxruntime] = await loading(() =>
    runtime.InferenceSession.create(new Uint8Array(readFileSync(join(folder, model))), { executionProviders: ['wasm'] }))
  session.feeds = ({ batch, pieces }) => {
    const tensor = (value) => new runtime.Tensor('int64', BigInt64Array.from({ length: batch * pieces }, value), [batch, pieces])
    const feeds = { input_ids: tensor((_, i) => BigInt(1000 + (i * 37) % 20000)), attention_mask: tensor(() => 1n), token_type_ids: tensor(() => 0n) }
    return Object.fromEntries(session.inputNames.map((name) => [name, feeds[name]]))
  }
}

for (const each of cases) {
  const times = { onenlp: [], onnxruntime: [] }
  const feeds = session?.feeds(each)
  // The first rounds are the engine's slow code; short ones are many.
  const rounds = Number(options.rounds) * (each.batch * each.pieces < 100 ? 5 : 1)
  for (let round = -2; round < rounds; round++) {
    let start = now()
    nlp.annotate(each.text)
    if (round >= 0) times.onenlp.push(now() - start)
    if (!session) continue
    start = now()
    await session.run(feeds)
    if (round >= 0) times.onnxruntime.push(now() - start)
  }
  report.cases.push({ name: each.name, onenlp: median(times.onenlp), onnxruntime: session ? median(times.onnxruntime) : null })
}
nlp.close()

if (options.json) {
  console.log(JSON.stringify(report))
} else {
  const ms = (value) => (value === undefined || value === null ? '-' : `${value.toFixed(1)} ms`)
  for (const [name, { ms: took, memory: grown }] of Object.entries(report.load)) console.log(`${name}: load ${ms(took)}, memory grows by ${grown.toFixed(0)} MB`)
  for (const { name, onenlp, onnxruntime } of report.cases) console.log(`${name}: onenlp ${ms(onenlp)}, onnxruntime-web ${ms(onnxruntime)}`)
}
