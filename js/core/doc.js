// An annotated text: plain columns, and light views of them. Nothing here has to be freed.

import { writeConllu } from './conllu.js'

const inspect = Symbol.for('nodejs.util.inspect.custom')

/** The shortest decimal that reads back as the same 32-bit float, as C writes it. */
function shortest(value) {
  if (!Number.isFinite(value)) return null
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return rounded
  }
  return Number(value.toPrecision(9))
}

/** How Node's console shows a view. */
function inspected(_depth, options, show) {
  return `${this.constructor.name} ${show(this.toJSON(), options)}`
}

// No base class, no private fields and no function between a getter and its column: a text has many tokens, and engines
// interpret all of that until they have compiled it.
/** A syntactic word, the unit of all annotation. */
export class Token {
  /** @param {Doc} doc @param {number} index its number in the document, from 0 */
  constructor(doc, index) {
    this.doc = doc
    this.index = index
  }

  /** Its ID in CoNLL-U: its number in the sentence, from 1. */
  get id() {
    return this.index - this.sentence.first + 1
  }

  /** The word itself. In a contraction it may differ from the text between `start` and `end`. */
  get form() {
    const { form, strings, text, start, end } = this.doc.data
    const number = form === null ? 0 : form[this.index]
    return number ? strings[number] : text.slice(start[this.index], end[this.index])
  }

  /** The part of the text that it stands for. */
  get text() {
    return this.doc.text.slice(this.start, this.end)
  }

  /** UTF-16 offsets in the document's text. */
  get start() {
    return this.doc.data.start[this.index]
  }

  get end() {
    return this.doc.data.end[this.index]
  }

  get lemma() {
    const { strings, lemma } = this.doc.data
    return lemma === null ? null : strings[lemma[this.index]] || null
  }

  get upos() {
    const { strings, upos } = this.doc.data
    return upos === null ? null : strings[upos[this.index]] || null
  }

  get xpos() {
    const { strings, xpos } = this.doc.data
    return xpos === null ? null : strings[xpos[this.index]] || null
  }

  /** As in CoNLL-U: 'Number=Sing|Person=3', or null. */
  get feats() {
    const { strings, feats } = this.doc.data
    return feats === null ? null : strings[feats[this.index]] || null
  }

  /** As in CoNLL-U: the ID of its head in the sentence, 0 for a root; null without a parser. */
  get head() {
    const { head } = this.doc.data
    return head === null ? null : head[this.index]
  }

  get deprel() {
    const { strings, deprel } = this.doc.data
    return deprel === null ? null : strings[deprel[this.index]] || null
  }

  /** The token that it depends on; null for a root and without a parser. */
  get headToken() {
    const { head } = this
    return head ? this.doc.tokens[this.sentence.first + head - 1] : null
  }

  get sentence() {
    return this.doc.sentences[this.doc.sentenceIndexOf(this.index)]
  }

  toJSON() {
    const { index, id, form, start, end, lemma, upos, xpos, feats, head, deprel } = this
    return { index, id, form, start, end, lemma, upos, xpos, feats, head, deprel }
  }
}
Token.prototype[inspect] = inspected

/** A run of tokens. */
class Stretch {
  /** @param {Doc} doc @param {number} first tokens [first, last), as numbers in the document @param {number} last */
  constructor(doc, first, last) {
    this.doc = doc
    this.first = first
    this.last = last
  }

  get tokens() {
    return this.doc.tokens.slice(this.first, this.last)
  }

  get start() {
    return this.doc.data.start[this.first]
  }

  get end() {
    return this.doc.data.end[this.last - 1]
  }

  get text() {
    return this.doc.text.slice(this.start, this.end)
  }

  toJSON() {
    const { text, start, end, first, last } = this
    return { text, start, end, first, last }
  }
}
Stretch.prototype[inspect] = inspected

export class Sentence extends Stretch {}

/** A multiword token: `don't`, which is the words `do` and `n't`. */
export class Range extends Stretch {
  /** The surface form. */
  form
  start
  end

  constructor(doc, first, last, start, end, form) {
    super(doc, first, last)
    this.form = form
    // Not those of its words, which may share the surface form.
    Object.defineProperty(this, 'start', { value: start, enumerable: true })
    Object.defineProperty(this, 'end', { value: end, enumerable: true })
  }

  toJSON() {
    return { form: this.form, ...super.toJSON() }
  }
}

/** An entity, or a member of a span group. */
export class Span extends Stretch {
  label
  /** The probability that the pipeline gives it. */
  score

