// Small pipelines with arbitrary weights, and what the reference reader computes from them. The files in
// tests/fixtures/format/ were written by `node tests/js/reference/fixtures.mjs`; a test compares them with
// what this file makes, and the C tests with what the core computes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { fr } from './arithmetic.mjs'
import { splitmix64 } from './hash.mjs'
import { writePipeline } from './file.mjs'
import { parameters, run } from './pipeline.mjs'

const head = (kind, encoder, config) => ({ name: kind, type: 'head', kind, encoder, config })

const FULL = {
  format: 'onenlp-pipeline', version: 1, language: 'tr', tokenizer: { kind: 'rule' },
  encoders: [
    { kind: 'fast', settings: { width: 10, depth: 2, normRows: 9, prefixRows: 5, suffixRows: 7, shapeRows: 4,
      prefixLength: 2, suffixLength: 2, casedRows: 6, embedWidth: 8, hashes: 4, neighbourRows: 5, contextRows: 6,
      bigramRows: 11, recurrentLayers: 2, recurrentSize: 3, prefix2Rows: 3, suffix2Length: 5, suffix2Rows: 4,
      suffix3Rows: 5, ngramRows: 12, ngramMin: 2, ngramMax: 4,
      wordTokens: 3, wordLists: ['x\n12345678a GREAT\u{1F600}', '', '\u0130stanbul\n12345678a GREAT\u{1F600} x\nI\u0131'],
      seed: 9007199254740991, turkicCase: 1 } },
    { kind: 'hash-embedding', settings: { width: 6, buckets: 13, seed: 5 } },
  ],
  components: [
    head('tagger', 1, { column: 'Tag', labels: ['NN', 'VB', '_', 'CD'] }),
    head('morphologizer', 0, { headClasses: 2, labels: ['POS=NOUN|Case=Nom', 'POS=_', 'POS=VERB', 'POS=X|Foreign=Yes',
      'POS=NUM|NumType=Card'] }),
    head('lemmatizer', 0, { turkicCase: 1, labels: ['lM0,0()()', 'rM0,1()(S1:x0:)', 'lM0,2()(S2:\u{1F600}1:e)', 'rM1,0(S1:G2:gh)()'],
      lexicon: { 'x\tVB': 'ex', 'GREAT\u{1F600}\tNN': 'großartig', 'I\u0131\tVB': 'another tag' } }),
    head('parser', 0, { arcWidth: 5, labelWidth: 4, labels: ['det', 'root', 'nsubj', 'obj'] }),
    head('senter', 0, {}),
  ],
}

const PLAIN = {
  format: 'onenlp-pipeline', version: 1, language: 'en', tokenizer: { kind: 'uax', data: 'none' },
  encoders: [{ kind: 'fast', settings: { width: 8, depth: 1, normRows: 11, prefixRows: 7, suffixRows: 7, shapeRows: 5,
    hashes: 1, recurrentLayers: 1, seed: 1, plain: 1, relu: 1 } }],
  components: [
    head('tagger', 0, { column: 'Pos', headClasses: 3, labels: ['NOUN', 'VERB', 'DET', 'ADP', 'PUNCT'] }),
    head('lemmatizer', 0, { headClasses: 1, labels: ['rM0,9()(S9:walked me1:e)', 'lS3:the1:a', 'rM0,1()(S1:s0:)', 'lM0,0()()'],
      lexicon: { 'in\tADP': 'within', 'The\tDET': 'another tag' } }),
    head('parser', 0, { arcWidth: 3, labelWidth: 3, labelBilinear: 0, labels: ['root', 'dep', 'punct'] }),
  ],
}

// What depends on a form alone up to the gates of an LSTM; labels by the sum of the projections, the root's as well.
const SUM = {
  format: 'onenlp-pipeline', version: 1, language: 'en', tokenizer: { kind: 'uax', data: 'none' },
  encoders: [{ kind: 'fast', settings: { width: 12, embedWidth: 8, depth: 0, normRows: 11, prefixRows: 7, suffixRows: 7,
    shapeRows: 5, recurrentLayers: 1, recurrentSize: 5, seed: 2 } }],
  components: [head('parser', 0, { arcWidth: 6, labelWidth: 7, labelSum: 1, labels: ['det', 'nsubj', 'obj', 'case', 'punct'] })],
}

// A number in [-1, 1) with 24 significant bits, the k-th of a stream.
const noise = (stream, k) => Number(splitmix64(BigInt(stream) * 0x100000000n + BigInt(k)) >> 40n) / 2 ** 23 - 1

const floats = (values) => Buffer.from(Float32Array.from(values).buffer)
const ints = (count, value) => Array.from({ length: count }, (_, k) => value(k))

// Without it every token of `full` would start a sentence.
const SENTER_BIAS = -2.4

// Matrices take turns as F32, F16 and I8 where `compact`.
function tensors(config, compact) {
  const names = parameters(config).map(([name]) => name).filter((name) => !name.includes('embed_word'))
  return parameters(config).flatMap(([name, shape]) => {
    const i = names.includes(name) ? names.indexOf(name) : names.length
    const count = shape.reduce((a, b) => a * b)
    const type = compact && shape.length === 2 ? i % 3 : 0
    if (type === 1) {
      const halves = Uint16Array.from(ints(count, (k) => (noise(i, k) < 0 ? 0x8000 : 0) | (0x3800 + ((noise(i, k) * 1024) & 0x3ff))))
      return [{ name, dtype: 'F16', shape, data: Buffer.from(halves.buffer) }]
    }
    if (type === 2) {
      const data = Buffer.from(Int8Array.from(ints(count, (k) => Math.floor(noise(i, k) * 128))).buffer)
      const scale = floats(ints(shape[0], (k) => fr(0.002 + 0.004 * Math.abs(noise(i + 1000, k)))))
      return [{ name, dtype: 'I8', shape, data }, { name: `${name}.scale`, dtype: 'F32', shape: [shape[0]], data: scale }]
    }
    const centre = /norm\d*\.weight$/.test(name) ? 1 : name === 'head4.output.bias' ? SENTER_BIAS : 0
    return [{ name, dtype: 'F32', shape, data: floats(ints(count, (k) => fr(centre + 0.6 * noise(i, k)))) }]
  })
}

export function makeFixtures() {
  const make = (config, compact, meta, tokens) => {
    const file = writePipeline(JSON.stringify(config), tensors(config, compact), meta)
    return [file, `${JSON.stringify(run(file, tokens))}\n`]
  }
  const [full, fullRun] = make(FULL, true, { name: 'full', licence: 'MIT' }, ['İstanbul', '12345678a', 'GREAT\u{1F600}', 'x', 'Iı'])
  const [plain, plainRun] = make(PLAIN, false, {}, ['The', 'cats', 'walked', 'in', '!!'])
  const [sum, sumRun] = make(SUM, true, { name: 'sum' }, ['The', 'cats', 'walked', 'the', 'walls', '!'])
  return { 'full.onenlp': full, 'full.json': fullRun, 'plain.onenlp': plain, 'plain.json': plainRun, 'sum.onenlp': sum,
    'sum.json': sumRun }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL('../../fixtures/format/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(makeFixtures())) writeFileSync(folder + name, content)
}
