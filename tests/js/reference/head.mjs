// Heads by docs/format.md, written from that document alone.
import { add, addVectors, argmax, dot, linear, relu } from './arithmetic.mjs'
import { lower, lowerTurkic } from './hash.mjs'

const twoLevels = (config) => config.headClasses > 0 && config.headClasses < config.labels.length

export function outputParameters(config, width) {
  const n = config.labels.length
  if (!twoLevels(config)) return [['output.weight', [n, width]], ['output.bias', [n]]]
  const c = config.headClasses
  return [['head.weight', [c + 1, width]], ['head.bias', [c + 1]], ['tail.weight', [n - c, width]], ['tail.bias', [n - c]]]
}

export function classify(config, p, h) {
  const layer = (name) => argmax(linear(p(`${name}.weight`).rows, p(`${name}.bias`).values, h))
  if (!twoLevels(config)) return layer('output')
  const first = layer('head')
  return first < config.headClasses ? first : config.headClasses + layer('tail')
}

// Scores of all labels, comparable with one another.
function scores(config, p, h) {
  const layer = (name) => linear(p(`${name}.weight`).rows, p(`${name}.bias`).values, h)
  if (!twoLevels(config)) return layer('output')
  const first = layer('head')
  const other = first.pop()
  const tail = layer('tail')
  const shift = add(other, -tail[argmax(tail)])
  return [...first, ...tail.map((v) => add(v, shift))]
}

// The lemma of one token: by the lexicon, whose key is the form, a tab and the tag, else by the best class, else by the first that fits of the eight best, else the form.
export function lemmatize(config, p, h, form, tag = '') {
  const key = `${form}\t${tag}`
  if (Object.hasOwn(config.lexicon ?? {}, key)) return config.lexicon[key]
  const fitting = applyLemmaClass(config.labels[classify(config, p, h)], form, config.turkicCase)
  if (fitting !== null) return fitting
  const left = scores(config, p, h)
  for (let tries = 0; tries < 8; tries++) {
    const best = argmax(left)
    const lemma = applyLemmaClass(config.labels[best], form, config.turkicCase)
    if (lemma !== null) return lemma
    left[best] = -Infinity
  }
  return form
}

// Parses a serialized edit tree: { match, prefix, suffix, left, right } or { original, replacement }.
export function parseEditTree(text) {
  let at = 0
  const fail = () => { throw new Error(`edit tree: ${text} at ${at}`) }
  const take = (c) => (text[at] === c ? at++ : fail())
  const number = () => {
    const digits = /^(0|[1-9][0-9]{0,3})/.exec(text.slice(at))?.[0] ?? fail()
    at += digits.length
    return Number(digits) <= 4096 ? Number(digits) : fail()
  }
  const string = () => {
    const n = number()
    take(':')
    if (text.length - at < n) fail()
    at += n
    return text.slice(at - n, at)
  }
  const child = (length, depth) => {
    take('(')
    const node = text[at] === ')' ? null : parse(depth + 1)
    take(')')
    return node || length === 0 ? node : fail()
  }
  const parse = (depth) => {
    if (depth > 64) fail()
    if (text[at] === 'S') return at++, { original: string(), replacement: string() }
    take('M')
    const prefix = number()
    take(',')
    const suffix = number()
    return { match: true, prefix, suffix, left: child(prefix, depth), right: child(suffix, depth) }
  }
  if (text.length > 4096) fail()
  const tree = parse(1)
  return at === text.length ? tree : fail()
}

// The edited string, or null where the tree does not fit.
export function applyEditTree(node, form) {
  if (!node) return form === '' ? '' : null
  if (!node.match) return form === node.original ? node.replacement : null
  if (form.length < node.prefix + node.suffix) return null
  const end = form.length - node.suffix
  const left = applyEditTree(node.left, form.slice(0, node.prefix))
  const right = applyEditTree(node.right, form.slice(end))
  return left === null || right === null ? null : left + form.slice(node.prefix, end) + right
}

// The lemma that a class gives to a form, or null. An empty lemma does not count.
export function applyLemmaClass(label, form, turkic) {
  const lowered = turkic ? lowerTurkic : lower
  return applyEditTree(parseEditTree(label.slice(1)), label[0] === 'l' ? lowered(form) : form) || null
}

export function parserParameters(config, width) {
  const { arcWidth: a, labelWidth: b } = config
  const l = config.labels.length
  const layer = (name, out, into) => [[`${name}.weight`, [out, into]], [`${name}.bias`, [out]]]
  return [...layer('arc_dep', a, width), ...layer('arc_head', a, width), ...layer('arc', a, a), ['arc_root', [a]],
    ...layer('label_dep', b, width), ...layer('label_head', b, width), ['label_root', [b]],
    ...(config.labelBilinear === 0 || config.labelSum ? [] : [['label_bilinear.weight', [l * b, b]]]),
    ...layer('label_linear', l, config.labelSum ? b : 2 * b)]
}

// Every head function of a short sentence, the best tree with one root: the truth for any decoder.
function bestTree(score) {
  const n = score.length
  const head = new Array(n).fill(0)
  let best = null
  const isTree = () => head.filter((h, i) => h === i).length === 1 && head.every((_, i) => {
    let at = i
    for (let k = 0; k < n && head[at] !== at; k++) at = head[at]
    return head[at] === at
  })
  for (let code = 0; code < n ** n; code++) {
    let sum = 0
    for (let i = 0, rest = code; i < n; i++, rest = Math.floor(rest / n)) {
      head[i] = rest % n
      sum += score[i][head[i]]
    }
    if ((best === null || sum > best.sum) && isTree()) best = { sum, head: [...head] }
  }
  return best.head
}

// Heads (as indices, a root its own) and labels of one sentence.
export function parse(config, p, h) {
  const layer = (name, x) => linear(p(`${name}.weight`).rows, p(`${name}.bias`).values, x)
  const mapped = (name) => h.map((x) => layer(name, x))
  const project = (name) => mapped(name).map((y) => y.map(relu))
  const [d, e] = [project('arc_dep'), project('arc_head')]
  const score = d.map((x, i) => {
    const mapped = layer('arc', x)
    return e.map((y, j) => (i === j ? dot(mapped, p('arc_root').values) : mapped.reduce((s, v, c) => add(s, Math.fround(v * y[c])), 0)))
  })
  const head = bestTree(score)
  const [from, to] = ['label_dep', 'label_head'].map(config.labelSum ? mapped : project)
  const rootLabel = config.labels.indexOf('root')
  const b = config.labelWidth
  const label = head.map((j, i) => {
    if (j === i && rootLabel >= 0) return rootLabel
    const q = j === i ? p('label_root').values : to[j]
    let s = layer('label_linear', config.labelSum ? addVectors(from[i], q).map(relu) : [...from[i], ...q])
    if (config.labelBilinear !== 0 && !config.labelSum) {
      const mapped = linear(p('label_bilinear.weight').rows, null, from[i])
      s = addVectors(s, s.map((_, l) => dot(mapped.slice(l * b, (l + 1) * b), q)))
    }
    if (rootLabel >= 0 && s.length > 1) s[rootLabel] = -Infinity
    return argmax(s)
  })
  return { head, label: label.map((l) => config.labels[l]) }
}