  constructor(doc, first, last, label, score) {
    super(doc, first, last)
    this.label = label
    this.score = score
  }

  toJSON() {
    return { label: this.label, ...super.toJSON(), score: this.score }
  }
}

export class Doc {
  data
  #tokens
  #sentences
  #entities
  #spans
  #cats
  #ranges
  #conllu

  /** @param {import('./columns.js').DocData} data plain columns, for example from a worker */
  constructor(data) {
    this.data = data
  }

  get text() {
    return this.data.text
  }

  /** How many tokens there are. */
  get length() {
    return this.data.start.length
  }

  /** @returns {Token[]} */
  get tokens() {
    if (this.#tokens) return this.#tokens
    const tokens = new Array(this.length)
    for (let i = 0; i < tokens.length; i++) tokens[i] = new Token(this, i)
    return (this.#tokens = tokens)
  }

  /** @returns {Sentence[]} */
  get sentences() {
    const { sentences } = this.data
    if (this.#sentences) return this.#sentences
    const list = new Array(sentences.length)
    for (let i = 0; i < list.length; i++) {
      list[i] = new Sentence(this, sentences[i], i + 1 < list.length ? sentences[i + 1] : this.length)
    }
    return (this.#sentences = list)
  }

  /** Multiword tokens. @returns {Range[]} */
  get ranges() {
    const { ranges, strings } = this.data
    return (this.#ranges ??= (ranges ?? []).map(({ first, last, start, end, form }) =>
      new Range(this, first, last, start, end, strings[form])))
  }

  /** @returns {Span[]} */
  get entities() {
    return (this.#entities ??= (this.data.entities ?? []).map((row) => this.#span(row)))
  }

  /** Span groups by name. @returns {Record<string, Span[]>} */
  get spans() {
    if (this.#spans) return this.#spans
    const { spans, strings } = this.data
    const groups = new Map((spans ?? []).map(({ group }) => [group, []]))
    for (const row of spans ?? []) groups.get(row.group).push(this.#span(row))
    return (this.#spans = Object.fromEntries([...groups].map(([group, list]) => [strings[group], list])))
  }

  #span({ first, last, label, score }) {
    return new Span(this, first, last, this.data.strings[label], shortest(score))
  }

  /** Categories of the text and their scores. @returns {Record<string, number>} */
  get cats() {
    const { cats, strings } = this.data
    return (this.#cats ??= Object.fromEntries((cats ?? []).map(({ label, score }) => [strings[label], shortest(score)])))
  }

  /** The number of the sentence that a token is in. */
  sentenceIndexOf(token) {
    const { sentences } = this.data
    let low = 0
    let high = sentences.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (sentences[middle] <= token) low = middle
      else high = middle
    }
    return low
  }

  toConllu() {
    return (this.#conllu ??= this.data.conllu ?? writeConllu(this.data))
  }

  /** What `onenlp annotate -o json` writes; docs/json.schema.json describes it. */
  toJSON() {
    const { data, length, tokens } = this
    const words = []
    const wordToken = new Array(length)
    for (let i = 0; i < length; i++) {
      // Words that share an undividable surface form are one token of JSON Lines.
      if (i === 0 || data.start[i] !== data.start[i - 1]) words.push([data.start[i], data.end[i]])
      wordToken[i] = words.length - 1
    }
    const triple = (span) => [span.start, span.end, span.label]
    const score = (span) => span.score
    const mapValues = (object, f) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, f(value)]))
    const json = { text: this.text, tokens: words }
    if (data.entities) json.entities = this.entities.map(triple)
    if (data.spans) json.spans = mapValues(this.spans, (spans) => spans.map(triple))
    if (data.cats) json.cats = { ...this.cats }
    json.sentences = this.sentences.map(({ first, last }) => [first, last])
    if (words.length !== length) json.word_token = wordToken
    if (data.ranges?.length > 0) json.ranges = this.ranges.map(({ first, last, form }) => [first, last, form])
    json.form = tokens.map((token) => token.form)
    for (const name of ['lemma', 'upos', 'xpos', 'feats', 'head', 'deprel']) {
      if (data[name]) json[name] = tokens.map((token) => token[name])
    }
    if (data.entities?.length > 0) json.entity_scores = this.entities.map(score)
    if (data.spans) json.span_scores = mapValues(this.spans, (spans) => spans.map(score))
    return json
  }

  [inspect](depth, options, show) {
    return depth < 0 ? `[Doc of ${this.length} tokens]` : `Doc ${show({ text: this.text, tokens: this.tokens }, options)}`
  }
}
