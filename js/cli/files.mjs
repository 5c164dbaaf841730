// Input and output of the commands.

import { createWriteStream, existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { OnenlpError } from '../core/errors.js'
import { createApi } from '../core/api.js'
import { platform, readError } from '../platform/node.js'

export const { loadPipeline, createInstance } = createApi(platform)

export function say(text) {
  process.stderr.write(`${text}\n`)
}

/** Says what is wrong with an input (or with none in particular). Returns the exit code. */
export function sayError(error, name = null, bytes = null) {
  if (!(error instanceof OnenlpError) && typeof error?.syscall !== 'string') throw error
  const shown = name === '-' ? 'standard input' : name
  let place = ''
  if (error.code === 'INVALID_UTF8' && bytes) {
    let line = 1
    for (let i = 0; i < error.position; i++) if (bytes[i] === 10) line++
    place = `line ${line}: `
  }
  say(`onenlp: ${shown === null ? '' : `${shown}: `}${place}${error.message}`)
  return 1
}

/** The bytes of a file, or of standard input for '-'. Throws OnenlpError. */
export async function readInputFile(path) {
  try {
    if (path !== '-') return await readFile(path)
    const chunks = []
    for await (const chunk of process.stdin) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (cause) {
    throw readError(path === '-' ? 'standard input' : path, cause)
  }
}

/** A text without the byte-order mark that a file of text may start with. */
export const withoutByteOrderMark = (bytes) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** The pipeline of -m, or the one that is at hand; says what is wrong and returns null otherwise. */
export async function openPipeline(path, options = {}) {
  const file = path ?? defaultModel()
  if (file === null) {
    say('onenlp: a pipeline is needed: -m FILE')
    return null
  }
  try {
    return await loadPipeline(file, options)
  } catch (error) {
    sayError(error, error.code === 'IO' ? null : file)
    return null
  }
}

/** In a checkout, its English pipeline. */
export function defaultModel() {
  const path = fileURLToPath(new URL('../../models/en.onenlp', import.meta.url))
  return existsSync(path) ? path : null
}

/**
 * Standard output, or a file that appears under its name when it is complete. `closed` is true once
 * nobody reads any more.
 */
export class Output {
  closed = false
  #stream
  #path
  #error = null

  constructor(path = null) {
    this.#path = path
    this.#stream = path === null ? process.stdout : createWriteStream(`${path}.part`)
    this.#stream.on('error', (error) => {
      this.closed = true
      if (error.code !== 'EPIPE') this.#error = new OnenlpError('IO', `cannot write ${path ?? 'standard output'}: ${error.message}`)
    })
  }

  /** Waits until there is room again, so that a slow reader slows the work down. */
  async write(bytes) {
    if (this.closed) return
    await new Promise((resolve) => this.#stream.write(bytes, resolve))
    if (this.#error) throw this.#error
  }

  /** Ends the output; with `keep` false the file is taken away again. */
  async end(keep) {
    if (this.#path === null) return
    if (!this.#stream.destroyed) {
      this.#stream.end()
      await once(this.#stream, 'close')
    }
    if (keep && !this.#error) await rename(`${this.#path}.part`, this.#path)
    else await rm(`${this.#path}.part`, { force: true })
    if (this.#error) throw this.#error
  }
}
