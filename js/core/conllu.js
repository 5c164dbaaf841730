// CoNLL-U of an annotated text, out of its columns: made when somebody asks for it, since most never do. Byte for
// byte what src/format/conllu_write_doc.c writes (tests compare the two on every hard text).

const BREAKS_COLUMN = /[\t\n\v\f\r\x85\u2028\u2029]/g
const LINE_BREAK = /\r\n|[\n\v\f\r\x85\u2028\u2029]/g
const ESCAPES = { ' ': '\\s', '\t': '\\t', '\r': '\\r', '\n': '\\n', '|': '\\p', '\\': '\\\\' }

const clean = (string) => (string ? string.replace(BREAKS_COLUMN, ' ') : '_')
const escaped = (string) => string.replace(/[ \t\r\n|\\]/g, (char) => ESCAPES[char])

/** @param {import('./columns.js').DocData} data of a text; documents of given tokens bring their own CoNLL-U */
export function writeConllu(data) {
  return new Writer(data).write()
}

class Writer {
  #data
  #text
  /** Each string of the table, fit for a column. */
  #strings
  #range = 0
  #entity = 0
  /** What the next surface token's SpacesBefore must hold. */
  #before = ''
  #lines = []

  constructor(data) {
    this.#data = data
    // UTF-8 cannot hold a lone surrogate.
    this.#text = data.text.replace(/\p{Surrogate}/gu, '\ufffd')
    this.#strings = data.strings.map(clean)
  }

  write() {
    const { start, sentences, units } = this.#data
    const count = start.length
    let sentence = 0
    for (let at = 0; at < units.length; at += 4) {
      const [end, unitStart, unitEnd] = units.subarray(at, at + 3)
      let newParagraph = units[at + 3]
      if (sentence < sentences.length && sentences[sentence] < end) {
        this.#before = this.#text.slice(unitStart, start[sentences[sentence]])
      }
      for (; sentence < sentences.length && sentences[sentence] < end; sentence++) {
        const last = sentence + 1 < sentences.length ? sentences[sentence + 1] : count
        if (newParagraph) this.#lines.push('# newpar')
        newParagraph = 0
        this.#lines.push(`# sent_id = ${sentence + 1}`)
        this.#addSentence(sentences[sentence], last, end, unitEnd)
        this.#lines.push('')
      }
    }
    return this.#lines.length > 0 ? `${this.#lines.join('\n')}\n` : ''
  }

  #addSentence(first, last, unitLast, unitEnd) {
    const { start, end, ranges, entities } = this.#data
    const text = this.#text
    this.#lines.push(`# text = ${text.slice(start[first], end[last - 1]).replace(LINE_BREAK, ' ')}`)
    let rangeEnd = first
    for (let i = first; i < last; i++) {
      let from = start[i]
      let to = end[i]
      const misc = []
      while (ranges?.[this.#range]?.first < i) this.#range++
      const range = ranges?.[this.#range]
      if (range?.first === i && i >= rangeEnd) {
        if (range.last - i > 1 && range.last <= last) {
          this.#addRange(range, first, unitLast, unitEnd)
          rangeEnd = range.last
        } else {
          from = range.start
          to = range.end
        }
      }
      const surface = text.slice(from, to)
      const form = this.#formOf(i)
      if (i >= rangeEnd) {
        if (form !== surface) misc.push(`SpacesInToken=${escaped(surface)}`)
        this.#addSpaces(misc, to, i + 1, unitLast, unitEnd)
      }
      if (entities) this.#addEntity(misc, i)
      this.#lines.push(`${i - first + 1}\t${form}\t${this.#columnsOf(i)}\t_\t${misc.join('|') || '_'}`)
    }
  }

  #addRange(range, first, unitLast, unitEnd) {
    const surface = this.#text.slice(range.start, range.end)
    const form = this.#strings[range.form]
    const misc = form === surface ? [] : [`SpacesInToken=${escaped(surface)}`]
    this.#addSpaces(misc, range.end, range.last, unitLast, unitEnd)
    const id = `${range.first - first + 1}-${range.last - first}`
    this.#lines.push(`${id}\t${form}\t_\t_\t_\t_\t_\t_\t_\t${misc.join('|') || '_'}`)
  }

  #formOf(i) {
    const { form, start, end } = this.#data
    const number = form === null ? 0 : form[i]
    return number ? this.#strings[number] : clean(this.#text.slice(start[i], end[i]))
  }

  #columnsOf(i) {
    const { lemma, upos, xpos, feats, head, deprel } = this.#data
    const of = (column) => (column === null ? '_' : this.#strings[column[i]])
    return `${of(lemma)}\t${of(upos)}\t${of(xpos)}\t${of(feats)}\t${head === null ? '_' : head[i]}\t${of(deprel)}`
  }

  /** What stands around the surface token that ends at `end`; `next` is the first word behind it. */
  #addSpaces(misc, end, next, unitLast, unitEnd) {
    if (this.#before) misc.push(`SpacesBefore=${escaped(this.#before)}`)
    this.#before = ''
    const gap = this.#text.slice(end, next < unitLast ? this.#data.start[next] : unitEnd)
    if (gap === ' ') return
    // "SpacesAfter=No" reads as the slip for SpaceAfter=No that it mostly is.
    if (gap === 'No' && next < unitLast) this.#before = gap
    misc.push(gap === '' || (gap === 'No' && next < unitLast) ? 'SpaceAfter=No' : `SpacesAfter=${escaped(gap)}`)
  }

  #addEntity(misc, i) {
    const { entities } = this.#data
    while (entities[this.#entity]?.last <= i) this.#entity++
    const entity = entities[this.#entity]
    if (!entity || entity.first > i) return
    misc.push(`NER=${entity.first === i ? 'B' : 'I'}-${escaped(this.#data.strings[entity.label])}`)
  }
}
