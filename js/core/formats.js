// Formats and scores, over the C code and without a pipeline.

import { invalidArgument } from './errors.js'
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
