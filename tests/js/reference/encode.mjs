// The encoders by docs/format.md, written from that document alone.
import { add, addVectors, argmax, columns, div, gelu, layerNorm, linear, linearFrom, linearSum, mul, relu, sigmoid, sqrt, tanh } from './arithmetic.mjs'
import { attributeHash, fnv1a, lower, lowerTurkic, ngrams, prefix, row, shape, splitmix64, suffix } from './hash.mjs'

export { argmax }

// [table, attribute number, rows setting, group, text of the attribute for (texts, settings)]
const TABLES = [
  ['norm', 0, 'normRows', 'own', (t, s) => (s.turkicCase ? lowerTurkic(t[2]) : lower(t[2]))],
  ['prefix', 1, 'prefixRows', 'own', (t, s) => prefix(t[2], s.prefixLength)],
  ['suffix', 2, 'suffixRows', 'own', (t, s) => suffix(t[2], s.suffixLength)],
  ['shape', 3, 'shapeRows', 'own', (t) => shape(t[2])],
  ['cased', 4, 'casedRows', 'own', (t) => t[2]],
  ['prev_norm', 5, 'neighbourRows', 'prev', (t) => lower(t[1])],
  ['next_norm', 6, 'neighbourRows', 'next', (t) => lower(t[3])],
  ['prev_suffix', 7, 'neighbourRows', 'prev', (t, s) => suffix(t[1], s.suffixLength)],
  ['next_suffix', 8, 'neighbourRows', 'next', (t, s) => suffix(t[3], s.suffixLength)],
  ['prev2_norm', 9, 'contextRows', 'prev2', (t) => lower(t[0])],
  ['next2_norm', 10, 'contextRows', 'next2', (t) => lower(t[4])],
  ['prev_shape', 11, 'contextRows', 'prev', (t) => shape(t[1])],
  ['next_shape', 12, 'contextRows', 'next', (t) => shape(t[3])],
  ['bigram_prev', 13, 'bigramRows', 'bigram_prev', (t) => `${lower(t[1])}\0${lower(t[2])}`],
  ['bigram_next', 14, 'bigramRows', 'bigram_next', (t) => `${lower(t[2])}\0${lower(t[3])}`],
  ['prefix2', 15, 'prefix2Rows', 'own', (t, s) => prefix(t[2], s.prefix2Length)],
  ['suffix2', 16, 'suffix2Rows', 'own', (t, s) => suffix(t[2], s.suffix2Length)],
  ['suffix3', 17, 'suffix3Rows', 'own', (t, s) => suffix(t[2], s.suffix3Length)],
]
const GROUPS = ['own', 'prev', 'next', 'prev2', 'next2', 'bigram_prev', 'bigram_next']

const DEFAULTS = { prefixLength: 1, suffixLength: 3, casedRows: 0, hashes: 2, plain: 0, relu: 0, neighbourRows: 0,
  contextRows: 0, bigramRows: 0, turkicCase: 0, recurrentLayers: 0, recurrentSize: 0, prefix2Length: 2, prefix2Rows: 0,
  suffix2Length: 2, suffix2Rows: 0, suffix3Length: 4, suffix3Rows: 0, ngramRows: 0, ngramMin: 3, ngramMax: 5,
  wordTokens: 0, wordLists: [] }

export const fastSettings = (s) => ({ ...DEFAULTS, embedWidth: s.width, ...s })
export const fastTables = (s) => TABLES.filter(([, , rows]) => s[rows] > 0)

// The parameters of a fast encoder in file order: [name, shape].
export function fastParameters(settings) {
  const s = fastSettings(settings)
  const tables = fastTables(s)
  const list = tables.map(([name, , rows]) => [`embed_${name}.weight`, [s[rows], s.embedWidth]])
  const linearLayer = (name, out, into) => list.push([`${name}.weight`, [out, into]], [`${name}.bias`, [out]])
  const norm = (name) => list.push([`${name}.weight`, [s.width]], [`${name}.bias`, [s.width]])
  if (s.ngramRows) list.push(['embed_ngram.weight', [s.ngramRows, s.embedWidth]])
  if (s.wordTokens) list.push(['embed_word.weight', [3 * s.wordTokens * s.wordLists.length, s.embedWidth]])
  linearLayer('mix', s.width, (tables.length + (s.ngramRows ? 1 : 0) + (s.wordTokens ? 1 : 0)) * s.embedWidth)
  if (!s.plain) norm('mix_norm')
  for (let i = 0; i < s.depth; i++) {
    linearLayer(`window${i}`, s.width, 3 * s.width)
    norm(`window_norm${i}`)
  }
  const size = s.recurrentSize || Math.floor(s.width / 2)
  for (let k = 0; k < s.recurrentLayers; k++) {
    for (const direction of ['', '_reverse']) {
      list.push([`lstm.weight_ih_l${k}${direction}`, [4 * size, k === 0 ? s.width : 2 * size]],
        [`lstm.weight_hh_l${k}${direction}`, [4 * size, size]], [`lstm.bias_l${k}${direction}`, [4 * size]])
    }
  }
  if (s.recurrentLayers && 2 * size !== s.width) linearLayer('lstm_out', s.width, 2 * size)
  return list
}

// rows[token][table][hash function]
export function fastRows(settings, tokens) {
  const s = fastSettings(settings)
  const padded = ['', '', ...tokens, '', '']
  return tokens.map((_, i) => fastTables(s).map(([, number, rows, , text]) => {
    const hash = attributeHash(s.seed, number, text(padded.slice(i, i + 5), s))
    return Array.from({ length: s.hashes }, (__, f) => row(hash, f + 1, s[rows]))
  }))
}

const NGRAM = 18

