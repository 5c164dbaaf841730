// The columns of a document, copied once out of the module: plain arrays that can cross to another
// thread. Their meaning is written in src/onenlp.h ("The columns of a unit"); numbers of words count
// from 0 within the document here.

/**
 * Columns of the words have an element for each word and are null where nothing sets them.
 *
 * @typedef {object} DocData
 * @property {string} text
 * @property {(string | null)[]} strings every string once; number 0 is "not set"
 * @property {Uint32Array} start UTF-16 offsets of each word
 * @property {Uint32Array} end
 * @property {Uint32Array} sentences the first word of each sentence
 * @property {Uint32Array | null} form numbers of strings; 0 where the form is the text
 * @property {Uint32Array | null} lemma
 * @property {Uint32Array | null} upos
 * @property {Uint32Array | null} xpos
 * @property {Uint32Array | null} feats
 * @property {Uint32Array | null} head
 * @property {Uint32Array | null} deprel
 * @property {Rows | null} ranges first, last, start, end, form
 * @property {Rows | null} entities first, last, label, score
 * @property {Rows | null} spans group, first, last, label, score
 * @property {Rows | null} cats label, score
 * @property {string | null} conllu the same as CoNLL-U
 *
 * @typedef {Record<string, Uint32Array | Float32Array>} Rows columns of rows that are no words
 */

const NUMBER_COLUMNS = { start: 'START', end: 'END', sentenceStart: 'SENTENCE_START', head: 'HEAD' }
const STRING_COLUMNS = { form: 'FORM', lemma: 'LEMMA', upos: 'UPOS', xpos: 'XPOS', feats: 'FEATS', deprel: 'DEPREL' }

// Columns of rows: the C column, the group of constants that numbers a row's fields, and the fields by type.
const ROW_COLUMNS = {
  ranges: { column: 'RANGES', row: 'range', words: ['first', 'last'], numbers: ['start', 'end'], strings: ['form'] },
  entities: { column: 'ENTITIES', row: 'entity', words: ['first', 'last'], strings: ['label'], floats: ['score'] },
  spans: { column: 'SPANS', row: 'span', words: ['first', 'last'], strings: ['group', 'label'], floats: ['score'] },
  cats: { column: 'CATS', row: 'cat', strings: ['label'], floats: ['score'] },
}

/** Collects the units of one text. */
export class DocBuilder {
  #instance
  #annotator
  #words = 0
  #strings = [null]
  #numberOf = new Map()
  // Columns by name: pieces, one a unit.
  #pieces = Object.fromEntries([...Object.keys(NUMBER_COLUMNS), ...Object.keys(STRING_COLUMNS)].map((name) => [name, []]))
  // Columns of rows by name, then by field: pieces.
  #rows = {}

  constructor(instance, annotator) {
    this.#instance = instance
    this.#annotator = annotator
  }

  /** Copies the unit that onenlp_next has just made. */
  addUnit() {
    const numbers = this.#readStrings()
    const start = this.#column('START')
    const count = start?.length ?? 0
    for (const [name, column] of Object.entries(NUMBER_COLUMNS)) {
      this.#add(name, name === 'start' ? start : this.#column(column), count)
    }
    for (const [name, column] of Object.entries(STRING_COLUMNS)) {
      const values = this.#column(column)
      if (values) for (let i = 0; i < values.length; i++) values[i] = numbers[values[i]]
      this.#add(name, values, count)
    }
    for (const name of Object.keys(ROW_COLUMNS)) this.#addRows(name, numbers)
    this.#words += count
  }

  /** For each of the unit's strings, its number in the document. */
  #readStrings() {
    const instance = this.#instance
    const start = instance.pointer('onenlp_strings', this.#annotator, instance.resultAt(0), instance.resultAt(1))
    const count = instance.result(1)
    const numbers = new Uint32Array(count + 1)
    if (count === 0) return numbers
    const ends = instance.words(instance.result(0), count)
    const all = instance.string(start, ends[count - 1])
    // Where every character is one byte, the ends are offsets in the decoded text as well.
    const oneByte = all.length === ends[count - 1]
    for (let i = 0, from = 0; i < count; from = ends[i++]) {
      const string = oneByte ? all.slice(from, ends[i]) : instance.string(start + from, ends[i] - from)
      let number = this.#numberOf.get(string)
      if (number === undefined) {
        number = this.#strings.push(string) - 1
        this.#numberOf.set(string, number)
      }
      numbers[i + 1] = number
    }
    return numbers
  }

  #column(name) {
    const instance = this.#instance
    const start = instance.pointer('onenlp_column', this.#annotator, instance.constants.column[name], instance.resultAt(0))
    return start === 0 ? null : instance.words(start, instance.result(0))
  }

  #add(name, values, count) {
    const pieces = this.#pieces[name]
    // A column that another unit does not have is "not set" there.
    if (values && pieces.length === 0 && this.#words > 0) pieces.push(new Uint32Array(this.#words))
    if (values) pieces.push(values)
    else if (pieces.length > 0) pieces.push(new Uint32Array(count))
  }

  #addRows(name, numbers) {
    const { column, row, words = [], numbers: plain = [], strings = [], floats = [] } = ROW_COLUMNS[name]
    const values = this.#column(column)
    if (!values) return
    // Categories are those of the whole text so far: the last unit's count.
    if (!this.#rows[name] || name === 'cats') this.#rows[name] = {}
    const fields = this.#instance.constants[row]
    const count = values.length / fields.ROW
    const take = (field, change) => {
      const piece = new Uint32Array(count)
      for (let i = 0, at = fields[field.toUpperCase()]; i < count; i++, at += fields.ROW) piece[i] = change(values[at])
      return piece
    }
    const add = (field, piece) => (this.#rows[name][field] ??= []).push(piece)
    for (const field of words) add(field, take(field, (word) => word + this.#words))
    for (const field of plain) add(field, take(field, (value) => value))
    for (const field of strings) add(field, take(field, (string) => numbers[string]))
    for (const field of floats) add(field, new Float32Array(take(field, (bits) => bits).buffer))
  }

  /**
   * @param {string} text
   * @param {string | null} conllu
   * @returns {DocData}
   */
  finish(text, conllu) {
    const { sentenceStart, ...columns } = Object.fromEntries(
      Object.entries(this.#pieces).map(([name, pieces]) => [name, concat(pieces)]))
    const rows = Object.fromEntries(Object.keys(ROW_COLUMNS).map((name) => [name, this.#finishRows(name)]))
    const sentences = []
    sentenceStart?.forEach((starts, i) => {
      if (starts) sentences.push(i)
    })
    return {
      text,
      strings: this.#strings,
      ...columns,
      start: columns.start ?? new Uint32Array(),
      end: columns.end ?? new Uint32Array(),
      sentences: Uint32Array.from(sentences),
      ...rows,
      conllu,
    }
  }

  #finishRows(name) {
    const fields = this.#rows[name]
    if (!fields) return null
    return Object.fromEntries(Object.entries(fields).map(([field, pieces]) => [field, concat(pieces)]))
  }
}

function concat(pieces) {
  if (pieces.length < 2) return pieces[0] ?? null
  const all = new pieces[0].constructor(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
