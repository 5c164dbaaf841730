// Worker threads that annotate blocks, each with a pipeline of its own.

import { Worker } from 'node:worker_threads'

import { OnenlpError } from '../core/errors.js'

// A worker that stops this many times in a row will not do better.
const MAX_FAILURES = 3

export class Workers {
  #data
  #idle = []
  #all = new Set()
  #waiting = []
  #failures = 0

  /**
   * @param {number} count
   * @param {{ file: string, bytes: Uint8Array, models?: string, output: string, components?: string[] }} data file: where the
   *     bytes come from
   */
  constructor(count, data) {
    this.#data = data
    this.count = count
  }

  #start() {
    const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: this.#data })
    const slot = { worker, job: null }
    worker.on('message', ({ result }) => {
      const { job } = slot
      slot.job = null
      this.#failures = 0
      this.#idle.push(slot)
      job.resolve(result)
      this.#next()
    })
    const stopped = (cause) => {
      if (!this.#all.delete(slot)) return
      this.#idle = this.#idle.filter((other) => other !== slot)
      this.#failures++
      slot.job?.reject(new OnenlpError('INTERNAL', `a worker stopped: ${cause?.message ?? cause}`, { cause }))
      this.#next()
    }
    worker.on('error', stopped)
    worker.on('exit', (code) => stopped(new Error(`it ended with code ${code}`)))
    this.#all.add(slot)
    return slot
  }

  /** Gives waiting blocks to workers; one is started when it is needed. */
  #next() {
    while (this.#waiting.length > 0) {
      const slot = this.#idle.pop() ?? (this.#all.size < this.count && this.#failures < MAX_FAILURES ? this.#start() : null)
      if (!slot) {
        if (this.#all.size === 0) for (const { reject } of this.#waiting.splice(0)) reject(new OnenlpError('INTERNAL', 'the workers stop again and again'))
        return
      }
      const job = this.#waiting.shift()
      slot.job = job
      slot.worker.postMessage({ block: job.block })
    }
  }

  /** @returns {Promise<{ pieces: Uint8Array[], words: number, error: object | null }>} */
  run(block) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ block, resolve, reject })
      this.#next()
    })
  }

  async close() {
    const slots = [...this.#all]
    this.#all.clear()
    await Promise.all(slots.map(({ worker }) => worker.terminate()))
  }
}
