// The page's side of worker.js.

export class WorkerError extends Error {
  constructor({ code, message, position }) {
    super(message)
    this.code = code
    this.position = position
  }
}

let worker = null
let number = 0
const pending = new Map()

function start() {
  worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: { id, progress, result, error } }) => {
    const call = pending.get(id)
    if (!call) return
    if (progress) return call.onProgress?.(progress)
    pending.delete(id)
    if (error) call.reject(new WorkerError(error))
    else call.resolve(result)
  }
  worker.onerror = (event) => {
    event.preventDefault()
    // The worker did not start, or broke outside of any request.
    const calls = [...pending.values()]
    pending.clear()
    worker.terminate()
    worker = null
    for (const call of calls) call.reject(new WorkerError({ code: 'INTERNAL', message: `the worker stopped: ${event.message || 'it did not start'}`, position: null }))
  }
}

/**
 * Runs a method of the worker.
 *
 * @param {string} method
 * @param {object} args
 * @param {{ onProgress?: (progress: object) => void, signal?: AbortSignal }} [options]
 */
export function call(method, args, { onProgress, signal } = {}) {
  if (!worker) start()
  const id = ++number
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject, onProgress })
    worker.postMessage({ id, method, args })
    signal?.addEventListener('abort', () => worker?.postMessage({ cancel: id }), { once: true })
    if (signal?.aborted) worker.postMessage({ cancel: id })
  })
}
