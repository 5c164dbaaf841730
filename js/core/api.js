// loadPipeline, for every runtime: what differs between them comes in as `platform`.

import { invalidArgument } from './errors.js'
import { Instance } from './instance.js'
import { compile } from './module.js'
import { Pipeline } from './pipeline.js'
import { openSource, readInto } from './source.js'

/**
 * @typedef {object} Platform
 * @property {() => unknown} wasm onenlp.wasm as a Module, a Response, bytes, or a promise of one
 * @property {(url: string | URL, options: { signal?: AbortSignal }) => Promise<unknown>} open reads a URL (or a path)
 */

/** @param {Platform} platform */
export function createLoader(platform) {
  /** The module that came with the package, compiled once; a failure is not kept. */
  let own = null

  function moduleOf(wasm) {
    if (wasm !== undefined) {
      return compile(typeof wasm === 'string' || wasm instanceof URL ? platform.open(wasm, {}).then(collect) : wasm)
    }
    own ??= compile(platform.wasm()).catch((error) => {
      own = null
      throw error
    })
    return own
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

  return { loadPipeline, createInstance }
}

/** A source that a platform opened, as one piece; what is no such source stays. */
async function collect(opened) {
  if (!opened || typeof opened !== 'object' || !('pieces' in opened)) return opened
  const pieces = []
  for await (const piece of opened.pieces) pieces.push(piece)
  return new Blob(pieces).arrayBuffer()
}
