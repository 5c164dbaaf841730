// Tokens, sentences and Penn tags; it has stemmers, which are no lemmatizers, so it does less here.
import { createRequire } from 'node:module'

export function prepare() {
  const require = createRequire(import.meta.url)
  return () => {
    const natural = require('natural')
    const lexicon = new natural.Lexicon('EN', 'N', 'NNP')
    const tagger = new natural.BrillPOSTagger(lexicon, new natural.RuleSet('EN'))
    const words = new natural.TreebankWordTokenizer()
    const split = new natural.SentenceTokenizer([])
    return {
      annotate(text) {
        const sentences = split.tokenize(text)
        let tokens = 0
        for (const sentence of sentences) {
          const tagged = tagger.tag(words.tokenize(sentence)).taggedWords
          tokens += tagged.map(({ tag }) => tag).length
        }
        return { tokens, sentences: sentences.length }
      },
    }
  }
}
