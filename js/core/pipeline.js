// A loaded pipeline. It has an instance of the module to itself: closing it (or losing the last
// reference to it) gives all of its memory back, and no pipeline can harm another one.

import { ColumnTable, DocBuilder } from './columns.js'
import { Doc } from './doc.js'
import { OnenlpError, invalidArgument, throwIfAborted } from './errors.js'
import { withBytes } from './formats.js'
import { readInput } from './input.js'
import { utf8 } from './instance.js'
import { checkInputs, checkOptions } from './options.js'
import { whileNotAborted } from './source.js'

// An annotator that has seen more text than this is not kept for the next one, since its buffers are large.
const LARGE_TEXT = 1 << 20

// Asynchronous work lets others run after this many milliseconds, or units, where the clock stands still.
const SLICE_MS = 8
const SLICE_UNITS = 32

const OUTPUTS = { conllu: 'CONLLU', json: 'JSON', jsonl: 'JSONL' }

const nextTurn =
  typeof setImmediate === 'function' ? () => new Promise((resolve) => setImmediate(resolve))
  : () => new Promise((resolve) => setTimeout(resolve, 0))

// A text that is left in the middle of being written, without `return`, gives its memory back to the pipeline.
const forgotten = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry(({ run }) => run?.end()) : null

export class Pipeline {
  #instance
  #pipeline
  #file
  #host
  /** The annotator of the text before, by its columns. */
  #idle = null
  // Whether the annotator in #idle has components switched off.
  #chosen = false
  #runs = new Set()
  #onEnd = (run) => this.#ended(run)
  /** 'en', ... or '' */
  language
  /** @type {Readonly<Record<string, string>>} name, version, licence, training data, scores */
  metadata
  /** @type {readonly Readonly<{ name: string, kind: string }>[]} */
  components

  /**
   * @param {import('./instance.js').Instance} instance
   * @param {number} block the file, which from now on is the pipeline's
   * @param {number} size
   * @param {import('./files.js').HostFiles} [host] the files that the pipeline names, which from now on are its own
   * @param {boolean} [givesBack] whether the block of a file that cannot be loaded stays the caller's
   */
  constructor(instance, block, size, host, givesBack = false) {
    this.#instance = instance
    this.#host = host
    const load = host ? 'onenlp_wasm_load' : 'onenlp_load'
    this.#pipeline = instance.pointer(load, block, size, instance.constants.ownership.BORROW, instance.errorAt)
    if (this.#pipeline === 0) {
      const error = instance.error()
      if (!givesBack) instance.free(block)
      throw error
    }
    this.#file = block
    this.language = instance.stringOf('onenlp_language', this.#pipeline)
    const metadata = this.#list('onenlp_metadata_count').map((i) => [
      instance.stringOf('onenlp_metadata_key', this.#pipeline, i),
      instance.stringOf('onenlp_metadata_value', this.#pipeline, i),
    ])
    this.metadata = Object.freeze(Object.fromEntries(metadata))
    this.components = Object.freeze(this.#list('onenlp_component_count').map((i) => Object.freeze({
      name: instance.stringOf('onenlp_component_name', this.#pipeline, i),
      kind: instance.stringOf('onenlp_component_kind', this.#pipeline, i),
    })))
  }

