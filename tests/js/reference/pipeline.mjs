// Runs a pipeline file over given tokens by the reference reader.
import { bitsOf } from './arithmetic.mjs'
import { fast, fastParameters, fastRows, hashEmbedding, hashEmbeddingParameters } from './encode.mjs'
import { classify, lemmatize, outputParameters, parse, parserParameters } from './head.mjs'
import { readCheckpoint, readContainer } from './file.mjs'
import { linear } from './arithmetic.mjs'

export const encoderParameters = ({ kind, settings }) =>
  kind === 'fast' ? fastParameters(settings) : hashEmbeddingParameters(settings)

export function headParameters({ kind, config }, width) {
  if (kind === 'parser') return parserParameters(config, width)
  return outputParameters(kind === 'senter' ? { labels: [''] } : config, width)
}

// All parameters of a config in file order: [full name, shape].
export function parameters(config) {
  const heads = config.components.filter((c) => c.type === 'head')
  const full = (prefix, list) => list.map(([name, shape]) => [`${prefix}.${name}`, shape])
  return [...config.encoders.flatMap((e, i) => full(`encoder${i}`, encoderParameters(e))),
    ...heads.flatMap((h, j) => full(`head${j}`, headParameters(h, config.encoders[h.encoder].settings.width)))]
}

const orNull = (s) => (s === undefined || s === '' || s === '_' ? null : s)

// Columns that the heads write. One sentence, at most 6 tokens (parser trees are searched exhaustively).
export function run(file, tokens) {
  const { config, weights } = readContainer(file)
  const { tensors } = readCheckpoint(weights)
  const of = (prefix) => (name) => tensors[`${prefix}.${name}`]
  const encoders = config.encoders.map(({ kind, settings }, i) => kind === 'fast'
    ? { rows: fastRows(settings, tokens).flat(2), vectors: fast(settings, of(`encoder${i}`), tokens) }
    : { vectors: hashEmbedding(settings, of(`encoder${i}`), tokens) })
  const columns = {}
  config.components.filter((c) => c.type === 'head').forEach((head, j) => {
    const h = encoders[head.encoder].vectors
    const p = of(`head${j}`)
    const labels = () => h.map((x) => head.config.labels[classify(head.config, p, x)])
    if (head.kind === 'tagger') columns[head.config.column.toLowerCase()] = labels().map(orNull)
    if (head.kind === 'morphologizer') {
      const split = labels().map((l) => /^POS=([^|]*)(?:\|(.*))?$/s.exec(l))
      columns.pos = split.map((m) => orNull(m[1]))
      columns.morph = split.map((m) => orNull(m[2]))
    }
    if (head.kind === 'lemmatizer') {
      const tag = (i) => columns.tag?.[i] ?? columns.pos?.[i] ?? ''
      columns.lemma = h.map((x, i) => lemmatize(head.config, p, x, tokens[i], tag(i)))
    }
    if (head.kind === 'parser') Object.assign(columns, parse(head.config, p, h))
    if (head.kind === 'senter') {
      const score = (x) => linear(p('output.weight').rows, p('output.bias').values, x)[0]
      columns.sentStart = h.map((x, i) => (i === 0 || score(x) > 0 ? 1 : 0))
    }
  })
  return { tokens, encoders: encoders.map(({ rows, vectors }) => ({ rows, vectors: vectors.flat().map(bitsOf) })), columns }
}
