// onenlp/formats: CoNLL-U and JSON Lines without a pipeline, over the same C code.

import { Doc } from '../core/doc.js'
import { align, convert, evaluate, evaluateJsonl } from '../core/formats.js'
import { utf8 } from '../core/instance.js'
import { jsonOf } from './document.js'
import { convertPieces, readDocuments, writeConllu, writeJsonl } from './stream.js'

/** CoNLL-U as it is, or a document as JSON. */
function alignable(document) {
  if (typeof document === 'string' || document instanceof Uint8Array) return { content: document, format: 'conllu' }
  if (document instanceof Doc) return { content: document.toConllu(), format: 'conllu' }
  return { content: jsonOf(document), format: 'jsonl' }
}

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
     * The same for content that comes in pieces, or is too large to hold: pieces of UTF-8, as they are asked for.
     *
     * @param {unknown} content a string, bytes, a Blob, a Response, a ReadableStream, an iterable of strings or bytes, or a
     *     promise of one
     * @param {{ from?: 'conllu' | 'jsonl', to?: 'conllu' | 'jsonl' | 'text' | 'treebank-text', misaligned?: 'error' | 'skip',
     *     signal?: AbortSignal, wasm?: unknown }} [options]
     * @returns {AsyncGenerator<Uint8Array>}
     */
    convertStream: (content, options) => convertPieces(instanceOf, content, options),

    /**
     * The sentences of CoNLL-U, one after another, as they are asked for.
     *
     * @param {unknown} content as for convertStream
     * @param {{ signal?: AbortSignal, wasm?: unknown }} [options]
     * @returns {AsyncGenerator<object>}
     */
    readConllu: (content, options) => readDocuments(instanceOf, content, options, 'conllu'),

    /**
     * The documents of JSON Lines.
     *
     * @param {unknown} content as for convertStream
     * @param {{ misaligned?: 'error' | 'skip', signal?: AbortSignal, wasm?: unknown }} [options] misaligned: what becomes
     *     of entities and spans whose edges are no token boundaries
     * @returns {AsyncGenerator<object>}
     */
    readJsonl: (content, options) => readDocuments(instanceOf, content, options, 'jsonl'),

    /**
     * Documents as CoNLL-U, in pieces of UTF-8: what readConllu gave comes out as it was.
     *
     * @param {Iterable<object> | AsyncIterable<object>} documents
     * @param {{ signal?: AbortSignal, wasm?: unknown }} [options]
     * @returns {AsyncGenerator<Uint8Array>}
     */
    writeConllu: (documents, options) => writeConllu(instanceOf, documents, options),

    /**
     * Documents as JSON Lines, in pieces of UTF-8.
     *
     * @param {Iterable<object> | AsyncIterable<object>} documents
     * @param {{ signal?: AbortSignal, wasm?: unknown }} [options]
     * @returns {AsyncGenerator<Uint8Array>}
     */
    writeJsonl: (documents, options) => writeJsonl(instanceOf, documents, options),

    /**
     * Aligns two documents of one text that are tokenized differently.
     *
     * @param {string | Uint8Array | object} predicted CoNLL-U (all sentences are one document), a Doc, or plain JSON
     * @param {string | Uint8Array | object} reference
     * @param {{ wasm?: unknown }} [options]
     */
    async align(predicted, reference, options = {}) {
      const { to_reference, to_predicted, ...others } =
        JSON.parse(align(await instanceOf(options), alignable(predicted), alignable(reference)))
      return {
        toReference: to_reference,
        toPredicted: to_predicted,
        ...others,
        get: (column) => to_reference.map((token) => (token === null ? null : column[token] ?? null)),
      }
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
