// onenlp/formats: CoNLL-U and JSON Lines without a pipeline, over the same C code.

import { convert, evaluate, evaluateJsonl } from '../core/formats.js'
import { utf8 } from '../core/instance.js'

/** @param {{ createInstance: (options?: { wasm?: unknown }) => Promise<import('../core/instance.js').Instance> }} api */
export function createFormats({ createInstance }) {
  /** One instance serves all calls with the package's own module; one that failed is replaced. */
  let own = null

  function instanceOf({ wasm } = {}) {
    if (wasm !== undefined) return createInstance({ wasm })
    own = Promise.resolve(own).then((instance) => (instance && !instance.failure ? instance : createInstance()))
    own.catch(() => (own = null))
    return own
  }

  return {
    /**
     * Reads CoNLL-U or JSON Lines, checking all of it, and writes one of them, the text that it
     * describes ('text'), or the raw text of a treebank ('treebank-text').
     *
     * @param {string | Uint8Array} content
     * @param {{ from?: 'conllu' | 'jsonl', to?: 'conllu' | 'jsonl' | 'text' | 'treebank-text', wasm?: unknown }} [options]
     * @returns {Promise<string>}
     */
    async convert(content, options = {}) {
      return utf8.decode(convert(await instanceOf(options), content, options))
    },

    /**
     * The CoNLL 2018 scores of `predicted` against `gold`, both CoNLL-U.
     *
     * @param {string | Uint8Array} gold
     * @param {string | Uint8Array} predicted
     * @param {{ wasm?: unknown }} [options]
     */
    async evaluate(gold, predicted, options = {}) {
      return JSON.parse(evaluate(await instanceOf(options), gold, predicted, 'JSON'))
    },

    /**
     * The scores of entities, categories and spans of `predicted` against `gold`, both JSON Lines.
     *
     * @param {string | Uint8Array} gold
     * @param {string | Uint8Array} predicted
     * @param {{ wasm?: unknown }} [options]
     */
    async evaluateJsonl(gold, predicted, options = {}) {
      return JSON.parse(evaluateJsonl(await instanceOf(options), gold, predicted, 'JSON'))
    },
  }
}
