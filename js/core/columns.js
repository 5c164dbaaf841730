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
 * @property {Rows | null} units of a text, the parts that were annotated one after another: last, start, end, and 1 in
 *     paragraph where one starts
 * @property {string | null} conllu of given tokens: the same as CoNLL-U, with what else theirs had
 *
 * @typedef {Record<string, Uint32Array | Float32Array>} Rows columns of rows that are no words
 */

// A word's columns; numbers as they are, and strings by their number in the unit's table.
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
  // Where the module keeps the addresses and the lengths of a unit's columns.
  #addresses
  #counts
  #words = 0
  #strings = [null]
  #numberOf = new Map()
  // Columns by name: pieces, one a unit.
  #pieces = { start: [], end: [], sentenceStart: [], head: [], form: [], lemma: [], upos: [], xpos: [], feats: [], deprel: [] }
  // Columns of rows by name, then by field: pieces.
  #rows = {}
  #units = { last: [], start: [], end: [], paragraph: [] }

  constructor(instance, annotator) {
    this.#instance = instance
    this.#annotator = annotator
    this.#addresses = instance.pointer('onenlp_column_table', annotator, instance.resultAt(0)) >>> 2
    this.#counts = instance.result(0) >>> 2
  }

  /** Copies the unit that onenlp_next has just made. */
  addUnit() {
    const numbers = this.#readStrings()
    const { column } = this.#instance.constants
    const count = this.#instance.u32[this.#counts + column.START]
    for (const name in NUMBER_COLUMNS) this.#add(name, this.#column(column[NUMBER_COLUMNS[name]]), count)
    for (const name in STRING_COLUMNS) {
      const values = this.#column(column[STRING_COLUMNS[name]])
      if (values) for (let i = 0; i < values.length; i++) values[i] = numbers[values[i]]
      this.#add(name, values, count)
    }
    for (const name in ROW_COLUMNS) this.#addRows(name, numbers)
    this.#words += count
    this.#addExtent()
  }

  #addExtent() {
    const { u32, constants: { column, unit } } = this.#instance
    const at = u32[this.#addresses + column.UNIT] >>> 2
    this.#units.last.push(this.#words)
    this.#units.start.push(u32[at + unit.START])
    this.#units.end.push(u32[at + unit.END])
    this.#units.paragraph.push(u32[at + unit.PARAGRAPH])
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

  /** A copy of a column by its number in C, or null. */
  #column(number) {
    const { u32 } = this.#instance
    const start = u32[this.#addresses + number] >>> 2
    return start === 0 ? null : u32.slice(start, start + u32[this.#counts + number])
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
    const values = this.#column(this.#instance.constants.column[column])
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
   * @param {string | null} conllu null: it can be made from the columns
   * @returns {DocData}
   */
  finish(text, conllu) {
    const { start, end, sentenceStart, ...columns } = mapValues(this.#pieces, concat)
    const sentences = []
    sentenceStart?.forEach((starts, i) => {
      if (starts) sentences.push(i)
    })
    return {
      text,
      strings: this.#strings,
      ...columns,
      start: start ?? new Uint32Array(),
      end: end ?? new Uint32Array(),
      sentences: Uint32Array.from(sentences),
      ...mapValues(ROW_COLUMNS, (_, name) => (this.#rows[name] ? mapValues(this.#rows[name], concat) : null)),
      units: conllu === null ? mapValues(this.#units, (values) => Uint32Array.from(values)) : null,
      conllu,
    }
  }
}

function mapValues(object, change) {
  const changed = {}
  for (const key in object) changed[key] = change(object[key], key)
  return changed
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
