import { createRequire } from 'node:module'

import { conlluOf } from './columns.mjs'

export function prepare() {
  const require = createRequire(import.meta.url)
  return () => {
    const nlp = require('wink-nlp')(require('wink-eng-lite-web-model'), ['sbd', 'pos'])
    const { its } = nlp
    return {
      annotate(text) {
        const doc = nlp.readDoc(text)
        const upos = doc.tokens().out(its.pos)
        const lemmas = doc.tokens().out(its.lemma)
        const sentences = doc.sentences().out()
        return { tokens: Math.min(upos.length, lemmas.length), sentences: sentences.length }
      },
      conllu(text) {
        const sentences = []
        nlp.readDoc(text).sentences().each((sentence) => {
          const tokens = sentence.tokens()
          const forms = tokens.out()
          const lemmas = tokens.out(its.lemma)
          const tags = tokens.out(its.pos)
          sentences.push(forms
            .map((form, i) => ({ form, lemma: lemmas[i], upos: tags[i] }))
            .filter(({ form, upos }) => form.trim() !== '' && upos !== 'SPACE'))
        })
        return conlluOf(sentences)
      },
    }
  }
}
