// Encoder files: a pipeline with a `transformer` encoder names its model and its tokenizer, which lie in files of their
// own. They stay outside the module's memory; it asks for the parts that it needs.

import { Engines } from './engine.js'
import { OnenlpError, invalidArgument } from './errors.js'
import { Instance, utf8 } from './instance.js'
import { Pipeline } from './pipeline.js'
import { isUrl, openSource, readAll } from './source.js'

const MAGIC = 'ONENLPPL'
const HEADER = 32

/**
 * A file by the name that the pipeline gives it. `value` can be sent to a worker: a path (where the runtime has files), a
 * Blob, or bytes.
 *
 * @typedef {{ name: string, beside: boolean, value: string | Blob | Uint8Array }} NamedFile
 */

/**
 * A file that can be read at any place, at once.
 *
 * @typedef {{ size: number, read: (offset: number, into: Uint8Array) => void, close: () => void }} OpenFile
 */

/**
 * The files that a pipeline file names, or null where it has no encoder of that kind. What is wrong with a file that
 * cannot be read is left to the module to say.
 *
 * @param {Uint8Array} bytes
 * @returns {{ name: string, beside: boolean }[] | null}
 */
export function encoderFiles(bytes) {
  if (bytes.length < HEADER || utf8.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = view.getUint32(16, true)
  if (view.getUint32(20, true) !== 0 || size > bytes.length - HEADER) return null
  const config = utf8.decode(bytes.subarray(HEADER, HEADER + size))
  // Nearly all pipelines end here.
  if (!config.includes('"transformer')) return null
  let encoders
  try {
    ;({ encoders } = JSON.parse(config))
  } catch {
    return null
  }
  if (!Array.isArray(encoders)) return null
  const found = encoders.filter((encoder) => /^transformer(-trainable)?$/.test(encoder?.kind))
  if (found.length === 0) return null
  const files = new Map()
  for (const { settings } of found) {
    const { model, tokenizer, relativeTo } = settings ?? {}
    const add = (name, beside) => typeof name === 'string' && files.set(`${beside}/${name}`, { name, beside })
    add(model, relativeTo === 'pipeline')
    add(tokenizer, false)
  }
  return [...files.values()]
}

/** The address of a file in the folder of the pipeline, where the pipeline has one. */
function besideOf(source, name) {
  if (source instanceof URL || (typeof source === 'string' && isUrl(source))) return new URL(encodeURIComponent(name), source)
  if (typeof source === 'string') return source.replace(/[^/\\]*$/, '') + name
  if (typeof Response !== 'undefined' && source instanceof Response && source.url) return new URL(encodeURIComponent(name), source.url)
  return null
}

function chosen(files, name, beside) {
  if (typeof files === 'function') return files(name, { beside })
  if (files instanceof Map) return files.get(name)
  return files && Object.hasOwn(files, name) ? files[name] : undefined
}

/**
 * Finds the files by their names: in what the caller gives, else beside the pipeline.
 *
 * @param {{ name: string, beside: boolean }[]} wanted
 * @param {unknown} source what the pipeline was loaded from
 * @param {import('./api.js').Platform} platform
 * @param {{ files?: unknown, signal?: AbortSignal, onProgress?: (progress: object) => void }} options
 * @param {boolean} [keepPaths] whether those that will read the files can open paths
 * @returns {Promise<NamedFile[]>}
 */
export async function findFiles(wanted, source, platform, { files, signal, onProgress }, keepPaths = true) {
  const found = []
  for (const { name, beside } of wanted) {
    // Without the caller's word, a name is a path where there are files: as the program in C takes it.
    let value = (await chosen(files, name, beside)) ?? (beside ? besideOf(source, name) : platform.openAt ? name : null)
    if (value === null) {
      throw new OnenlpError('IO', beside
        ? `the file '${name}' lies beside the pipeline, and the pipeline comes from no file or address: give it in files`
        : `the pipeline names the file '${name}', and files does not have it`)
    }
    const isFile = (typeof value === 'string' && !isUrl(value)) || (isUrl(value) && /^file:/i.test(value))
    const isPath = isFile && keepPaths && platform.openAt !== undefined
    // Where workers can read a Blob at once: in browsers, seen from the page or from a worker.
    const isBlob = typeof Blob !== 'undefined' && value instanceof Blob &&
      (typeof document !== 'undefined' || typeof FileReaderSync === 'function')
    if (value instanceof Uint8Array) value = value.slice()
    else if (isPath) value = String(value)
    else if (!isBlob) value = new Uint8Array(await readAll(await openSource(value, platform, signal), { signal, onProgress }))
    found.push({ name, beside, value })
  }
  return found
}

/** @param {Uint8Array} bytes @returns {OpenFile} */
function openBytes(bytes) {
  return { size: bytes.length, read: (offset, into) => into.set(bytes.subarray(offset, offset + into.length)), close() {} }
}

/** A Blob is read piece by piece where that can be done at once (in workers), else whole. */
async function openBlob(blob) {
  if (typeof FileReaderSync !== 'function') return openBytes(new Uint8Array(await blob.arrayBuffer()))
  const reader = new FileReaderSync()
  return {
    size: blob.size,
    read: (offset, into) => into.set(new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + into.length)))),
    close() {},
  }
}

