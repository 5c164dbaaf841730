// Input and output of the commands.

import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { OnenlpError } from '../core/errors.js'
import { createApi } from '../core/api.js'
import { platform, readError } from '../platform/node.js'
import { red } from './style.mjs'

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
  say(`${red('onenlp:')} ${shown === null ? '' : `${shown}: `}${place}${error.message}`)
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

/** The bytes of a file or of standard input, piece by piece. */
export async function* readInputPieces(path) {
  try {
    yield* path === '-' ? process.stdin : (await platform.open(path, {})).pieces
  } catch (cause) {
    throw cause instanceof OnenlpError ? cause : readError(path === '-' ? 'standard input' : path, cause)
  }
}

/** A text without the byte-order mark that a file of text may start with. */
export const withoutByteOrderMark = (bytes) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** The option of commands that load pipelines. */
export const modelsOption = { value: 'DIR', help: 'Where the encoder files are that a pipeline names without a path; the current folder by default.' }

/**
 * Where the files are that a pipeline names.
 *
 * @param {string} path of the pipeline file
 * @param {string | undefined} models the folder of those with a relative name
 */
export const encoderFilesAt = (path, models = '') => (name, { beside }) =>
  beside ? join(dirname(path), name) : isAbsolute(name) ? name : join(models, name)

/**
 * The pipeline of -m, or the one that is at hand; says what is wrong and returns null otherwise.
 *
 * @param {string | undefined} path
 * @param {{ keepBytes?: boolean, models?: string }} [options] keepBytes: `bytes` of the result is the file, for others to
 *     load
 * @returns {Promise<{ nlp: import('../core/pipeline.js').Pipeline, file: string, bytes: Buffer | null } | null>}
 */
export async function openPipeline(path, { keepBytes = false, models } = {}) {
  const file = path ?? defaultModel()
  if (file === null) {
    say(`${red('onenlp:')} a pipeline is needed: -m FILE`)
    return null
  }
  try {
    const bytes = keepBytes ? await readInputFile(file) : null
    return { nlp: await loadPipeline(bytes ?? file, { files: encoderFilesAt(file, models) }), file, bytes }
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
 * Standard output, or a file that appears under its name when it is complete and on the disk: it is written under
 * another name, synced and renamed, so that a full disk, a kill or lost power leave what was there before. `closed` is
 * true once nobody reads any more.
 */
export class Output {
  closed = false
  #path
  #temporary
  #file = null
  #error = null

  constructor(path = null) {
    this.#path = path
    this.#temporary = `${path}.${randomBytes(4).toString('hex')}.part`
    if (path !== null) return
    process.stdout.on('error', (error) => {
      this.closed = true
      if (error.code !== 'EPIPE') this.#error = this.#failed(error)
    })
  }

  #failed(error) {
    return new OnenlpError('IO', `cannot write ${this.#path ?? 'standard output'}: ${error.message}`)
  }

  /** Waits until there is room again, so that a slow reader slows the work down. */
  async write(bytes) {
    if (this.closed) return
    if (this.#path === null) {
      await new Promise((resolve) => process.stdout.write(bytes, resolve))
      // The event of an error comes after the callback.
      await new Promise(setImmediate)
      if (this.#error) throw this.#error
      return
    }
    try {
      this.#file ??= await this.#open()
      await this.#file.appendFile(bytes)
    } catch (error) {
      this.closed = true
      throw (this.#error = this.#failed(error))
    }
  }

  async #open() {
    const old = await stat(this.#path).catch(() => null)
    const file = await open(this.#temporary, 'wx')
    if (old) await file.chmod(old.mode & 0o777)
    return file
  }

  /** Ends the output; with `keep` false, or after an error, the file is taken away again. */
  async end(keep) {
    if (this.#path === null) return
    if (keep && !this.#error) {
      await this.write('')  // nothing at all makes an empty file
      try {
        await this.#file.sync()
        await this.#file.close()
        await rename(this.#temporary, this.#path)
        await syncFolder(dirname(this.#path))
        return
      } catch (error) {
        this.#error = this.#failed(error)
      }
    }
    await this.#file?.close().catch(() => {})
    await rm(this.#temporary, { force: true }).catch(() => {})
    if (this.#error && keep) throw this.#error
  }

  /** Takes an unfinished file away at once, before the program ends. */
  discard() {
    if (this.#path !== null) rmSync(this.#temporary, { force: true })
  }
}

/** A rename is on the disk once its folder is. Some systems cannot sync a folder: no error. */
async function syncFolder(path) {
  const folder = await open(path, 'r').catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close().catch(() => {})
}
