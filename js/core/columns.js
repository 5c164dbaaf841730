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

// What a column without rows is made of. Many texts have none, and an array of nothing cannot be changed.
const NOTHING = { words: new Uint32Array(), floats: new Float32Array() }

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
  // The document's numbers of the strings in the module's table, and of all strings; null as long as the table is the
  // first one, whose numbers are the document's.
  #numbers = null
  #numberOf = null
  // By the place in WORD_COLUMNS, and by name and field: null, the column of the only unit so far, or a list of pieces.
  #pieces = new Array(WORD_COLUMNS.length).fill(null)
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
    for (let c = 0; c < WORD_COLUMNS.length; c++) {
      const values = this.#column(u32, numberOf[WORD_COLUMNS[c][1]])
      if (values !== null && numbers !== null && WORD_COLUMNS[c][2]) {
        for (let i = 0; i < values.length; i++) values[i] = numbers[values[i]]
      }
      this.#add(c, values, count)
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

  /** Takes the strings that are new; for each in the table, its number in the document, or null where it is the same. */
  #readStrings() {
    const instance = this.#instance
    const start = instance.pointer('onenlp_strings', this.#annotator, instance.resultAt(0), instance.resultAt(1))
    const count = instance.result(1)
    const { u32, constants: { column, unit } } = instance
    const kept = u32[(u32[this.#addresses + column.UNIT] >>> 2) + unit.STRINGS_KEPT]
    const strings = this.#strings
    if (kept === 0 && strings.length > 1) {
      this.#numberOf ??= new Map(strings.map((string, i) => [string, i]))
      this.#numbers = [0]
    }
    if (count === kept) return this.#numbers
    const ends = instance.result(0) >>> 2
    const first = kept > 0 ? u32[ends + kept - 1] : 0
    const size = u32[ends + count - 1] - first
    const all = instance.string(start + first, size)
    // Where every character is one byte, the ends are offsets in the decoded text as well.
    const oneByte = all.length === size
    for (let i = kept, from = first; i < count; i++) {
      const end = u32[ends + i]
      const string = oneByte ? all.slice(from - first, end - first) : instance.string(start + from, end - from)
      from = end
      if (this.#numbers === null) {
        strings.push(string)
        continue
      }
      let number = this.#numberOf.get(string)
      if (number === undefined) {
        number = strings.push(string) - 1
        this.#numberOf.set(string, number)
      }
      this.#numbers.push(number)
    }
    return this.#numbers
  }

  /** A copy of a column by its number in C, or null. */
  #column(u32, number) {
    const start = u32[this.#addresses + number] >>> 2
    return start === 0 ? null : u32.slice(start, start + u32[this.#counts + number])
  }

  #add(c, values, count) {
    const pieces = this.#pieces[c]
    if (this.#words === 0) {
      // Units without words have nothing to keep.
      this.#pieces[c] = values
    } else if (pieces !== null || values !== null) {
      // A column that another unit does not have is "not set" there.
      const list = Array.isArray(pieces) ? pieces : [pieces ?? new Uint32Array(this.#words)]
      list.push(values ?? new Uint32Array(count))
      this.#pieces[c] = list
    }
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
    for (let c = 0; c < WORD_COLUMNS.length; c++) data[WORD_COLUMNS[c][0]] = concat(this.#pieces[c])
    data.start ??= new Uint32Array()
    data.end ??= new Uint32Array()
    data.sentences = wordsOf(this.#sentences)
    for (const name in ROW_COLUMNS) data[name] = this.#finishRows(name)
    const { last, start, end, paragraph } = this.#units
    data.units = conllu !== null ? null
      : { last: wordsOf(last), start: wordsOf(start), end: wordsOf(end), paragraph: wordsOf(paragraph) }
    data.conllu = conllu
    return data
  }

  #finishRows(name) {
    const rows = this.#rows[name]
    if (!rows) return null
    const { words, numbers, strings, floats } = ROW_COLUMNS[name]
    const finished = {}
    for (const fields of [words, numbers, strings]) {
      for (const field of fields) finished[field] = concat(rows[field]) ?? NOTHING.words
    }
    for (const field of floats) finished[field] = concat(rows[field]) ?? NOTHING.floats
    return finished
  }
}

/** A list of numbers as an array of 32 bits; an array made from the list itself takes several times as long. */
function wordsOf(list) {
  const words = new Uint32Array(list.length)
  for (let i = 0; i < list.length; i++) words[i] = list[i]
  return words
}

/** One column of pieces, which are null, one or a list. */
function concat(pieces = null) {
  if (!Array.isArray(pieces)) return pieces
  if (pieces.length === 1) return pieces[0]
  const all = new pieces[0].constructor(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
