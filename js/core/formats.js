// Formats and scores, over the C code and without a pipeline.

import { OnenlpError, invalidArgument } from './errors.js'
import { utf8 } from './instance.js'

const FORMATS = { conllu: 'CONLLU', text: 'PLAIN_TEXT', 'treebank-text': 'TREEBANK_TEXT', jsonl: 'JSONL' }

function formatOf(instance, name, what) {
  if (Object.hasOwn(FORMATS, name)) return instance.constants.format[FORMATS[name]]
  throw invalidArgument(`${what} is '${name}', want one of ${Object.keys(FORMATS).join(', ')}`)
}

/** Runs `use` with the addresses and sizes of the inputs' bytes in the module. */
export function withBytes(instance, inputs, use) {
  const blocks = []
  try {
    for (const input of inputs) {
      if (typeof input === 'string') blocks.push(instance.allocString(input))
      else if (input instanceof Uint8Array) blocks.push([instance.allocBytes(input), input.length])
      else throw invalidArgument('the content must be a string or bytes')
    }
    return use(...blocks.flat())
  } finally {
    if (!instance.failure) for (const [block] of blocks) instance.free(block)
  }
}

/**
 * @param {import('./instance.js').Instance} instance
 * @param {string | Uint8Array} content
 * @param {{ from?: 'conllu' | 'jsonl', to?: 'conllu' | 'jsonl' | 'text' | 'treebank-text' }} options
 * @returns {Uint8Array}
 */
export function convert(instance, content, { from = 'conllu', to = 'conllu' } = {}) {
  const formats = [formatOf(instance, from, 'from'), formatOf(instance, to, 'to')]
  return withBytes(instance, [content], (block, size) => instance.collect((buffer) => {
    if (!instance.call('onenlp_convert', block, size, ...formats, buffer, instance.errorAt)) throw instance.error()
  }))
}

/**
 * The CoNLL 2018 scores of `system` against `gold`, both CoNLL-U, as a text.
 *
 * @param {'TABLE' | 'JSON'} style
 */
export function evaluate(instance, gold, system, style) {
  return compare(instance, 'onenlp_evaluate', gold, system, style)
}

/** The scores of entities, categories and spans of `system` against `gold`, both JSON Lines, as a text. */
export function evaluateJsonl(instance, gold, system, style) {
  return compare(instance, 'onenlp_compare_jsonl', gold, system, style)
}

function compare(instance, name, gold, system, style) {
  return withBytes(instance, [gold, system], (...blocks) => utf8.decode(instance.collect((buffer) => {
    if (!instance.call(name, ...blocks, instance.constants.style[style], buffer, instance.errorAt)) throw instance.error()
  })))
}

/**
 * Aligns two documents of one text.
 *
 * @param {{ content: string | Uint8Array, format: 'conllu' | 'jsonl' }} predicted
 * @param {{ content: string | Uint8Array, format: 'conllu' | 'jsonl' }} reference
 * @returns {string} JSON
 */
export function align(instance, predicted, reference) {
  const formats = [predicted, reference].map(({ format }) => formatOf(instance, format, 'the format'))
  return withBytes(instance, [predicted.content, reference.content], (p, pSize, r, rSize) =>
    utf8.decode(instance.collect((buffer) => {
      if (!instance.call('onenlp_align', p, pSize, formats[0], r, rSize, formats[1], buffer, instance.errorAt)) throw instance.error()
    })))
}

/**
 * A pipeline file with its matrices stored otherwise.
 *
 * @param {Uint8Array} file
 * @param {'f32' | 'f16' | 'i8'} storage
 * @returns {Uint8Array}
 */
export function compact(instance, file, storage) {
  const number = instance.constants.storage[storage.toUpperCase()]
  return withBytes(instance, [file], (block, size) => instance.collect((buffer) => {
    if (!instance.call('onenlp_compact', block, size, number, buffer, instance.errorAt)) throw instance.error()
  }))
}

// So much is taken out of the module at once.
const BATCH = 1 << 16

/** `convert` for content that comes in pieces. Whoever makes one must free it. */
export class Converter {
  #instance
  #converter
  #buffer

  /**
   * @param {import('./instance.js').Instance} instance
   * @param {{ from?: string, to?: string, misaligned?: 'error' | 'skip' }} options
   */
  constructor(instance, { from = 'conllu', to = 'conllu', misaligned = 'error' }) {
    if (misaligned !== 'error' && misaligned !== 'skip') throw invalidArgument('misaligned must be error or skip')
    const formats = [formatOf(instance, from, 'from'), formatOf(instance, to, 'to')]
    this.#instance = instance
    this.#converter = instance.pointer('onenlp_converter_new', ...formats, misaligned === 'skip' ? 1 : 0, instance.errorAt)
    if (this.#converter === 0) throw instance.error()
    this.#buffer = instance.pointer('onenlp_buffer_new')
    if (this.#buffer !== 0) return
    this.free()
    throw new OnenlpError('OUT_OF_MEMORY', 'out of memory')
  }

  /**
   * Hands over the next piece, after `take` has given null. `last`: nothing follows.
   *
   * @param {Uint8Array} bytes
   */
  push(bytes, last = false) {
    const instance = this.#instance
    withBytes(instance, [bytes], (block, size) => {
      if (!instance.call('onenlp_converter_push', this.#converter, block, size, last ? 1 : 0, instance.errorAt)) throw instance.error()
    })
  }

  /** What could be converted by now, as UTF-8, whole items and not too many at once; null where there is nothing. */
  take() {
    const instance = this.#instance
    instance.call('onenlp_buffer_clear', this.#buffer)
    let start = 0
    let size = 0
    for (;;) {
      const got = instance.call('onenlp_converter_next', this.#converter, this.#buffer, instance.errorAt)
      // What comes before an error is given first; the next call has the same error.
      if (got < 0 && size === 0) throw instance.error()
      if (got < 0) break
      start = instance.pointer('onenlp_buffer_data', this.#buffer, instance.resultAt(0))
      size = instance.result(0)
      if (got === 0 || size >= BATCH) break
    }
    return size === 0 ? null : instance.bytes(start, size)
  }

  /** Harmless when repeated. */
  free() {
    const instance = this.#instance
    if (!instance) return
    this.#instance = null
    if (instance.failure) return
    instance.call('onenlp_converter_free', this.#converter)
    instance.call('onenlp_buffer_free', this.#buffer ?? 0)
  }
}