// What the n-grams of a token give to its own group.
function ngramVector(s, p, token) {
  const norm = s.turkicCase ? lowerTurkic(token) : lower(token)
  const rows = ngrams(norm, s.ngramMin, s.ngramMax).map((g) => row(attributeHash(s.seed, NGRAM, g), 1, s.ngramRows))
  const sum = rows.map((r) => p('embed_ngram.weight').rows[r]).reduce(addVectors, new Array(s.embedWidth).fill(0))
  const scaled = sum.map((v) => mul(v, rows.length ? div(1, sqrt(rows.length)) : 0))
  const from = fastTables(s).length * s.embedWidth
  return p('mix.weight').rows.map((w) => linearSum(0, w.slice(from, from + s.embedWidth), scaled))
}

// What the words of lists give to each token. Tokens stand one blank apart.
function wordVectors(s, p, tokens) {
  const rows = tokens.map(() => [])
  tokens.forEach((_, first) => {
    for (let k = 1; k <= s.wordTokens && first + k <= tokens.length; k++) {
      const text = tokens.slice(first, first + k).join(' ')
      const list = s.wordLists.findIndex((words) => words.split('\n').includes(text))
      if (list < 0) continue
      for (let at = 0; at < k; at++) {
        const place = at === 0 ? 0 : at === k - 1 ? 1 : 2
        rows[first + at].push((3 * list + place) * s.wordTokens + k - 1)
      }
    }
  })
  return rows.map((of) => {
    const sum = of.map((r) => p('embed_word.weight').rows[r]).reduce(addVectors, new Array(s.embedWidth).fill(0))
    const scaled = sum.map((v) => mul(v, of.length ? div(1, sqrt(of.length)) : 0))
    return p('mix.weight').rows.map((w) => linearSum(0, w.slice(-s.embedWidth), scaled))
  })
}

// p(name) gives a tensor of the encoder
function join(s, p, tokens) {
  const tables = fastTables(s)
  const rows = fastRows(s, tokens)
  const mix = p('mix.weight').rows
  const words = s.wordTokens ? wordVectors(s, p, tokens) : undefined
  const x = tokens.map((_, i) => GROUPS.reduce((x, group) => {
    const parts = tables.flatMap(([name, , , of], t) => of !== group ? [] : rows[i][t].map((r) => {
      const embedding = p(`embed_${name}.weight`).rows[r]
      return mix.map((w) => linearSum(0, w.slice(t * s.embedWidth, (t + 1) * s.embedWidth), embedding))
    }))
    if (group === 'own' && s.ngramRows) parts.push(ngramVector(s, p, tokens[i]))
    return parts.length ? addVectors(x, parts.reduce(addVectors)) : x
  }, p('mix.bias').values))
  return words ? x.map((v, i) => addVectors(v, words[i])) : x
}

function lstmDirection(x, size, ih, hh, bias, backward) {
  const out = []
  let c = new Array(size).fill(0)
  let h = null
  for (let step = 0; step < x.length; step++) {
    const t = backward ? x.length - 1 - step : step
    const start = linear(ih, bias, x[t])
    let gates = start
    if (h) gates = linearFrom((r) => start[r], hh, h)
    c = c.map((old, j) => add(mul(sigmoid(gates[size + j]), old), mul(sigmoid(gates[j]), tanh(gates[2 * size + j]))))
    h = c.map((v, j) => mul(sigmoid(gates[3 * size + j]), tanh(v)))
    out[t] = h
  }
  return out
}

function recur(s, p, h) {
  const size = s.recurrentSize || Math.floor(s.width / 2)
  let y = h
  for (let k = 0; k < s.recurrentLayers; k++) {
    const [forward, backward] = ['', '_reverse'].map((d) => lstmDirection(y, size, p(`lstm.weight_ih_l${k}${d}`).rows,
      p(`lstm.weight_hh_l${k}${d}`).rows, p(`lstm.bias_l${k}${d}`).values, d !== ''))
    y = forward.map((v, t) => [...v, ...backward[t]])
  }
  if (2 * size !== s.width) y = y.map((v) => linear(p('lstm_out.weight').rows, p('lstm_out.bias').values, v))
  return h.map((v, t) => addVectors(v, y[t]))
}

export function fast(settings, p, tokens) {
  const s = fastSettings(settings)
  const act = (v) => v.map(s.relu ? relu : gelu)
  const norm = (name, v) => layerNorm(v, p(`${name}.weight`).values, p(`${name}.bias`).values)
  let h = join(s, p, tokens).map((x) => (s.plain ? x.map(relu) : norm('mix_norm', act(x))))
  for (let i = 0; i < s.depth; i++) {
    const w = p(`window${i}.weight`).rows
    const b = p(`window${i}.bias`).values
    const parts = [0, 1, 2].map((k) => columns(w, k * s.width, (k + 1) * s.width))
    const sum = (t) => parts.reduce((z, part, k) => (h[t + k - 1] ? addVectors(z, linear(part, null, h[t + k - 1])) : z), b)
    h = h.map((v, t) => addVectors(v, norm(`window_norm${i}`, act(sum(t)))))
  }
  return s.recurrentLayers ? recur(s, p, h) : h
}

export const hashEmbeddingParameters = (s) =>
  [['embed.weight', [s.buckets, s.width]], ['project.weight', [s.width, s.width]], ['project.bias', [s.width]]]

export function hashEmbedding(s, p, tokens) {
  return tokens.map((t) => {
    const hash = splitmix64(fnv1a(splitmix64(BigInt(s.seed)), lower(t)))
    return linear(p('project.weight').rows, p('project.bias').values, p('embed.weight').rows[row(hash, 1, s.buckets)])
  })
}
