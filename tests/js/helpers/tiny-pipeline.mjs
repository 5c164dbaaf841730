// A small pipeline file with pseudo-random weights, written here from docs/format.md alone, so that tests of
// the program and of the module need no trained file (and the C reader meets a writer that is not its own).

/** A generator of 32-bit numbers (xorshift), the same in every run. */
function randomNumbers(seed) {
  let x = seed
  return () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return x >>> 0
  }
}

/** A safetensors image: [name, shape] of F32 tensors with random values, and metadata. */
function checkpoint(tensors, metadata) {
  const header = { __metadata__: metadata }
  let end = 0
  for (const [name, shape] of tensors) {
    const begin = end
    end += shape.reduce((a, b) => a * b, 4)
    header[name] = { dtype: 'F32', shape, data_offsets: [begin, end] }
  }
  const text = Buffer.from(JSON.stringify(header))
  const random = randomNumbers(2463534242)
  const data = Buffer.from(Float32Array.from({ length: end / 4 }, () => random() / 2 ** 32 - 0.5).buffer)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, data])
}

function container(config, weights) {
  const text = Buffer.from(JSON.stringify(config))
  const header = Buffer.alloc(32)
  header.write('ONENLPPL', 0, 'latin1')
  header.writeUInt32LE(1, 8)
  header.writeBigUInt64LE(BigInt(text.length), 16)
  header.writeBigUInt64LE(BigInt(weights.length), 24)
  return Buffer.concat([header, text, weights])
}

const width = 8
const buckets = 512
const tags = ['NN', 'VB', 'DT', '.']
const features = ['POS=NOUN|Number=Sing', 'POS=VERB|VerbForm=Fin', 'POS=DET', 'POS=PUNCT']

/** The config of the pipeline; `change` may alter it. */
export function tinyConfig(change = () => {}) {
  const head = (name, kind, config) => ({ name, type: 'head', kind, encoder: 0, config })
  const config = {
    format: 'onenlp-pipeline',
    version: 1,
    language: 'en',
    tokenizer: { kind: 'uax', data: 'english' },
    encoders: [{ kind: 'hash-embedding', settings: { width, buckets, seed: 3 } }],
    components: [
      { name: 'sentencizer', type: 'builtin', settings: { data: 'english' } },
      head('tagger', 'tagger', { column: 'Tag', labels: tags }),
      head('morphologizer', 'morphologizer', { labels: features }),
    ],
  }
  change(config)
  return config
}

export const tinyTensors = [
  ['encoder0.embed.weight', [buckets, width]],
  ['encoder0.project.weight', [width, width]],
  ['encoder0.project.bias', [width]],
  ['head0.output.weight', [tags.length, width]],
  ['head0.output.bias', [tags.length]],
  ['head1.output.weight', [features.length, width]],
  ['head1.output.bias', [features.length]],
]

/** The bytes of a pipeline file; options may replace its config and its list of tensors. */
export function tinyPipeline({ config = tinyConfig(), tensors = tinyTensors, metadata = { name: 'tiny', licence: 'none' } } = {}) {
  return container(config, checkpoint(tensors, metadata))
}
