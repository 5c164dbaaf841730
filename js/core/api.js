// The API for every runtime: what differs between them comes in as `platform`.

import { createPoolFactory } from '../pool/pool.js'
import { find, keep, keyOf, openStore, remove } from './cache.js'
import { OnenlpError } from './errors.js'
import { checkTransformers, encoderFiles, findFiles, loadWithFiles } from './files.js'
import { Instance } from './instance.js'
import { compile } from './module.js'
import { checkOptions } from './options.js'
import { Pipeline } from './pipeline.js'
import { openSource, readAll, readInto } from './source.js'

/**
 * @typedef {object} Platform
 * @property {() => unknown} wasm onenlp.wasm as a Module, a Response, bytes, or a promise of one
 * @property {() => unknown} transformerWasm the same for onenlp.transformer.wasm
 * @property {(url: string | URL, options: { signal?: AbortSignal }) => Promise<unknown>} open reads a URL (or a path)
 * @property {(path: string) => import('./files.js').OpenFile} [openAt] opens a file that stays where it is, where there
 *     are files
 * @property {boolean} [workersOpenFiles] whether its workers have openAt, too
 * @property {() => void} [checkWorkers] throws NO_WORKERS where there are none
 * @property {() => import('../pool/pool.js').WorkerPort} [createWorker] starts a worker
 * @property {() => number} parallelism how many workers are worth while
 */

/** @param {Platform} platform */
export function createApi(platform) {
  /** The modules that came with the package, each compiled once; a failure is not kept. */
  const own = new Map()

  function ownModule(name, read) {
    if (!own.has(name)) {
      own.set(name, compile(reading(name, read)).catch((error) => {
        own.delete(name)
        throw error
      }))
    }
    return own.get(name)
  }

  function moduleOf(wasm) {
    if (wasm !== undefined) return compile(typeof wasm === 'string' || wasm instanceof URL ? openWasm(wasm) : wasm)
    return ownModule('onenlp.wasm', platform.wasm)
  }

  /** The module for pipelines with transformers; others never load it. */
  async function transformerModuleOf(wasm) {
    if (wasm !== undefined) return checkTransformers(await moduleOf(wasm))
    return ownModule('onenlp.transformer.wasm', platform.transformerWasm)
  }

  async function openWasm(url) {
    const opened = await reading(url, () => platform.open(url, {}))
    return opened && typeof opened === 'object' && 'pieces' in opened ? readAll(opened) : opened
  }

  /** @param {{ wasm?: unknown, maxMemory?: number, relaxed?: boolean | WebAssembly.Module }} [options] */
  async function createInstance({ wasm, maxMemory, relaxed } = {}) {
    return Instance.create(await moduleOf(wasm), { maxMemory, relaxed })
  }

  /**
   * Loads a pipeline file.
   *
   * @param {unknown} source a URL, Response, Blob, ReadableStream, bytes, or a promise of one; in Node, Deno and
   *     Bun also a path
   * @param {{ onProgress?: (progress: { loaded: number, total: number | null, source: string }) => void,
   *     signal?: AbortSignal, wasm?: unknown, maxMemory?: number, relaxed?: boolean | WebAssembly.Module, sha256?: string,
   *     cache?: boolean | string | import('./cache.js').Store, files?: unknown,
   *     engine?: import('./engine.js').OnnxEngine }} [options] files: those that the pipeline names, by name, or a
   *     function that finds them
   * @returns {Promise<Pipeline>}
   */
  async function loadPipeline(source, options) {
    options = checkOptions(options)
    const store = await openStore(options.cache)
    const key = store ? keyOf(await source) : null
    if (key === null) return (await load(source, openSource(source, platform, options.signal), options)).nlp

    const kept = await find(store, key)
    if (kept) {
      try {
        const opened = openSource(kept, platform, options.signal).then((open) => ({ ...open, kind: 'cache' }))
        return (await load(source, opened, options)).nlp
      } catch (error) {
        if (error.code !== 'INVALID_DATA' && error.code !== 'IO') throw error
        await remove(store, key)
      }
    }
    const { nlp, bytes } = await load(source, openSource(source, platform, options.signal), options, true)
    await keep(store, key, bytes)
    return nlp
  }

  async function load(source, opened, options, wantBytes = false) {
    // Both are on their way at once; where the module fails first, nobody is left to hear of the source.
    opened.catch(() => {})
    const instance = await createInstance(options)
    const [block, size] = await readInto(instance, await opened, options)
    if (options.sha256 !== undefined) await verify(instance.bytes(block, size), options.sha256)
    const bytes = wantBytes ? instance.bytes(block, size) : null
    try {
      return { nlp: new Pipeline(instance, block, size, undefined, true), bytes }
    } catch (error) {
      // Few pipelines have what only the other module can run, so none is searched for it before. (That module itself,
      // given by the caller, misses the files.)
      if (error.code !== 'UNSUPPORTED' && error.code !== 'IO') throw error
      return await loadOther(source, bytes ?? instance.bytes(block, size), options, error)
    }
  }

  /** A pipeline that the first module has refused; where it has no transformers, that was right. */
  async function loadOther(source, bytes, options, refusal) {
    const wanted = encoderFiles(bytes)
    if (wanted === null) throw refusal
    const [module, files] = await Promise.all([
      transformerModuleOf(options.wasm), findFiles(wanted, await source, platform, options)])
    const { maxMemory, relaxed, engine } = options
    return { nlp: await loadWithFiles({ module, bytes, files, maxMemory, relaxed, engine }, platform), bytes }
  }

  const createPool = createPoolFactory({ platform, moduleOf, transformerModuleOf })

  return { loadPipeline, createPool, createInstance }
}

/** What an operation gives; what it throws as an error of reading. */
async function reading(what, operation) {
  try {
    return await operation()
  } catch (cause) {
    if (cause instanceof OnenlpError) throw cause
    throw new OnenlpError('IO', `cannot read ${what}: ${cause?.message ?? cause}`, { cause })
  }
}

async function verify(bytes, sha256) {
  if (!globalThis.crypto?.subtle) throw new OnenlpError('UNSUPPORTED', 'there is no crypto.subtle here to check sha256 with')
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (found !== sha256.toLowerCase()) throw new OnenlpError('INVALID_DATA', `the SHA-256 of the file is ${found}, want ${sha256.toLowerCase()}`)
}
