// What can be annotated: a text, tokens, CoNLL-U, JSON Lines. C gets bytes and the name of their kind.

import { invalidArgument } from './errors.js'

const isTextual = (value) => typeof value === 'string' || value instanceof Uint8Array

// What would end a column or a line of CoNLL-U.
const BREAKS_COLUMN = /[\t\n\v\f\r\x85\u2028\u2029]/

/**
 * @param {unknown} input
 * @param {{ lines?: boolean }} [options] lines: JSON Lines are welcome too, which are many texts
 * @returns {{ kind: 'TEXT' | 'CONLLU' | 'CONLLU_TOKENS' | 'JSONL', content: string | Uint8Array }}
 */
export function readInput(input, { lines = false } = {}) {
  if (isTextual(input)) return { kind: 'TEXT', content: input }
  if (input && typeof input === 'object') {
    const [name, ...others] = ['text', 'tokens', 'conllu', 'jsonl'].filter((name) => input[name] !== undefined)
    if (name !== undefined && others.length === 0 && (lines || name !== 'jsonl')) {
      const content = input[name]
      if (name === 'tokens') return { kind: 'CONLLU_TOKENS', content: conlluOfTokens(content) }
      if (isTextual(content)) {
        return { kind: name === 'conllu' && input.keepColumns === false ? 'CONLLU_TOKENS' : name.toUpperCase(), content }
      }
    }
  }
  throw invalidArgument('annotate takes a string, { tokens: [...] } or { conllu: string }')
}

/**
 * CoNLL-U with nothing but forms: what C takes for given tokens.
 *
 * @param {unknown} tokens one sentence, or a list of sentences; a token is a string or
 *     { form, spaceAfter?, words? }
 */
function conlluOfTokens(tokens) {
  if (!Array.isArray(tokens)) throw invalidArgument('tokens must be an array of tokens or of sentences')
  const sentences = tokens.length > 0 && tokens.every(Array.isArray) ? tokens : [tokens]
  const lines = []
  for (const sentence of sentences) {
    if (sentence.length === 0) {
      if (sentences.length === 1) continue
      throw invalidArgument('a sentence must have a token')
    }
    let id = 1
    for (const token of sentence) {
      const { form, spaceAfter = true, words = null } = typeof token === 'string' ? { form: token } : token ?? {}
      const misc = spaceAfter ? '_' : 'SpaceAfter=No'
      if (words === null) {
        lines.push(line(id++, form, misc))
      } else {
        if (!Array.isArray(words) || words.length < 2) {
          throw invalidArgument(`the words of token '${form}' must be an array of two or more`)
        }
        lines.push(line(`${id}-${id + words.length - 1}`, form, misc))
        for (const word of words) lines.push(line(id++, word, '_'))
      }
    }
    lines.push('')
  }
  return lines.length > 0 ? `${lines.join('\n')}\n` : ''
}

function line(id, form, misc) {
  if (typeof form !== 'string' || form === '' || BREAKS_COLUMN.test(form)) {
    throw invalidArgument(`${JSON.stringify(form)} cannot be a token: a token is a string without tabs and line breaks`)
  }
  return `${id}\t${form}\t_\t_\t_\t_\t_\t_\t_\t${misc}`
}
