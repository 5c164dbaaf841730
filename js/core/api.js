// The API for every runtime: what differs between them comes in as `platform`.

import { createPoolFactory } from '../pool/pool.js'
import { invalidArgument } from './errors.js'
import { Instance } from './instance.js'
import { compile } from './module.js'
import { Pipeline } from './pipeline.js'
import { openSource, readAll, readInto } from './source.js'

/**
 * @typedef {object} Platform
 * @property {() => unknown} wasm onenlp.wasm as a Module, a Response, bytes, or a promise of one
 * @property {(url: string | URL, options: { signal?: AbortSignal }) => Promise<unknown>} open reads a URL (or a path)
 * @property {() => import('../pool/pool.js').WorkerPort} createWorker starts a worker; throws NO_WORKERS
 * @property {() => number} parallelism how many workers are worth while
 */

/** @param {Platform} platform */
export function createApi(platform) {
  /** The module that came with the package, compiled once; a failure is not kept. */
  let own = null

  function moduleOf(wasm) {
    if (wasm !== undefined) return compile(typeof wasm === 'string' || wasm instanceof URL ? openWasm(wasm) : wasm)
    own ??= compile(platform.wasm()).catch((error) => {
      own = null
      throw error
    })
    return own
  }

  async function openWasm(url) {
    const opened = await platform.open(url, {})
    return opened && typeof opened === 'object' && 'pieces' in opened ? readAll(opened) : opened
  }

  /** @param {{ wasm?: unknown, maxMemory?: number }} [options] */
  async function createInstance({ wasm, maxMemory } = {}) {
    if (maxMemory !== undefined && !(Number.isInteger(maxMemory) && maxMemory > 0 && maxMemory < 2 ** 32)) {
      throw invalidArgument('maxMemory must be a number of bytes below 4 GiB')
    }
    const instance = await Instance.create(await moduleOf(wasm))
    if (maxMemory !== undefined) instance.call('onenlp_set_memory_limit', maxMemory)
    return instance
  }

  /**
   * Loads a pipeline file.
   *
   * @param {unknown} source a URL, Response, Blob, ReadableStream, bytes, or a promise of one; in Node, Deno and
   *     Bun also a path
   * @param {{ onProgress?: (progress: { loaded: number, total: number | null, source: string }) => void,
   *     signal?: AbortSignal, wasm?: unknown, maxMemory?: number }} [options]
   * @returns {Promise<Pipeline>}
   */
  async function loadPipeline(source, options = {}) {
    const opened = openSource(source, platform, options.signal)
    // Both are on their way at once; where the module fails first, nobody is left to hear of the source.
    opened.catch(() => {})
    const instance = await createInstance(options)
    const [block, size] = await readInto(instance, await opened, options)
    return new Pipeline(instance, block, size)
  }

  const createPool = createPoolFactory({ platform, moduleOf })

  return { loadPipeline, createPool, createInstance }
}
