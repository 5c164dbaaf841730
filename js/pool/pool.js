// Several workers with the same pipeline. Each has its own copy of it; documents come back as plain
// columns. No shared memory, so no special headers.

import { Doc } from '../core/doc.js'
import { OnenlpError, cancelled, errorFromJSON, invalidArgument, throwIfAborted } from '../core/errors.js'
import { readInput } from '../core/input.js'
import { encoderFiles, findFiles } from '../core/files.js'
import { checkInputs, checkOptions } from '../core/options.js'
import { openSource, readAll, whileNotAborted } from '../core/source.js'

/**
 * A worker of whatever runtime.
 *
 * @typedef {object} WorkerPort
 * @property {(message: object, transfer?: Transferable[]) => void} post
 * @property {(handlers: { message: (message: object) => void, stopped: (error: unknown) => void }) => void} listen
 * @property {() => unknown} terminate
 */

/**
 * @param {{ platform: import('../core/api.js').Platform, moduleOf: (wasm: unknown) => Promise<WebAssembly.Module>,
 *     transformerModuleOf: (wasm: unknown) => Promise<WebAssembly.Module> }} parts
 */
export function createPoolFactory({ platform, moduleOf, transformerModuleOf }) {
  /**
   * Starts workers that annotate with one pipeline.
   *
   * @param {unknown} source as for loadPipeline; it is read once
   * @param {{ size?: number, signal?: AbortSignal, wasm?: unknown, maxMemory?: number, relaxed?: boolean | WebAssembly.Module,
   *     onProgress?: (progress: { loaded: number, total: number | null, source: string }) => void,
   *     files?: unknown, worker?: () => Worker | import('node:worker_threads').Worker }} [options] maxMemory is each worker's
   * @returns {Promise<Pool>}
   */
  return async function createPool(source, options) {
    const { size = platform.parallelism(), signal, wasm, maxMemory, relaxed, onProgress, worker, files, engine } = checkOptions(options)
    if (engine !== undefined) throw invalidArgument('an engine cannot be sent to workers: load the pipeline in each of your own')
    throwIfAborted(signal)
    // Before anything is fetched.
    if (worker === undefined) platform.checkWorkers?.()
    const createWorker = worker === undefined ? platform.createWorker : () => portOf(worker())
    const opened = openSource(source, platform, signal)
    opened.catch(() => {})
    let module = await moduleOf(wasm)
    const bytes = new Uint8Array(await readAll(await opened, { signal, onProgress }))
    const wanted = encoderFiles(bytes)
    // A path is of use to those that can open it; others get the bytes.
    const keepPaths = platform.workersOpenFiles === true
    const named = wanted ? await findFiles(wanted, await source, platform, { files, signal, onProgress }, keepPaths) : undefined
    if (wanted) module = await transformerModuleOf(wasm)
    const pool = new Pool(createWorker, { module, bytes, maxMemory, relaxed, files: named }, size)
    try {
      await pool.start(signal)
      return pool
    } catch (error) {
      await pool.close()
      throw error
    }
  }
}

/** @param {unknown} worker what the caller's own function gave @returns {WorkerPort} */
function portOf(worker) {
  if (typeof worker?.postMessage !== 'function') throw invalidArgument('worker must give a Worker')
  // A worker thread of node:worker_threads knows no `onmessage`. (Bun's knows both.)
  return typeof worker.on === 'function' ? portOfThread(worker) : portOfWebWorker(worker)
}

/** @param {import('node:worker_threads').Worker} worker @returns {WorkerPort} */
export function portOfThread(worker) {
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen({ message, stopped }) {
      worker.on('message', message)
      worker.on('messageerror', stopped)
      worker.on('error', stopped)
      worker.on('exit', (code) => stopped(new Error(`it ended with code ${code}`)))
    },
    terminate: () => worker.terminate(),
  }
}

/** @param {Worker} worker a Web Worker @returns {WorkerPort} */
export function portOfWebWorker(worker) {
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    listen({ message, stopped }) {
      worker.onmessage = ({ data }) => message(data)
      worker.onmessageerror = () => stopped(new Error('a message could not be read'))
      worker.onerror = (event) => {
        event.preventDefault?.()
        stopped(event.error ?? event)
      }
    },
    terminate: () => worker.terminate(),
  }
}

