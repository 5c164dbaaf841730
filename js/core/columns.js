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

// The columns of words: the name in DocData, the C column, and whether its numbers are those of strings.
const WORD_COLUMNS = [
  ['start', 'START', false], ['end', 'END', false], ['form', 'FORM', true], ['lemma', 'LEMMA', true], ['upos', 'UPOS', true],
  ['xpos', 'XPOS', true], ['feats', 'FEATS', true], ['head', 'HEAD', false], ['deprel', 'DEPREL', true],
]

// Columns of rows: the C column, the group of constants that numbers a row's fields, and the fields by type.
const ROW_COLUMNS = {
  ranges: { column: 'RANGES', row: 'range', words: ['first', 'last'], numbers: ['start', 'end'], strings: ['form'], floats: [] },
  entities: { column: 'ENTITIES', row: 'entity', words: ['first', 'last'], numbers: [], strings: ['label'], floats: ['score'] },
  spans: { column: 'SPANS', row: 'span', words: ['first', 'last'], numbers: [], strings: ['group', 'label'], floats: ['score'] },
  cats: { column: 'CATS', row: 'cat', words: [], numbers: [], strings: ['label'], floats: ['score'] },
}

/** Collects the units of one text. Most texts are short and have one unit, so that one is not copied twice. */
export class DocBuilder {
  #instance
  #annotator
  // Where the module keeps the addresses and the lengths of a unit's columns.
  #addresses
  #counts
  #words = 0
  #sentences = []
  #strings = [null]
  // Made for the second unit: before that, the numbers of the first one are the document's.
  #numberOf = null
  // Columns by name, and columns of rows by name and field: pieces, one a unit.
  #pieces = {}
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
    const { u32, constants: { column: numberOf } } = this.#instance
    const count = u32[this.#counts + numberOf.START]
    for (const [name, column, isString] of WORD_COLUMNS) {
      const values = this.#column(u32, numberOf[column])
      if (values && isString && numbers) for (let i = 0; i < values.length; i++) values[i] = numbers[values[i]]
      this.#add(name, values, count)
    }
    for (let i = 0, at = u32[this.#addresses + numberOf.SENTENCE_START] >>> 2; i < count; i++) {
      if (u32[at + i]) this.#sentences.push(this.#words + i)
    }
    for (const name in ROW_COLUMNS) this.#addRows(name, u32, numbers)
    this.#words += count
    this.#addExtent(u32)
  }

  #addExtent(u32) {
    const { column, unit } = this.#instance.constants
    const at = u32[this.#addresses + column.UNIT] >>> 2
    this.#units.last.push(this.#words)
    this.#units.start.push(u32[at + unit.START])
    this.#units.end.push(u32[at + unit.END])
    this.#units.paragraph.push(u32[at + unit.PARAGRAPH])
  }

  /** For each of the unit's strings, its number in the document; null where it is the same. */
  #readStrings() {
    const instance = this.#instance
    const start = instance.pointer('onenlp_strings', this.#annotator, instance.resultAt(0), instance.resultAt(1))
    const count = instance.result(1)
    const strings = this.#strings
    const isFirst = strings.length === 1
    if (count === 0) return null
    const { u32 } = instance
    const ends = instance.result(0) >>> 2
    const size = u32[ends + count - 1]
    const all = instance.string(start, size)
    // Where every character is one byte, the ends are offsets in the decoded text as well.
    const oneByte = all.length === size
    if (!isFirst) this.#numberOf ??= new Map(strings.map((string, i) => [string, i]))
    const numbers = isFirst ? null : new Uint32Array(count + 1)
    for (let i = 0, from = 0; i < count; i++) {
      const end = u32[ends + i]
      const string = oneByte ? all.slice(from, end) : instance.string(start + from, end - from)
      from = end
      if (isFirst) {
        strings.push(string)
        continue
      }
      let number = this.#numberOf.get(string)
      if (number === undefined) {
        number = strings.push(string) - 1
        this.#numberOf.set(string, number)
      }
      numbers[i + 1] = number
    }
    return numbers
  }

  /** A copy of a column by its number in C, or null. */
  #column(u32, number) {
    const start = u32[this.#addresses + number] >>> 2
    return start === 0 ? null : u32.slice(start, start + u32[this.#counts + number])
  }

  #add(name, values, count) {
    let pieces = this.#pieces[name]
    // A column that another unit does not have is "not set" there.
    if (!pieces) {
      if (!values) return
      pieces = this.#pieces[name] = this.#words > 0 ? [new Uint32Array(this.#words)] : []
    }
    pieces.push(values ?? new Uint32Array(count))
  }

  #addRows(name, u32, numbers) {
    const { column, row, words, numbers: plain, strings, floats } = ROW_COLUMNS[name]
    const { constants } = this.#instance
    const start = u32[this.#addresses + constants.column[column]] >>> 2
    if (start === 0) return
    // Categories are those of the whole text so far: the last unit's count.
    if (!this.#rows[name] || name === 'cats') this.#rows[name] = {}
    const length = u32[this.#counts + constants.column[column]]
    if (length === 0) return
    const fields = constants[row]
    const count = length / fields.ROW
    const take = (field, change) => {
      const piece = new Uint32Array(count)
      for (let i = 0, at = start + fields[field.toUpperCase()]; i < count; i++, at += fields.ROW) piece[i] = change(u32[at])
      return piece
    }
    const add = (field, piece) => (this.#rows[name][field] ??= []).push(piece)
    for (const field of words) add(field, take(field, (word) => word + this.#words))
    for (const field of plain) add(field, take(field, (value) => value))
    for (const field of strings) add(field, take(field, (string) => (numbers ? numbers[string] : string)))
    for (const field of floats) add(field, new Float32Array(take(field, (bits) => bits).buffer))
  }

  /**
   * @param {string} text
   * @param {string | null} conllu null: it can be made from the columns
   * @returns {DocData}
   */
  finish(text, conllu) {
    const data = { text, strings: this.#strings }
    for (const [name] of WORD_COLUMNS) data[name] = concat(this.#pieces[name])
    data.start ??= new Uint32Array()
    data.end ??= new Uint32Array()
    data.sentences = Uint32Array.from(this.#sentences)
    for (const name in ROW_COLUMNS) data[name] = this.#finishRows(name)
    data.units = conllu === null ? mapValues(this.#units, (values) => Uint32Array.from(values)) : null
    data.conllu = conllu
    return data
  }

  #finishRows(name) {
    const rows = this.#rows[name]
    if (!rows) return null
    const { words, numbers, strings, floats } = ROW_COLUMNS[name]
    const finished = {}
    for (const field of [...words, ...numbers, ...strings]) finished[field] = concat(rows[field]) ?? new Uint32Array()
    for (const field of floats) finished[field] = concat(rows[field]) ?? new Float32Array()
    return finished
  }
}

function mapValues(object, change) {
  const changed = {}
  for (const key in object) changed[key] = change(object[key], key)
  return changed
}

function concat(pieces = []) {
  if (pieces.length < 2) return pieces[0] ?? null
  const all = new pieces[0].constructor(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
