// Where a pipeline file comes from, and its way into the module's memory.

import { OnenlpError, cancelled, invalidArgument, throwIfAborted } from './errors.js'

/**
 * Bytes on their way in: how many, if that is known, and the pieces.
 *
 * @typedef {object} Source
 * @property {number | null} total
 * @property {Iterable<Uint8Array> | AsyncIterable<Uint8Array>} pieces
 * @property {'network' | 'cache' | 'memory' | 'file'} kind
 */

const bytesOf = (value) =>
  value instanceof Uint8Array ? value
  : ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  : new Uint8Array(value)

const isBuffer = (value) =>
  value instanceof ArrayBuffer || ArrayBuffer.isView(value) ||
  (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer)

/** Whether a string names a URL and no file. */
export const isUrl = (value) => value instanceof URL || /^(?:https?|blob|data|file):/i.test(value)

/** The pieces of a stream; leaving the loop early cancels it, also while a piece is awaited. */
export function piecesOf(stream) {
  if (stream.locked) throw invalidArgument('the stream is being read already')
  const reader = stream.getReader()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      const { done, value } = await reader.read()
      if (done) return { done: true, value: undefined }
      if (!isBuffer(value)) throw invalidArgument('the stream must give bytes')
      return { done: false, value: bytesOf(value) }
    },
    async return() {
      await reader.cancel().catch(() => {})
      return { done: true, value: undefined }
    },
  }
}

function fromResponse(response) {
  if (!response.ok) {
    throw new OnenlpError('IO', `${response.url || 'the response'} has status ${response.status}`)
  }
  if (response.bodyUsed) throw invalidArgument('the body of the response was read already')
  // The length of a compressed transfer is not that of the file.
  const length = response.headers.get('content-encoding') ? null : response.headers.get('content-length')
  const total = length !== null && /^\d+$/.test(length) ? Number(length) : null
  return { total, pieces: response.body ? piecesOf(response.body) : [], kind: 'network' }
}

/**
 * @param {unknown} input
 * @param {{ open: (url: string | URL, options: { signal?: AbortSignal }) => Promise<Source | Response> }} platform
 * @param {AbortSignal} [signal]
 * @returns {Promise<Source>}
 */
export async function openSource(input, platform, signal) {
  let value = await input
  if (typeof value === 'string' || value instanceof URL) {
    try {
      value = await platform.open(value, { signal })
    } catch (cause) {
      if (signal?.aborted) throw cancelled(signal)
      if (cause instanceof OnenlpError) throw cause
      throw new OnenlpError('IO', `cannot read ${value}: ${cause.message}`, { cause })
    }
    if (value && typeof value === 'object' && 'pieces' in value) return value
  }
  if (isBuffer(value)) {
    const bytes = bytesOf(value)
    return { total: bytes.length, pieces: [bytes], kind: 'memory' }
  }
  if (typeof Response !== 'undefined' && value instanceof Response) return fromResponse(value)
  if (typeof Blob !== 'undefined' && value instanceof Blob) {
    return { total: value.size, pieces: piecesOf(value.stream()), kind: 'memory' }
  }
  if (typeof ReadableStream !== 'undefined' && value instanceof ReadableStream) {
    return { total: null, pieces: piecesOf(value), kind: 'network' }
  }
  throw invalidArgument('a pipeline comes from a URL, a Response, a Blob, a ReadableStream or bytes')
}

/**
 * Reads a source into a new block of the instance's memory: [address, size]. The caller owns the block.
 *
 * @param {import('./instance.js').Instance} instance
 * @param {Source} source
 * @param {{ signal?: AbortSignal, onProgress?: (progress: object) => void }} options
 */
export async function readInto(instance, source, options) {
  // A length that somebody only claims must not take all the memory there is.
  let room = Math.min(source.total ?? 1 << 20, 1 << 30)
  let block = instance.alloc(room)
  let size = 0
  try {
    await read(source, options, (piece) => {
      if (size + piece.length > room) {
        const more = Math.max(size + piece.length, Math.min(room * 2, room + (1 << 28)))
        const larger = instance.alloc(more)
        instance.u8.copyWithin(larger, block, block + size)
        instance.free(block)
        block = larger
        room = more
      }
      instance.u8.set(piece, block + size)
      size += piece.length
    })
    return [block, size]
  } catch (error) {
    if (!instance.failure) instance.free(block)
    throw error
  }
}

/** Reads a source into a new ArrayBuffer. */
export async function readAll(source, options = {}) {
  const pieces = []
  // A copy, since a source may use its buffer again.
  await read(source, options, (piece) => pieces.push(piece.slice()))
  return new Blob(pieces).arrayBuffer()
}

async function read({ total, pieces, kind }, { signal, onProgress }, take) {
  let loaded = 0
  const tell = () => onProgress?.({ loaded, total, source: kind })
  try {
    tell()
    for await (const piece of signal ? whileNotAborted(pieces, signal) : pieces) {
      take(piece)
      loaded += piece.length
      tell()
    }
    throwIfAborted(signal)
  } catch (error) {
    if (signal?.aborted) throw cancelled(signal)
    if (error instanceof OnenlpError) throw error
    throw new OnenlpError('IO', `cannot read the pipeline file: ${error?.message ?? error}`, { cause: error })
  }
}

/** Passes on what an iterable gives; an abort ends it at once, also while something is awaited. */
export async function* whileNotAborted(pieces, signal) {
  if (!signal) return yield* pieces
  const iterator = pieces[Symbol.asyncIterator]?.() ?? pieces[Symbol.iterator]()
  let fail = null
  const stop = () => fail?.(cancelled(signal))
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      throwIfAborted(signal)
      // Not a race with one promise for all steps: that one would keep something of each step.
      const { done, value } = await new Promise((resolve, reject) => {
        fail = reject
        Promise.resolve(iterator.next()).then(resolve, reject)
      })
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Not awaited: a stream that never answers would hold up the abort.
    Promise.resolve(iterator.return?.()).catch(() => {})
  }
}
