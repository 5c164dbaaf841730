// Reading and writing CoNLL-U and JSON Lines as they come, over the C code. What is read is asked for and not run
// ahead of, and memory is bounded by the largest sentence or line.

import { Converter } from '../core/formats.js'
import { Doc } from '../core/doc.js'
import { OnenlpError, invalidArgument } from '../core/errors.js'
import { utf8 } from '../core/instance.js'
import { checkOptions } from '../core/options.js'
import { whileNotAborted } from '../core/source.js'
import { jsonOf } from './document.js'
import { piecesOfContent } from './pieces.js'

// A reader that is left in the middle, without `return`, leaves its memory in the module to the collector.
const forgotten = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry(({ converter }) => converter?.free()) : null

/** Runs an asynchronous generator over `held`, whose converter is freed in any case. */
function holding(run) {
  const held = { converter: null }
  const generator = run(held)
  forgotten?.register(generator, held)
  return generator
}

const BLANK = new Uint8Array()

/**
 * Converts content piece by piece.
 *
 * @param {(options: { wasm?: unknown }) => Promise<import('../core/instance.js').Instance>} instanceOf
 * @param {unknown} content
 * @param {{ from: string, to: string, misaligned?: 'error' | 'skip', signal?: AbortSignal, wasm?: unknown }} options
 * @returns {AsyncGenerator<Uint8Array>}
 */
export function convertPieces(instanceOf, content, options) {
  return holding(async function* (held) {
    const { signal } = checkOptions(options)
    const instance = await instanceOf(options)
    const converter = (held.converter = new Converter(instance, options))
    try {
      for await (const piece of piecesOfContent(content, signal)) {
        converter.push(piece)
        for (let bytes; (bytes = converter.take());) yield bytes
      }
      converter.push(BLANK, true)
      for (let bytes; (bytes = converter.take());) yield bytes
    } finally {
      converter.free()
    }
  })
}

/** What readConllu and readJsonl give: each line of the JSON Lines that C makes. */
export async function* readDocuments(instanceOf, content, options, from) {
  for await (const bytes of convertPieces(instanceOf, content, { ...checkOptions(options), from, to: 'jsonl' })) {
    const lines = utf8.decode(bytes).split('\n')
    lines.pop()
    for (const line of lines) yield JSON.parse(line)
  }
}

/** The reader counts lines; here they are documents. */
function ofDocument(error, number) {
  if (error.code !== 'DATA_FORMAT') return error
  return new OnenlpError(error.code, `document ${number}: ${error.message.replace(/^line \d+: /, '')}`, { position: number })
}

/** Hands each document to `write`, which gives its bytes; an error tells which one it was. */
function writeEach(instanceOf, documents, options, to, write) {
  return holding(async function* (held) {
    const { signal } = checkOptions(options)
    if (typeof documents !== 'object' || documents === null || !(documents[Symbol.asyncIterator] || documents[Symbol.iterator])) {
      throw invalidArgument('the documents must be an iterable')
    }
    const instance = await instanceOf(options)
    const converter = (held.converter = new Converter(instance, { from: 'jsonl', to }))
    let number = 0
    try {
      for await (const document of whileNotAborted(documents, signal)) {
        number++
        let bytes
        try {
          bytes = write(converter, document)
        } catch (error) {
          throw ofDocument(error, number)
        }
        if (bytes.length > 0) yield bytes
      }
    } finally {
      converter.free()
    }
  })
}

/** What the converter makes of a document. (A Doc has a toJSON.) */
function converted(converter, document) {
  converter.push(utf8.encode(`${jsonOf(document)}\n`))
  const pieces = []
  for (let bytes; (bytes = converter.take());) pieces.push(bytes)
  return pieces.length === 1 ? pieces[0] : concat(pieces)
}

function concat(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

export function writeJsonl(instanceOf, documents, options) {
  return writeEach(instanceOf, documents, options, 'jsonl', (converter, document) => converted(converter, document))
}

export function writeConllu(instanceOf, documents, options) {
  // Given tokens have lines of their own, which JSON does not have.
  return writeEach(instanceOf, documents, options, 'conllu', (converter, document) =>
    document instanceof Doc && document.data.conllu !== null ? utf8.encode(document.toConllu()) : converted(converter, document))
}
