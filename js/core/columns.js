// The columns of a document, copied once out of the module: plain data that can cross to another
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
 * @property {{ first: number, last: number, start: number, end: number, form: number }[] | null} ranges
 * @property {{ first: number, last: number, label: number, score: number }[] | null} entities
 * @property {{ group: number, first: number, last: number, label: number, score: number }[] | null} spans
 * @property {{ label: number, score: number }[] | null} cats
 * @property {Uint32Array | null} units of a text, the parts that were annotated one after another, four numbers each: the
 *     words up to its end, its start and end in the text, and 1 where a paragraph starts
 * @property {string | null} conllu of given tokens: the same as CoNLL-U, with what else theirs had
 */

// The columns of words as C names them, in the order of DocData; NUMBERS are those whose values are no strings.
const WORD_COLUMNS = ['START', 'END', 'FORM', 'LEMMA', 'UPOS', 'XPOS', 'FEATS', 'HEAD', 'DEPREL']
const NUMBERS = new Set(['START', 'END', 'HEAD'])

// Columns of rows: the C column, the group of constants that numbers a row's fields, and a row read from memory. `words` is
// how many words there are before the unit, `string` gives the document's number of a string.
const ROW_COLUMNS = [
  { column: 'RANGES', group: 'range', read: (u32, at, field, words, string) => ({
    first: words + u32[at + field.FIRST],
    last: words + u32[at + field.LAST],
    start: u32[at + field.START],
    end: u32[at + field.END],
    form: string(u32[at + field.FORM]),
  }) },
  { column: 'ENTITIES', group: 'entity', read: (u32, at, field, words, string) => ({
    first: words + u32[at + field.FIRST],
    last: words + u32[at + field.LAST],
    label: string(u32[at + field.LABEL]),
    score: floatOf(u32[at + field.SCORE]),
  }) },
  { column: 'SPANS', group: 'span', read: (u32, at, field, words, string) => ({
    group: string(u32[at + field.GROUP]),
    first: words + u32[at + field.FIRST],
    last: words + u32[at + field.LAST],
    label: string(u32[at + field.LABEL]),
    score: floatOf(u32[at + field.SCORE]),
  }) },
  { column: 'CATS', group: 'cat', read: (u32, at, field, _words, string) => ({
    label: string(u32[at + field.LABEL]),
    score: floatOf(u32[at + field.SCORE]),
  }) },
]

const CATS = 3

const asFloat = new Float32Array(1)
const asBits = new Uint32Array(asFloat.buffer)

function floatOf(bits) {
  asBits[0] = bits
  return asFloat[0]
}

const itself = (number) => number

// Found out once, since texts are short.
/** Where the module keeps the columns of an annotator's units, which stays the same. */
export class ColumnTable {
  /** @param {import('./instance.js').Instance} instance @param {number} annotator */
  constructor(instance, annotator) {
    const { column, unit } = instance.constants
    this.instance = instance
    this.annotator = annotator
    const addresses = instance.pointer('onenlp_column_table', annotator, instance.resultAt(0)) >>> 2
    // Places in memory, as numbers of 32-bit words.
    this.words = WORD_COLUMNS.map((name) => addresses + column[name])
    this.rows = ROW_COLUMNS.map(({ column: name }) => addresses + column[name])
    this.counts = instance.result(0) >>> 2
    this.count = this.counts + column.START
    this.sentenceStart = addresses + column.SENTENCE_START
    this.units = addresses + column.UNIT
    this.unitCount = this.counts + column.UNIT
    this.fields = unit
  }
}

/** Collects the units of one text. Most texts are short and come at once, so that nothing is copied twice. */
export class DocBuilder {
  #table
  #words = 0
  #sentences = []
  #strings = [null]
  // The document's numbers of the strings in the module's table, and of all strings; null as long as the table is the
  // first one, whose numbers are the document's.
  #numbers = null
  #numberOf = null
  // By the place in WORD_COLUMNS: null, the column of the only units so far, or a list of pieces.
  #pieces = []
  // By the place in ROW_COLUMNS: null, or a list.
  #rows = [null, null, null, null]
  // Four numbers for each unit: see DocData.
  #units = []
  /** Whether nothing of the text is left after the last unit. */
  isWhole = false

  /** @param {ColumnTable} table */
  constructor(table) {
    this.#table = table
  }