/** One worker, and the one thing that it is doing. */
class Slot {
  ready = null
  job = null

  constructor(port) {
    this.port = port
  }
}

function stoppedWorker(cause) {
  return new OnenlpError('INTERNAL', `a worker stopped: ${cause?.message ?? cause ?? 'no reason known'}`, { cause })
}

// A worker that stops before it is ready this many times in a row will not do better.
const MAX_FAILED_STARTS = 3

export class Pool {
  #createWorker
  #pipeline
  #slots = new Set()
  #waiting = []
  #lastId = 0
  #closed = false
  #failedStarts = 0
  #broken = null
  language = ''
  metadata = {}
  components = []

  constructor(createWorker, pipeline, size) {
    this.#createWorker = createWorker
    this.#pipeline = pipeline
    this.size = size
  }

  /** Starts the workers; resolves when every one of them has loaded the pipeline. */
  async start(signal) {
    try {
      for (let i = 0; i < this.size; i++) this.#startWorker()
    } catch (cause) {
      throw cause instanceof OnenlpError ? cause : stoppedWorker(cause)
    }
    let stop
    const aborted = new Promise((_, reject) => {
      stop = () => reject(cancelled(signal))
      signal?.addEventListener('abort', stop, { once: true })
    })
    try {
      const [about] = await Promise.race([Promise.all([...this.#slots].map(({ ready }) => ready)), aborted])
      Object.assign(this, about)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  get closed() {
    return this.#closed
  }

  #startWorker() {
    const slot = new Slot(this.#createWorker())
    this.#slots.add(slot)
    slot.port.listen({
      message: (message) => this.#heard(slot, message),
      stopped: (cause) => this.#stopped(slot, cause),
    })
    slot.ready = new Promise((resolve, reject) => {
      slot.job = { id: 0, resolve, reject }
    }).then((about) => {
      this.#failedStarts = 0
      this.#next()
      return about
    })
    // Whoever waits for it hears of it; a replacement has nobody who does.
    slot.ready.catch(() => {})
    try {
      slot.port.post({ type: 'load', id: 0, ...this.#pipeline })
    } catch (cause) {
      this.#stopped(slot, cause)
    }
  }

  #heard(slot, { type, id, result, error, state }) {
    const { job } = slot
    if (!job || job.id !== id) return
    if (type === 'progress') return job.onProgress?.(state)
    // Its module has trapped, so it would fail with every later document as well.
    if (type === 'failed' && error.code === 'INTERNAL') return this.#stopped(slot, error)
    slot.job = null
    if (type === 'done') job.resolve(result)
    else job.reject(errorFromJSON(error))
    this.#next()
  }

  /** A worker is gone: its document fails, another one takes its place. */
  #stopped(slot, cause) {
    if (!this.#slots.delete(slot) || this.#closed) return
    slot.port.terminate()
    const error = stoppedWorker(cause)
    const { job } = slot
    slot.job = null
    if (job?.id === 0 && ++this.#failedStarts >= MAX_FAILED_STARTS) this.#broken = error
    job?.reject(error)
    try {
      if (!this.#broken) this.#startWorker()
    } catch (reason) {
      this.#broken = stoppedWorker(reason)
    }
    if (this.#broken && this.#slots.size === 0) for (const { reject } of this.#waiting.splice(0)) reject(this.#broken)
  }

  /** Gives waiting documents to idle workers. */
  #next() {
    for (const slot of this.#slots) {
      if (slot.job || this.#waiting.length === 0) continue
      const job = this.#waiting.shift()
      slot.job = job
      job.slot = slot
      try {
        slot.port.post({ type: 'annotate', id: job.id, ...job.request })
      } catch (cause) {
        slot.job = null
        job.reject(invalidArgument(`the input cannot be sent to a worker: ${cause.message}`))
      }
    }
  }

  /**
   * Annotates a text in one of the workers.
   *
   * @param {import('../core/pipeline.js').Pipeline extends { annotate(input: infer I): unknown } ? I : never} input
   * @param {{ components?: string[], signal?: AbortSignal,
   *     onProgress?: (progress: { done: number, total: number, words: number }) => void }} [options]
   * @returns {Promise<Doc>}
   */
  async annotate(input, options) {
    this.#checkOpen()
    const { components, signal, onProgress } = checkOptions(options)
    throwIfAborted(signal)
    const { kind, content } = readInput(input)
    const plain = kind === 'TEXT' ? { text: content } : { conllu: content, keepColumns: kind === 'CONLLU' }
    let stop
    try {
      const data = await new Promise((resolve, reject) => {
        const job = { id: ++this.#lastId, resolve, reject, slot: null }
        job.request = { input: plain, components, progress: onProgress !== undefined }
        const giveUp = (error) => {
          const at = this.#waiting.indexOf(job)
          if (at >= 0) this.#waiting.splice(at, 1)
          else if (job.slot?.job === job) job.slot.port.post({ type: 'cancel', id: job.id })
          reject(error)
        }
        job.onProgress = (state) => {
          try {
            onProgress(state)
          } catch (error) {
            // What the caller's function throws ends the document, as it does in a pipeline.
            giveUp(error)
          }
        }
        stop = () => giveUp(cancelled(signal))
        signal?.addEventListener('abort', stop, { once: true })
        this.#waiting.push(job)
        this.#next()
      })
      return new Doc(data)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /**
   * Annotates what an iterable gives, on all workers at once; documents come out in order. No more
   * inputs are taken than the workers can work on. A document that fails goes to `onError`, and the
   * others follow; without it the error is thrown.
   *
   * @param {Iterable<unknown> | AsyncIterable<unknown>} inputs
   * @param {{ components?: string[], signal?: AbortSignal, onError?: (error: OnenlpError, index: number) => void }} [options]
   * @returns {AsyncGenerator<Doc>}
   */
  async *pipe(inputs, options) {
    const { components, signal, onError } = checkOptions(options)
    const controller = new AbortController()
    const stop = () => controller.abort(signal.reason)
    throwIfAborted(signal)
    const iterator = whileNotAborted(checkInputs(inputs), controller.signal)
    signal?.addEventListener('abort', stop, { once: true })
    const running = []
    let input = null
    let ended = false
    let index = 0
    const take = ({ done, value }) => {
      input = null
      ended = Boolean(done)
      if (ended) return
      const doc = this.annotate(value, { components, signal: controller.signal })
      doc.catch(() => {})
      running.push(doc)
    }
    try {
      for (;;) {
        if (!ended && !input && running.length < this.size * 2) {
          input = iterator.next()
          input.catch(() => {})
        }
        if (!input && running.length === 0) return
        // A document that is done does not wait for an input that is slow to come.
        const next = input?.then((result) => () => take(result))
        const first = running[0]?.then(() => null, () => null)
        const step = await (next && first ? Promise.race([next, first]) : next ?? first)
        if (step) {
          step()
          continue
        }
        try {
          yield await running.shift()
        } catch (error) {
          if (!onError || signal?.aborted || error.code === 'CLOSED') throw error
          onError(error, index)
        }
        index++
      }
    } finally {
      signal?.removeEventListener('abort', stop)
      controller.abort()
      await iterator.return()
    }
  }

  #checkOpen() {
    if (this.#closed) throw new OnenlpError('CLOSED', 'the pool is closed')
    if (this.#broken && this.#slots.size === 0) throw this.#broken
  }

  /** Ends the workers; documents that are not done yet fail with CLOSED. Harmless when repeated. */
  async close() {
    if (this.#closed) return
    this.#closed = true
    const error = new OnenlpError('CLOSED', 'the pool was closed')
    const slots = [...this.#slots]
    this.#slots.clear()
    for (const { reject } of this.#waiting.splice(0)) reject(error)
    for (const { job } of slots) job?.reject(error)
    await Promise.all(slots.map(({ port }) => port.terminate()))
    this.#pipeline = null
  }
}

if (typeof Symbol.asyncDispose === 'symbol') {
  Object.defineProperty(Pool.prototype, Symbol.asyncDispose, { value: Pool.prototype.close, configurable: true, writable: true })
}
