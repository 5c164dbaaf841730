// This project's module in a JavaScript runtime. Settings: wasm, model (paths), components (names; absent: all).
import { readFileSync } from 'node:fs'

import { createApi } from '../../js/core/api.js'

export async function prepare({ wasm, model, components }) {
  const bytes = { wasm: readFileSync(wasm), model: readFileSync(model) }
  const options = components ? { components } : undefined
  return async () => {
    const nlp = await createApi({ wasm: () => bytes.wasm }).loadPipeline(bytes.model)
    // What the file's bytes were read into is not this system's to keep.
    bytes.wasm = bytes.model = null
    const has = (kind) => nlp.components.some((component) => component.kind === kind && (!components || components.includes(component.name)))
    const full = has('parser')
    return {
      annotate(text) {
        const doc = nlp.annotate(text, options)
        // As a program would: every string that the comparison is about.
        const upos = doc.tokens.map((token) => token.upos)
        const lemmas = doc.tokens.map((token) => token.lemma)
        const sentences = doc.sentences.map((sentence) => sentence.text)
        if (full) {
          doc.tokens.map((token) => token.feats)
          doc.tokens.map((token) => token.head)
          doc.tokens.map((token) => token.deprel)
          doc.entities.map((entity) => entity.text)
        }
        return { tokens: Math.min(upos.length, lemmas.length), sentences: sentences.length }
      },
      conllu: (text) => nlp.annotate(text, options).toConllu(),
    }
  }
}
