// Its tags are its own: mapped to UPOS for the evaluation as far as they go.
import { createRequire } from 'node:module'

import { conlluOf } from './columns.mjs'

const UPOS = [
  ['Auxiliary', 'AUX'], ['Copula', 'AUX'], ['Modal', 'AUX'], ['ProperNoun', 'PROPN'], ['Pronoun', 'PRON'], ['Possessive', 'PRON'],
  ['Determiner', 'DET'], ['Preposition', 'ADP'], ['Conjunction', 'CCONJ'], ['Value', 'NUM'], ['Adjective', 'ADJ'],
  ['Adverb', 'ADV'], ['Negative', 'PART'], ['Verb', 'VERB'], ['Noun', 'NOUN'], ['Expression', 'INTJ'],
]
const upos = (tags) => UPOS.find(([tag]) => tags.has(tag))?.[1] ?? 'X'

export function prepare() {
  const require = createRequire(import.meta.url)
  return () => {
    const nlp = require('compromise')
    return {
      annotate(text) {
        const doc = nlp(text)
        doc.compute('root')
        let tokens = 0
        for (const sentence of doc.document) {
          tokens += sentence.map((term) => upos(term.tags)).length
          sentence.map((term) => term.root ?? term.normal)
        }
        return { tokens, sentences: doc.document.length }
      },
      conllu(text) {
        const doc = nlp(text)
        doc.compute('root')
        // Punctuation is no token of its own here: it is written as one, so that the texts agree.
        const pieces = (string) => [...string.replace(/\s/g, '')].map((form) => ({ form, lemma: form, upos: 'PUNCT' }))
        return conlluOf(doc.document.map((sentence) => sentence.flatMap((term) => [
          ...pieces(term.pre),
          ...(term.text ? [{ form: term.text, lemma: term.root ?? term.normal, upos: upos(term.tags) }] : []),
          ...pieces(term.post),
        ])))
      },
    }
  }
}