  /** Copies the units that onenlp_next has just made. */
  addUnits() {
    const table = this.#table
    const u32 = table.instance.u32
    const fields = table.fields
    const first = u32[table.units] >>> 2
    const end = first + u32[table.unitCount]
    const numbers = this.#readStrings(u32[first + fields.STRINGS_KEPT])
    const count = u32[table.count]
    for (let c = 0; c < WORD_COLUMNS.length; c++) {
      const at = u32[table.words[c]] >>> 2
      const values = at === 0 ? null : u32.slice(at, at + count)
      if (numbers !== null && values !== null && !NUMBERS.has(WORD_COLUMNS[c])) {
        for (let i = 0; i < count; i++) values[i] = numbers[values[i]]
      }
      // Units without words have nothing to keep.
      if (this.#words === 0) this.#pieces[c] = values
      else this.#add(c, values, count)
    }
    this.#addSentences(u32[table.sentenceStart] >>> 2, count)
    for (let r = 0; r < ROW_COLUMNS.length; r++) {
      const at = u32[table.rows[r]] >>> 2
      if (at !== 0) this.#addRows(r, at, u32, numbers)
    }
    for (let at = first; at < end; at += fields.ROW) {
      this.#units.push(this.#words + u32[at + fields.WORDS], u32[at + fields.START], u32[at + fields.END],
        u32[at + fields.PARAGRAPH])
    }
    this.#words += count
    this.isWhole = u32[end - fields.ROW + fields.LAST] !== 0
  }

  // Searched by the engine's own code: a loop over the words would be interpreted at first.
  #addSentences(at, count) {
    const starts = this.#table.instance.u32.subarray(at, at + count)
    for (let i = starts.indexOf(1); i >= 0; i = starts.indexOf(1, i + 1)) this.#sentences.push(this.#words + i)
  }

  /** Takes the strings that are new; for each in the table, its number in the document, or null where it is the same. */
  #readStrings(kept) {
    const { instance, annotator } = this.#table
    const start = instance.strings(annotator)
    const count = instance.result(1)
    const u32 = instance.u32
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

  #add(c, values, count) {
    const pieces = this.#pieces[c]
    if (pieces === null && values === null) return
    // A column that another unit does not have is "not set" there.
    const list = Array.isArray(pieces) ? pieces : [pieces ?? new Uint32Array(this.#words)]
    list.push(values ?? new Uint32Array(count))
    this.#pieces[c] = list
  }

  #addRows(r, start, u32, numbers) {
    // Categories are those of the whole text so far: the last unit's count.
    const rows = (this.#rows[r] === null || r === CATS ? (this.#rows[r] = []) : this.#rows[r])
    const { column, group, read } = ROW_COLUMNS[r]
    const { constants } = this.#table.instance
    const end = start + u32[this.#table.counts + constants.column[column]]
    const field = constants[group]
    const string = numbers === null ? itself : (number) => numbers[number]
    for (let at = start; at < end; at += field.ROW) rows.push(read(u32, at, field, this.#words, string))
  }

  /**
   * @param {string} text
   * @param {string | null} conllu null: it can be made from the columns
   * @returns {DocData}
   */
  finish(text, conllu) {
    const pieces = this.#pieces
    const rows = this.#rows
    return {
      text,
      strings: this.#strings,
      start: concat(pieces[0]) ?? new Uint32Array(),
      end: concat(pieces[1]) ?? new Uint32Array(),
      sentences: wordsOf(this.#sentences),
      form: concat(pieces[2]),
      lemma: concat(pieces[3]),
      upos: concat(pieces[4]),
      xpos: concat(pieces[5]),
      feats: concat(pieces[6]),
      head: concat(pieces[7]),
      deprel: concat(pieces[8]),
      ranges: rows[0],
      entities: rows[1],
      spans: rows[2],
      cats: rows[3],
      units: conllu === null ? wordsOf(this.#units) : null,
      conllu,
    }
  }
}

/** A list of numbers as an array of 32 bits; an array made from the list itself takes several times as long. */
function wordsOf(list) {
  const words = new Uint32Array(list.length)
  for (let i = 0; i < list.length; i++) words[i] = list[i]
  return words
}

/** One column of pieces, which are none, one or a list. */
function concat(pieces = null) {
  if (!Array.isArray(pieces)) return pieces
  if (pieces.length === 1) return pieces[0]
  const all = new Uint32Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