  #list(countFunction, ...args) {
    return Array.from({ length: this.#instance.call(countFunction, this.#pipeline, ...args) }, (_, i) => i)
  }

  #checkOpen() {
    if (this.#pipeline === 0) throw new OnenlpError('CLOSED', 'the pipeline is closed')
    if (this.#instance.failure) throw this.#instance.failure
  }

  /** Whether `close` was called. */
  get closed() {
    return this.#pipeline === 0
  }

  /** Bytes that the pipeline and its texts hold now. */
  get memoryUsed() {
    this.#checkOpen()
    return this.#instance.pointer('onenlp_memory_used')
  }

  /** The labels of a component, in output order. */
  labels(component) {
    this.#checkOpen()
    const index = this.#componentIndex(component)
    return this.#list('onenlp_label_count', index).map((i) =>
      this.#instance.stringOf('onenlp_label', this.#pipeline, index, i))
  }

  /** What the file is made of: config, tensors, sizes, metadata. */
  inspect() {
    return JSON.parse(this.inspectText('JSON'))
  }

  /** The same as a text: 'TABLE' or 'JSON'. */
  inspectText(style = 'TABLE') {
    this.#checkOpen()
    const instance = this.#instance
    return utf8.decode(instance.collect((buffer) => {
      if (!instance.call('onenlp_inspect', this.#pipeline, instance.constants.style[style], buffer, instance.errorAt)) {
        throw instance.error()
      }
    }))
  }

  /**
   * Compares the files that the pipeline names with the SHA-256 that it gives for them, where it does; throws
   * INVALID_DATA where one differs.
   */
  verifyFiles() {
    this.#checkOpen()
    const instance = this.#instance
    if (this.#host && !instance.call('onenlp_verify_files', this.#pipeline, instance.errorAt)) throw instance.error()
  }

  // ---- Annotating

  /**
   * Annotates a text at once.
   *
   * @param {string | Uint8Array | { text: string } | { tokens: unknown[] } | { conllu: string }} input
   * @param {{ components?: string[] }} [options]
   * @returns {Doc}
   */
  annotate(input, options) {
    const run = new DocRun(this.#start(input, options, 'COLUMN_BLOCKS'))
    try {
      while (run.next() && !run.isWhole);
      return run.finish()
    } finally {
      run.end()
    }
  }

  /**
   * The same, letting others run between units, with progress and cancelling.
   *
   * @param {Parameters<Pipeline['annotate']>[0]} input
   * @param {{ components?: string[], signal?: AbortSignal,
   *     onProgress?: (progress: { done: number, total: number, words: number }) => void }} [options]
   * @returns {Promise<Doc>}
   */
  async annotateAsync(input, options) {
    const { signal, onProgress } = checkOptions(options)
    throwIfAborted(signal)
    const run = new DocRun(this.#start(input, options, 'COLUMNS'))
    try {
      let since = performance.now()
      for (let units = 1, more; (more = run.next(true)) !== false; units++) {
        if (more === null) {
          await run.compute()
          throwIfAborted(signal)
          continue
        }
        onProgress?.(run.progress())
        if (units % SLICE_UNITS !== 0 && performance.now() - since < SLICE_MS) continue
        await nextTurn()
        throwIfAborted(signal)
        since = performance.now()
      }
      onProgress?.(run.progress())
      return run.finish()
    } finally {
      run.end()
    }
  }

  /**
   * Annotates many texts one after another, as they are asked for.
   *
   * @param {Iterable<unknown> | AsyncIterable<unknown>} inputs
   * @param {{ components?: string[], signal?: AbortSignal }} [options]
   * @returns {AsyncGenerator<Doc>}
   */
  async *pipe(inputs, options) {
    const { signal } = checkOptions(options)
    for await (const input of whileNotAborted(checkInputs(inputs), signal)) yield await this.annotateAsync(input, options)
  }

  /**
   * Annotates and writes at once, in pieces of UTF-8, never holding the whole of it: what the command
   * prints. (JSON comes in one piece at the end of a text.) JSON Lines are many texts.
   *
   * @param {Parameters<Pipeline['annotate']>[0] | { jsonl: string | Uint8Array }} input
   * @param {{ output?: 'conllu' | 'json' | 'jsonl', components?: string[],
   *     onProgress?: (progress: { done: number, total: number, words: number }) => void }} [options]
   * @returns {Generator<Uint8Array>}
   */
  write(input, options) {
    const held = { run: null }
    const generator = this.#write(input, options, held)
    forgotten?.register(generator, held)
    return generator
  }

  *#write(input, options, held) {
    const { output = 'conllu', onProgress } = checkOptions(options)
    if (!Object.hasOwn(OUTPUTS, output)) {
      throw invalidArgument(`the output is '${output}', want one of ${Object.keys(OUTPUTS).join(', ')}`)
    }
    const run = this.#start(input, options, OUTPUTS[output], { lines: true })
    held.run = run
    try {
      for (let more = true; more;) {
        more = run.next()
        onProgress?.(run.progress())
        const bytes = run.takeOutput()
        if (bytes.length > 0) yield bytes
      }
    } finally {
      run.end()
    }
  }

  /**
   * Scores of entities, categories and spans on gold JSON Lines.
   *
   * @param {string | Uint8Array} gold
   * @param {{ goldTokens?: boolean }} [options] goldTokens: give the pipeline the tokens of the lines that have some
   */
  evaluateJsonl(gold, options) {
    return JSON.parse(this.evaluateJsonlText(gold, 'JSON', options))
  }

  /** The same as a text: 'TABLE' or 'JSON'. */
  evaluateJsonlText(gold, style = 'TABLE', { goldTokens = false } = {}) {
    this.#checkOpen()
    const instance = this.#instance
    return withBytes(instance, [gold], (block, size) => utf8.decode(instance.collect((buffer) => {
      const done = instance.call('onenlp_evaluate_jsonl', this.#pipeline, block, size, goldTokens ? 1 : 0,
        instance.constants.style[style], buffer, 0, 0, instance.errorAt)
      if (!done) throw instance.error()
    })))
  }

  #componentIndex(name) {
    const index = this.components.findIndex((component) => component.name === name)
    if (index >= 0) return index
    throw invalidArgument(
      `there is no component '${name}'; there are ${this.components.map((component) => component.name).join(', ') || 'none'}`)
  }

  #start(input, options, output, inputOptions) {
    this.#checkOpen()
    const read = readInput(input, inputOptions)
    const { components } = checkOptions(options)
    const wanted = components && new Set(components.map((name) => this.#componentIndex(name)))
    const instance = this.#instance
    const table = this.#idle ?? this.#newAnnotator()
    this.#idle = null
    if (wanted || this.#chosen) {
      for (let i = 0; i < this.components.length; i++) {
        instance.call('onenlp_set_component', table.annotator, i, !wanted || wanted.has(i) ? 1 : 0)
      }
    }
    this.#chosen = false
    const run = new Run(table, read, this.#onEnd, this.#host?.engines)
    run.chosen = wanted !== undefined
    this.#runs.add(run)
    try {
      run.begin(output)
    } catch (error) {
      run.end()
      throw error
    }
    return run
  }

  #newAnnotator() {
    const instance = this.#instance
    const annotator = instance.pointer('onenlp_annotator_new', this.#pipeline, instance.errorAt)
    if (annotator === 0) throw instance.error()
    return new ColumnTable(instance, annotator)
  }

  #ended(run) {
    this.#runs.delete(run)
    if (this.#instance.failure) return
    // One that stopped halfway still holds what it needs to go on.
    const keep = run.finished && run.size < LARGE_TEXT
    if (keep && this.#idle === null && this.#pipeline !== 0) {
      this.#idle = run.table
      this.#chosen = run.chosen
    } else this.#instance.call('onenlp_annotator_free', run.annotator)
  }

  /** Frees the pipeline; texts that are being annotated end with CLOSED. Harmless when repeated. */
  close() {
    if (this.#pipeline === 0) return
    const pipeline = this.#pipeline
    this.#pipeline = 0
    for (const run of this.#runs) run.end(new OnenlpError('CLOSED', 'the pipeline was closed'))
    if (!this.#instance.failure) {
      this.#instance.call('onenlp_annotator_free', this.#idle?.annotator ?? 0)
      this.#instance.call('onenlp_pipeline_free', pipeline)
      this.#instance.free(this.#file)
    }
    this.#host?.close()
    this.#idle = null
    this.#instance = null
  }
}

// Where a runtime has no Symbol.dispose yet, `using` does not exist either.
if (typeof Symbol.dispose === 'symbol') {
  Object.defineProperty(Pipeline.prototype, Symbol.dispose, { value: Pipeline.prototype.close, configurable: true, writable: true })
}

const NONE = []

/** A text on its way through the pipeline. */
class Run {
  #text = 0
  #content
  #onEnd
  #error = null
  #running = true
  #engines
  // Of the unit: what an engine has computed, and what it has to.
  #vectors
  #missing = NONE

  constructor(table, { kind, content }, onEnd, engines) {
    this.#engines = engines
    this.#vectors = engines ? new Map() : null
    this.table = table
    this.instance = table.instance
    this.annotator = table.annotator
    this.kind = kind
    this.#content = content
    this.#onEnd = onEnd
    this.size = 0
    this.finished = false
    /** Whether components were chosen, so that the next text must choose again. */
    this.chosen = false
  }

  /** Copies the input into the module, which reads it until the end. */
  begin(output) {
    const { instance } = this
    const { input, output: outputs } = instance.constants
    const content = this.#content
    if (typeof content === 'string') {
      ;[this.#text, this.size] = instance.allocString(content)
    } else {
      this.#text = instance.allocBytes(content)
      this.size = content.length
    }
    const begun = instance.begin(this.annotator, input[this.kind], this.#text, this.size, outputs[this.#outputOf(output)])
    this.finished = !begun
    if (!begun) throw instance.error()
  }

  /**
   * Only of given tokens does a Doc need CoNLL-U at once: theirs may hold what no column has. An engine computes for
   * one unit at a time.
   */
  #outputOf(output) {
    if (output !== 'COLUMNS' && output !== 'COLUMN_BLOCKS') return output
    if (this.kind !== 'TEXT') return 'COLUMNS_CONLLU'
    return this.#engines ? 'COLUMNS' : output
  }

  /**
   * Annotates the next unit, or of 'COLUMN_BLOCKS' several; false when there is none. With `canWait`, null when an
   * engine has to compute first.
   *
   * @param {boolean} [canWait]
   */
  next(canWait = false) {
    if (!this.#running) throw this.instance.failure ?? this.#error ?? new OnenlpError('CLOSED', 'the text has ended')
    const got = this.#engines ? this.#nextWithEngines() : this.instance.next(this.annotator)
    if (this.#missing.length > 0) {
      if (canWait) return null
      throw new OnenlpError('UNSUPPORTED', `${this.#missing[0].model.name} runs in an engine: only annotateAsync and pipe wait for it`)
    }
    this.finished = got <= 0
    if (got < 0) throw this.instance.error()
    return got === 1
  }

  #nextWithEngines() {
    const { result, missing } = this.#engines.serve(
      this.#vectors, () => this.instance.next(this.annotator))
    this.#missing = missing
    if (missing.length === 0) this.#vectors.clear()
    return result
  }

  /** Lets an engine compute what the unit needs. */
  compute() {
    return this.#engines.compute(this.#missing, this.#vectors)
  }

  progress() {
    const { instance } = this
    instance.call('onenlp_progress', this.annotator, ...[0, 2, 4].map((i) => instance.resultAt(i)))
    return { done: instance.result64(0), total: instance.result64(2), words: instance.result64(4) }
  }

  /** What was written since the last call. */
  takeOutput() {
    const buffer = this.instance.pointer('onenlp_output', this.annotator)
    const bytes = this.instance.bufferBytes(buffer)
    this.instance.call('onenlp_buffer_clear', buffer)
    return bytes
  }

  /** The text that the offsets refer to. */
  text() {
    if (this.kind === 'TEXT' && typeof this.#content === 'string') return this.#content
    return this.instance.stringOf('onenlp_text', this.annotator) ?? ''
  }

  /** Gives the memory back. `error`: what a later call of `next` throws, where it is not that the text has ended. */
  end(error = null) {
    if (!this.#running) return
    this.#running = false
    this.#error = error
    if (!this.instance.failure) this.instance.free(this.#text)
    this.#onEnd(this)
  }
}

/** A text that becomes a Doc. */
class DocRun {
  #run
  #builder
  #conllu = []

  constructor(run) {
    this.#run = run
    this.#builder = new DocBuilder(run.table)
  }

  next(canWait = false) {
    const more = this.#run.next(canWait)
    if (more === null) return null
    if (more) this.#builder.addUnits()
    if (this.#run.kind === 'TEXT') return more
    const bytes = this.#run.takeOutput()
    // A unit ends with a line, so no character is cut.
    if (bytes.length > 0) this.#conllu.push(utf8.decode(bytes))
    return more
  }

  compute() {
    return this.#run.compute()
  }

  progress() {
    return this.#run.progress()
  }

  /** Whether what was annotated is all of the text, so that nothing is to be asked for. */
  get isWhole() {
    return this.#builder.isWhole
  }

  finish() {
    // The next text ends this one.
    if (this.isWhole) this.#run.finished = true
    const conllu = this.#run.kind === 'TEXT' ? null : this.#conllu.join('')
    return new Doc(this.#builder.finish(this.#run.text(), conllu))
  }

  end() {
    this.#run.end()
  }
}
