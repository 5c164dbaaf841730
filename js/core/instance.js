// One instance of the module: calls, memory, errors. Views of its memory are made where they are
// used and never kept, because any call may grow the memory and so detach them.

import { OnenlpError } from './errors.js'
import { relax } from './relaxed.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

// Where functions leave their results: an onenlp_error, then words of 32 bits.
const RESULT_WORDS = 8

// Strings up to this length are faster written unit by unit than by an encoder.
const BY_HAND = 128

export class Instance {
  #exports
  #memory
  #scratch
  #results
  #failure = null
  #views = { u8: new Uint8Array(), u32: new Uint32Array() }
  /** Values of the C enumerations by group and name, as the module tells them. */
  constants = {}
  /** Error codes by number. */
  codes = []

  /**
   * @param {WebAssembly.Module} module
   * @param {{ host?: import('./files.js').HostFiles, maxMemory?: number,
   *     relaxed?: boolean | WebAssembly.Module }} [options] host: the files that a module with transformers may ask for;
   *     relaxed: whether to use relaxed SIMD (absent: where it is faster)
   */
  static async create(module, { host, maxMemory, relaxed } = {}) {
    const imports = {}
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      // Else a notice that memory has grown, which nothing here needs.
      ;(imports[from] ??= {})[name] = (from === 'onenlp' ? host?.imports[name] : undefined) ?? (() => {})
    }
    try {
      const started = await WebAssembly.instantiate(module, imports)
      relax(started.exports, relaxed)
      const instance = new Instance(started)
      host?.attach(instance)
      if (maxMemory !== undefined) instance.call('onenlp_set_memory_limit', maxMemory)
      return instance
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      throw new OnenlpError('OUT_OF_MEMORY', `there is no memory for the WebAssembly module: ${cause.message}`, { cause })
    }
  }

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    // A copy: a plain object is read faster than the module's own.
    this.#exports = { ...instance.exports }
    this.#memory = instance.exports.memory
    instance.exports._initialize?.()
    this.call('onenlp_seed_hashes', Math.random() * 2 ** 32, Math.random() * 2 ** 32)
    const names = this.#name('onenlp_wasm_constant_names').split(' ')
    const values = new Int32Array(this.#memory.buffer, this.pointer('onenlp_wasm_constant_values'), names.length)
    for (let i = 0; i < names.length; i++) {
      const name = names[i]
      const dot = name.indexOf('.')
      ;(this.constants[name.slice(0, dot)] ??= {})[name.slice(dot + 1)] = values[i]
    }
    for (let i = 0, name; (name = this.#name('onenlp_code_name', i)) !== 'UNKNOWN'; i++) this.codes.push(name)
    this.#scratch = this.alloc(this.constants.error.size + RESULT_WORDS * 4)
    this.#results = this.#scratch + this.constants.error.size
  }

  #name(name, i) {
    return this.cString(this.pointer(name, i))
  }

  get version() {
    return this.#name('onenlp_version')
  }

  /** What made the instance unusable, or null. */
  get failure() {
    return this.#failure
  }

  /**
   * Calls an exported function. Should it trap, its memory may be in any state, so the instance is
   * given up: this call and all later ones throw INTERNAL.
   *
   * @param {string} name
   * @param {...number} args
   * @returns {number}
   */
  call(name, ...args) {
    if (this.#failure) throw this.#failure
    try {
      return this.#exports[name](...args)
    } catch (cause) {
      throw this.#stopped(name, cause)
    }
  }

  // The calls of every text, so that those of short ones cost little: an engine calls a function that it knows by name
  // directly.

  /** onenlp_next */
  next(annotator) {
    if (this.#failure) throw this.#failure
    try {
      return this.#exports.onenlp_next(annotator, this.#scratch)
    } catch (cause) {
      throw this.#stopped('onenlp_next', cause)
    }
  }

  /** onenlp_begin */
  begin(annotator, input, text, size, output) {
    if (this.#failure) throw this.#failure
    try {
      return this.#exports.onenlp_begin(annotator, input, text, size, output, this.#scratch)
    } catch (cause) {
      throw this.#stopped('onenlp_begin', cause)
    }
  }

  /** onenlp_strings: the address of the strings; that of their ends and their count are results 0 and 1. */
  strings(annotator) {
    if (this.#failure) throw this.#failure
    try {
      return this.#exports.onenlp_strings(annotator, this.resultAt(0), this.resultAt(1)) >>> 0
    } catch (cause) {
      throw this.#stopped('onenlp_strings', cause)
    }
  }

  #stopped(name, cause) {
    return (this.#failure = new OnenlpError(
      'INTERNAL', `the WebAssembly module stopped in ${name} (${cause?.message}); load the pipeline again`, { cause }))
  }

  /** `call` for functions that return a pointer (or size_t), which may lie above 2 GB. */
  pointer(name, ...args) {
    return this.call(name, ...args) >>> 0
  }

  // ---- Memory

  get u8() {
    if (this.#views.u8.buffer !== this.#memory.buffer) this.#views.u8 = new Uint8Array(this.#memory.buffer)
    return this.#views.u8
  }

  get u32() {
    if (this.#views.u32.buffer !== this.#memory.buffer) this.#views.u32 = new Uint32Array(this.#memory.buffer)
    return this.#views.u32
  }

  get memorySize() {
    return this.#memory.buffer.byteLength
  }

  /** @returns {number} the address of a new block; throws OUT_OF_MEMORY */
  alloc(size) {
    // 0 bytes would be a block as well, but NULL must mean failure.
    if (this.#failure) throw this.#failure
    let block = 0
    try {
      if (size <= 0xffffffff) block = this.#exports.onenlp_alloc(Math.max(size, 1)) >>> 0
    } catch (cause) {
      throw this.#stopped('onenlp_alloc', cause)
    }
    if (block === 0) throw new OnenlpError('OUT_OF_MEMORY', 'out of memory')
    return block
  }

  free(block) {
    if (this.#failure) throw this.#failure
    try {
      this.#exports.onenlp_free(block)
    } catch (cause) {
      throw this.#stopped('onenlp_free', cause)
    }
  }

  /** Copies bytes into a new block. */
  allocBytes(bytes) {
    const block = this.alloc(bytes.length)
    this.u8.set(bytes, block)
    return block
  }

  /** Copies a string as UTF-8 into a new block: [address, size]. */
  allocString(string) {
    // Short strings are written in place, into room for the worst case, and the shortest by hand, if they are ASCII.
    if (string.length > 4096) {
      const bytes = encoder.encode(string)
      return [this.allocBytes(bytes), bytes.length]
    }
    const room = string.length * 3
    const block = this.alloc(room)
    const u8 = this.u8
    if (string.length <= BY_HAND) {
      let i = 0
      for (let code; i < string.length && (code = string.charCodeAt(i)) < 0x80; i++) u8[block + i] = code
      if (i === string.length) return [block, i]
    }
    const { written } = encoder.encodeInto(string, u8.subarray(block, block + room))
    return [block, written]
  }

  setDouble(at, value) {
    new DataView(this.#memory.buffer).setFloat64(at, value, true)
  }

  bytes(start, size) {
    return this.u8.slice(start, start + size)
  }

  words(start, count) {
    return this.u32.slice(start >>> 2, (start >>> 2) + count)
  }

  string(start, size) {
    return decoder.decode(this.u8.subarray(start, start + size))
  }

  cString(start) {
    if (start === 0) return ''
    const u8 = this.u8
    return decoder.decode(u8.subarray(start, u8.indexOf(0, start)))
  }

  // ---- Results

  /** The address that a function is given for its onenlp_error. */
  get errorAt() {
    return this.#scratch
  }

  /** The address of result word i. */
  resultAt(i) {
    return this.#results + i * 4
  }

  result(i) {
    return this.u32[this.resultAt(i) >>> 2]
  }

  /** A uint64_t in result words i and i + 1. */
  result64(i) {
    return this.result(i) + this.result(i + 1) * 2 ** 32
  }

  /** The string that a function returns with its length in *size, the last argument; null where it is NULL. */
  stringOf(name, ...args) {
    const start = this.pointer(name, ...args, this.resultAt(0))
    return start === 0 ? null : this.string(start, this.result(0))
  }

  /** The error that the function called last has left. */
  error() {
    const { code, position, text } = this.constants.error
    const at = (this.#scratch + position) >>> 2
    const where = this.u32[at] + (this.u32[at + 1] | 0) * 2 ** 32
    return new OnenlpError(
      this.codes[this.u32[(this.#scratch + code) >>> 2]] ?? 'UNKNOWN',
      this.cString(this.#scratch + text),
      { position: where < 0 ? null : where },
    )
  }

  /** Runs `use(buffer)` with a new onenlp_buffer and returns what it then holds, as bytes. */
  collect(use) {
    const buffer = this.pointer('onenlp_buffer_new')
    if (buffer === 0) throw new OnenlpError('OUT_OF_MEMORY', 'out of memory')
    try {
      use(buffer)
      return this.bufferBytes(buffer)
    } finally {
      if (!this.#failure) this.call('onenlp_buffer_free', buffer)
    }
  }

  /** A copy of an onenlp_buffer's contents. */
  bufferBytes(buffer) {
    const start = this.pointer('onenlp_buffer_data', buffer, this.resultAt(0))
    return this.bytes(start, this.result(0))
  }
}

export const utf8 = {
  encode: (string) => encoder.encode(string),
  decode: (bytes) => decoder.decode(bytes),
}
