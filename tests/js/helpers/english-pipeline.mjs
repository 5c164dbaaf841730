// An English pipeline with every plain component and arbitrary weights, written from docs/format.md.

import { splitmix64 } from '../reference/hash.mjs'
import { writePipeline } from '../reference/file.mjs'
import { parameters } from '../reference/pipeline.mjs'

const head = (name, kind, encoder, config) => ({ name, type: 'head', kind, encoder, config })

const CONFIG = {
  format: 'onenlp-pipeline', version: 1, language: 'en', tokenizer: { kind: 'uax', data: 'english' },
  encoders: [
    { kind: 'fast', settings: { width: 16, depth: 1, normRows: 64, prefixRows: 32, suffixRows: 32, shapeRows: 16,
      casedRows: 32, neighbourRows: 32, recurrentLayers: 1, seed: 11 } },
    { kind: 'hash-embedding', settings: { width: 8, buckets: 97, seed: 5 } },
  ],
  components: [
    { name: 'sentencizer', type: 'builtin', settings: { data: 'english' } },
    head('tagger', 'tagger', 0, { column: 'Tag', labels: ['NN', 'NNS', 'VBD', 'DT', '.', 'IN'] }),
    head('morphologizer', 'morphologizer', 1, { labels: [
      'POS=NOUN|Number=Sing', 'POS=NOUN|Number=Plur', 'POS=VERB|Tense=Past|VerbForm=Fin', 'POS=DET', 'POS=PUNCT', 'POS=X|Foreign=Yes'] }),
    head('lemmatizer', 'lemmatizer', 0, { labels: ['lM0,0()()', 'rM0,0()()', 'rM0,1()(S1:s0:)', 'lM0,2()(S2:ed0:)', 'lS3:was2:be'] }),
    head('parser', 'parser', 0, { arcWidth: 8, labelWidth: 6, labels: ['det', 'root', 'nsubj', 'obj', 'punct', 'obl:tmod'] }),
  ],
}

// A number in [-1, 1) with 24 significant bits, the k-th of a stream.
const noise = (stream, k) => Number(splitmix64(BigInt(stream) * 0x100000000n + BigInt(k)) >> 40n) / 2 ** 23 - 1

/** The bytes of the file; `change` may alter its config. */
export function englishPipeline({ change = () => {}, metadata = { name: 'english-test', licence: 'MIT' } } = {}) {
  const config = structuredClone(CONFIG)
  change(config)
  const tensors = parameters(config).map(([name, shape], i) => {
    const count = shape.reduce((a, b) => a * b)
    const centre = /norm\d*\.weight$/.test(name) ? 1 : 0
    const data = Float32Array.from({ length: count }, (_, k) => centre + 0.6 * noise(i + 100, k))
    return { name, dtype: 'F32', shape, data: Buffer.from(data.buffer) }
  })
  return writePipeline(JSON.stringify(config), tensors, metadata)
}
