// Content of whatever kind as pieces of bytes, taken as they are asked for.

import { OnenlpError, cancelled, invalidArgument } from '../core/errors.js'
import { utf8 } from '../core/instance.js'
import { whileNotAborted } from '../core/source.js'

// Content that is there as a whole is handed over in pieces of this size, so that it is not held twice.
const PIECE = 1 << 16

const isObject = (value) => typeof value === 'object' && value !== null

function bytesOf(value) {
  if (value instanceof Uint8Array) return value
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return null
}

/** What a ReadableStream gives; leaving the loop early cancels it. (Not every browser's can be gone through.) */
function chunksOfStream(stream) {
  if (stream.locked) throw invalidArgument('the stream is being read already')
  const reader = stream.getReader()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => reader.read(),
    async return() {
      await reader.cancel().catch(() => {})
      return { done: true, value: undefined }
    },
  }
}

/** What a content is made of: strings and bytes. */
function chunksOf(content) {
  if (typeof content === 'string' || bytesOf(content)) return [content]
  if (typeof Response !== 'undefined' && content instanceof Response) {
    if (!content.ok) throw new OnenlpError('IO', `${content.url || 'the response'} has status ${content.status}`)
    if (content.bodyUsed) throw invalidArgument('the body of the response was read already')
    return content.body ? chunksOfStream(content.body) : []
  }
  if (typeof Blob !== 'undefined' && content instanceof Blob) return chunksOfStream(content.stream())
  if (typeof ReadableStream !== 'undefined' && content instanceof ReadableStream) return chunksOfStream(content)
  if (isObject(content) && (content[Symbol.asyncIterator] || content[Symbol.iterator])) return content
  throw invalidArgument('the content must be a string, bytes, a Blob, a Response, a ReadableStream or an iterable of strings or bytes')
}

/** A string's pieces as UTF-8. `carry` holds the first half of a pair whose second half comes with the next string. */
function* encode(string, carry) {
  let text = carry.high + string
  carry.high = ''
  if (/[\ud800-\udbff]$/.test(text)) {
    carry.high = text.slice(-1)
    text = text.slice(0, -1)
  }
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + PIECE, text.length)
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1])) end--
    yield utf8.encode(text.slice(at, end))
    at = end
  }
}

/**
 * The content as pieces of UTF-8 of at most about 64 KB. An abort ends it at once.
 *
 * @param {unknown} content or a promise of it
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* piecesOfContent(content, signal) {
  const carry = { high: '' }
  try {
    for await (const chunk of whileNotAborted(chunksOf(await content), signal)) {
      if (typeof chunk === 'string') {
        yield* encode(chunk, carry)
        continue
      }
      const bytes = bytesOf(chunk)
      if (!bytes) throw invalidArgument('a content is made of strings or bytes')
      if (carry.high) yield utf8.encode(carry.high)
      carry.high = ''
      for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
    }
    if (carry.high) yield utf8.encode(carry.high)
  } catch (cause) {
    if (signal?.aborted) throw cancelled(signal)
    if (cause instanceof OnenlpError) throw cause
    throw new OnenlpError('IO', `cannot read the content: ${cause?.message ?? cause}`, { cause })
  }
}
