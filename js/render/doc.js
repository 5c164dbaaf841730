// A document as plain JSON, seen as sentences of words: what all drawings start from. The JSON is
// that of `doc.toJSON()` and `onenlp annotate -o json`; docs/render.md describes it.

/**
 * @typedef {object} Word
 * @property {number} [index] its number in the document, from 0
 * @property {number} [id] its ID in the sentence, from 1
 * @property {string} form
 * @property {string} [text] the part of the text that it stands for
 * @property {number} [start] UTF-16 offsets in the document's text
 * @property {number} [end]
 * @property {string | null} [lemma]
 * @property {string | null} [upos]
 * @property {string | null} [xpos]
 * @property {string | null} [feats]
 * @property {number | null} [head] the ID of its head in the sentence, 0 for a root
 * @property {string | null} [deprel]
 * @property {string | null} [misc]
 *
 * @typedef {object} MultiwordToken
 * @property {number} first its words [first, last), as numbers in the sentence from 0
 * @property {number} last
 * @property {string} form the surface form
 *
 * @typedef {object} Sentence
 * @property {Word[]} words
 * @property {MultiwordToken[]} [ranges]
 * @property {string} [text]
 * @property {number} [index] its number in the document, from 0
 * @property {number} [start]
 * @property {number} [end]
 */

export const WORD_COLUMNS = ['lemma', 'upos', 'xpos', 'feats', 'head', 'deprel', 'misc']

/**
 * The sentences of a document.
 *
 * @param {Record<string, any>} doc
 * @returns {Sentence[]}
 */
export function sentencesOf(doc) {
  const { text = '', tokens = [], form, word_token: tokenOf } = doc
  const count = form?.length ?? tokens.length
  const bounds = doc.sentences?.length > 0 ? doc.sentences : count > 0 ? [[0, count]] : []
  const ranges = doc.ranges ?? []
  let range = 0
  return bounds.map(([first, last], index) => {
    const words = []
    for (let i = first; i < last && i < count; i++) {
      const [start, end] = tokens[tokenOf ? tokenOf[i] : i] ?? []
      const word = { index: i, id: i - first + 1, form: form?.[i] ?? text.slice(start, end), text: text.slice(start, end), start, end }
      for (const name of WORD_COLUMNS) if (doc[name]) word[name] = doc[name][i] ?? null
      words.push(word)
    }
    const own = []
    while (range < ranges.length && ranges[range][0] < last) {
      const [from, to, surface] = ranges[range++]
      if (from >= first) own.push({ first: from - first, last: to - first, form: surface })
    }
    const start = words[0]?.start ?? 0
    const end = words.at(-1)?.end ?? start
    return { index, first, last, start, end, text: text.slice(start, end), words, ranges: own }
  })
}

/** A sentence whatever the caller has: a sentence, its words, or a document, whose first one it is. */
export function sentenceOf(value) {
  const sentence = Array.isArray(value) ? { words: value } : value?.words ? value : sentencesOf(value)[0] ?? { words: [] }
  return sentence.ranges ? sentence : { ...sentence, ranges: [] }
}

/** For every word the number of its head, from 0; -1 for a root, null where there is none that could be drawn. */
export function headsOf(words) {
  return words.map(({ head }, i) => {
    if (!Number.isInteger(head) || head < 0 || head > words.length || head === i + 1) return null
    return head - 1
  })
}

/** For every word the numbers of those that depend on it, in order. */
export function dependentsOf(heads) {
  const dependents = heads.map(() => [])
  heads.forEach((head, i) => {
    if (head !== null && head >= 0) dependents[head].push(i)
  })
  return dependents
}

/** The word and all that depend on it, directly or not, in order. */
export function subtreeOf(heads, word) {
  const dependents = dependentsOf(heads)
  const seen = new Set([word])
  for (const i of seen) for (const dependent of dependents[i]) seen.add(dependent)
  return [...seen].sort((a, b) => a - b)
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/gu
const LETTER = /\p{L}/gu

/** 'rtl' where most letters run from right to left, else 'ltr'. A name in Latin letters at the start does not turn a text. */
export function directionOf(text) {
  const right = text.match(RIGHT_TO_LEFT)?.length ?? 0
  return right > 0 && right * 2 >= (text.match(LETTER)?.length ?? 0) ? 'rtl' : 'ltr'
}

export const textOfSentence = (sentence) => sentence.text || sentence.words.map((word) => word.form).join(' ')