/** What the module asks for files: the functions that it imports. */
export class HostFiles {
  /** @type {{ name: string, beside: boolean, file: OpenFile }[]} */
  #files = []
  #instance = null

  /** @param {Engines} engines models that the module does not know */
  constructor(engines) {
    this.engines = engines
  }

  /**
   * @param {NamedFile[]} named
   * @param {Engines} engines
   * @param {import('./api.js').Platform} platform
   */
  static async open(named, engines, platform) {
    const host = new HostFiles(engines)
    try {
      for (const { name, beside, value } of named) {
        const file = typeof value === 'string' ? platform.openAt(value)
          : value instanceof Uint8Array ? openBytes(value) : await openBlob(value)
        host.#files.push({ name, beside, file })
      }
    } catch (error) {
      host.closeFiles()
      throw error
    }
    return host
  }

  /** @param {import('./instance.js').Instance} instance whose memory the functions work on */
  attach(instance) {
    this.#instance = instance
  }

  imports = {
    open: (start, size, beside, sizeAt) => {
      const name = this.#instance.string(start >>> 0, size >>> 0)
      const index = this.#files.findIndex((file) => file.name === name && file.beside === (beside !== 0))
      if (index >= 0) this.#instance.setDouble(sizeAt >>> 0, this.#files[index].file.size)
      return index
    },
    read: (index, offset, start, size) => {
      try {
        this.#files[index].file.read(offset, this.#instance.u8.subarray(start >>> 0, (start >>> 0) + (size >>> 0)))
        return 1
      } catch {
        return 0
      }
    },
    engine: (start, size, beside) => this.engines.width(this.#instance.string(start >>> 0, size >>> 0), beside !== 0),
    encode: (start, size, beside, idsAt, windowsAt, count, outAt) => {
      const name = this.#instance.string(start >>> 0, size >>> 0)
      const { u32 } = this.#instance
      const windows = u32.subarray(windowsAt >>> 2, (windowsAt >>> 2) + count + 1)
      const ids = u32.subarray(idsAt >>> 2, (idsAt >>> 2) + windows[count])
      return this.engines.encode(name, beside !== 0, ids, windows, new Float32Array(u32.buffer, outAt >>> 0))
    },
  }

  close() {
    this.engines.close()
    this.closeFiles()
  }

  closeFiles() {
    for (const { file } of this.#files.splice(0)) file.close()
  }
}

/** @param {WebAssembly.Module} module one that the caller gave */
export function checkTransformers(module) {
  if (WebAssembly.Module.exports(module).some(({ name }) => name === 'onenlp_wasm_load')) return module
  throw invalidArgument('this pipeline has a transformer encoder: wasm must be onenlp.transformer.wasm')
}

/**
 * Loads a pipeline that names files.
 *
 * @param {{ module: WebAssembly.Module, bytes: Uint8Array, files: NamedFile[], maxMemory?: number,
 *     relaxed?: boolean | WebAssembly.Module, engine?: import('./engine.js').OnnxEngine }} parts
 * @param {import('./api.js').Platform} platform
 */
export async function loadWithFiles({ module, bytes, files, maxMemory, relaxed, engine }, platform) {
  const engines = new Engines()
  try {
    for (;;) {
      try {
        return await load({ module, bytes, files, maxMemory, relaxed, engines }, platform)
      } catch (error) {
        const refused = engines.takeRefused()
        if (!engine || refused.length === 0) throw error
        // Now the module takes the model's vectors from the engine.
        for (const name of refused) await engines.open(name, engine, modelOf(name, files, platform))
      }
    }
  } catch (error) {
    engines.close()
    throw error
  }
}

async function load({ module, bytes, files, maxMemory, relaxed, engines }, platform) {
  const host = await HostFiles.open(files, engines, platform)
  try {
    const instance = await Instance.create(module, { host, maxMemory, relaxed })
    return new Pipeline(instance, instance.allocBytes(bytes), bytes.length, host)
  } catch (error) {
    host.closeFiles()
    throw error
  }
}

/** A file as engines get it. */
function modelOf({ name, beside }, files, platform) {
  const { value } = files.find((file) => file.name === name && file.beside === beside)
  const path = typeof value === 'string' && !isUrl(value) ? value : null
  return { name, path, bytes: async () => new Uint8Array(await readAll(await openSource(value, platform))) }
}
