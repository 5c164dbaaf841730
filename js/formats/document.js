// An annotation in JSON as a Doc again: what Doc.toJSON gave, or `annotate -o json` wrote.

import { Doc } from '../core/doc.js'
import { OnenlpError, invalidArgument } from '../core/errors.js'

const STRING_COLUMNS = ['lemma', 'upos', 'xpos', 'feats', 'deprel']

const fail = (message) => {
  throw new OnenlpError('DATA_FORMAT', message)
}

const isIndex = (value, most) => Number.isInteger(value) && value >= 0 && value <= most

/** Each string once, under a number; number 0 is "not set". */
class Strings {
  list = [null]
  #numbers = new Map()

  number(string) {
    let number = this.#numbers.get(string)
    if (number === undefined) this.#numbers.set(string, (number = this.list.push(string) - 1))
    return number
  }
}

function checkColumn(json, name, count, isValue, what) {
  const column = json[name]
  if (!Array.isArray(column) || column.length !== count) fail(`"${name}" must be an array of ${count} elements, one for each word`)
  const wrong = column.findIndex((value) => !isValue(value))
  if (wrong >= 0) fail(`"${name}"[${wrong}] is ${JSON.stringify(column[wrong])}, want ${what}`)
  return column
}

/** [first, last) of each sentence. */
function sentencesOf({ sentences = [] }, count) {
  if (!Array.isArray(sentences)) fail('"sentences" must be an array')
  let at = 0
  for (const sentence of sentences) {
    const [first, last] = Array.isArray(sentence) ? sentence : []
    if (first !== at || !isIndex(last, count) || last <= first) fail(`"sentences": ${JSON.stringify(sentence)} does not follow word ${at} of ${count}`)
    at = last
  }
  if (sentences.length === 0) return count > 0 ? [[0, count]] : []
  if (at !== count) fail(`"sentences" end at word ${at} of ${count}`)
  return sentences
}

function rangesOf({ ranges = [] }, count, { start, end }, strings) {
  if (!Array.isArray(ranges)) fail('"ranges" must be an array')
  const rows = { first: [], last: [], start: [], end: [], form: [] }
  let at = 0
  for (const range of ranges) {
    const [first, last, form] = Array.isArray(range) ? range : []
    if (!isIndex(first, count) || !isIndex(last, count) || first < at || last <= first || typeof form !== 'string' || form === '') {
      fail(`"ranges": ${JSON.stringify(range)} is no [first, last, form] behind word ${at} of ${count}`)
    }
    rows.first.push(first)
    rows.last.push(at = last)
    rows.start.push(start[first])
    rows.end.push(end[last - 1])
    rows.form.push(strings.number(form))
  }
  return columnsOf(rows)
}

/** Entities of the text as entities of words. The reader of JSON Lines has checked that they are tokens. */
function entitiesOf({ entities }, { start, end }, strings) {
  if (entities === undefined) return null
  const rows = { first: [], last: [], label: [], score: [] }
  for (const [from, to, label] of [...entities].sort((a, b) => a[0] - b[0])) {
    rows.first.push(start.indexOf(from))
    rows.last.push(end.lastIndexOf(to) + 1)
    rows.label.push(strings.number(label))
    rows.score.push(1)
  }
  return { ...columnsOf(rows), score: Float32Array.from(rows.score) }
}

const columnsOf = (rows) => Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, Uint32Array.from(values)]))

/** A document of the caller's as JSON on one line. */
export function jsonOf(document) {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw invalidArgument('a document must be an object: a Doc, or what readConllu and readJsonl give')
  }
  try {
    return JSON.stringify(document)
  } catch (cause) {
    throw new OnenlpError('INVALID_ARGUMENT', `a document cannot be written as JSON: ${cause.message}`, { cause })
  }
}

/**
 * @param {Record<string, any>} json what the reader of JSON Lines takes, with columns
 * @returns {Doc} without span groups and categories
 */
export function docOfJson(json) {
  const { text, tokens } = json
  if (!Array.isArray(tokens)) fail('"tokens" is missing, which the columns are about')
  const count = json.word_token === undefined ? tokens.length : json.word_token?.length ?? fail('"word_token" must be an array')
  const wordToken = json.word_token === undefined ? null
    : checkColumn(json, 'word_token', count, (value) => isIndex(value, tokens.length - 1), 'the number of a token')
  const strings = new Strings()
  const isString = (value) => value === null || (typeof value === 'string' && value !== '')
  const form = checkColumn(json, 'form', count, (value) => typeof value === 'string' && value !== '', 'a string')
  const sentences = sentencesOf(json, count)
  const extents = { start: new Uint32Array(count), end: new Uint32Array(count) }
  for (let i = 0; i < count; i++) [extents.start[i], extents.end[i]] = tokens[wordToken ? wordToken[i] : i]
  const data = {
    text, ...extents, sentences: Uint32Array.from(sentences, ([first]) => first),
    form: Uint32Array.from(form, (value, i) => (value === text.slice(extents.start[i], extents.end[i]) ? 0 : strings.number(value))),
    head: null,
    ranges: rangesOf(json, count, extents, strings),
    entities: entitiesOf(json, extents, strings),
    spans: null, cats: null,
    units: columnsOf({ last: [count], start: [0], end: [text.length], paragraph: [1] }),
    conllu: null,
  }
  for (const name of STRING_COLUMNS) {
    data[name] = json[name] === undefined ? null
      : Uint32Array.from(checkColumn(json, name, count, isString, 'a string or null'), (value) => (value === null ? 0 : strings.number(value)))
  }
  if (json.head !== undefined) {
    const head = checkColumn(json, 'head', count, (value) => value === null || isIndex(value, count), 'the number of a word, 0 or null')
    for (const [first, last] of sentences) {
      for (let i = first; i < last; i++) {
        if (head[i] > last - first || head[i] === i - first + 1) fail(`"head"[${i}] is ${head[i]}, which is no other word of its sentence`)
      }
    }
    // (A column of numbers has no "not set"; where nobody set a head it is a root, as in a Doc.)
    data.head = Uint32Array.from(head, (value) => value ?? 0)
  }
  return new Doc({ ...data, strings: strings.list })
}
