// Models whose graphs the module does not know, computed by an engine that the caller gives (onnxruntime, ...). An engine
// answers later and the module cannot wait, so a unit is tried twice: the first time the module says which sequences of
// pieces it needs, the second time their vectors are there.

import { OnenlpError } from './errors.js'

/**
 * @typedef {object} OnnxEngine
 * @property {(model: OnnxModel) => Promise<OnnxSession>} open
 *
 * @typedef {object} OnnxModel
 * @property {string} name as the pipeline has it
 * @property {string | null} path where it lies, if it is a file
 * @property {() => Promise<Uint8Array>} bytes the whole of it
 *
 * @typedef {object} OnnxSession
 * @property {readonly string[]} inputNames
 * @property {readonly string[]} outputNames
 * @property {(feeds: Record<string, { data: BigInt64Array, dims: number[] }>) =>
 *     Promise<Record<string, { data: unknown, dims: readonly number[] }>>} run
 * @property {() => unknown} [release]
 *
 * @typedef {{ name: string, beside: boolean }} ModelName
 * @typedef {{ model: Model, key: string, ids: BigInt64Array }} Sequence
 */

/** What the inputs of a graph hold, for sequences of one length. */
const INPUTS = {
  input_ids: (sequences) => (i, at) => sequences[i].ids[at],
  attention_mask: () => () => 1n,
  token_type_ids: () => () => 0n,
  position_ids: () => (i, at) => BigInt(at),
}

// The vectors of a piece, by the names that exporters give them; else the first output.
const OUTPUTS = ['last_hidden_state', 'token_embeddings']

// So many pieces go through a session at once.
const MOST_PIECES = 4096

const failed = (name, cause) =>
  cause instanceof OnenlpError ? cause : new OnenlpError('INTERNAL', `the engine of ${name} failed: ${cause?.message ?? cause}`, { cause })

/** A model in its engine. */
class Model {
  #session
  #output
  #last = Promise.resolve()

  constructor(name, session) {
    const unknown = session.inputNames.filter((input) => !Object.hasOwn(INPUTS, input))
    if (unknown.length > 0) {
      throw new OnenlpError('UNSUPPORTED', `${name} asks for ${unknown.join(', ')}; ${Object.keys(INPUTS).join(', ')} can be given`)
    }
    this.name = name
    this.width = 0
    this.#session = session
    this.#output = OUTPUTS.find((output) => session.outputNames.includes(output)) ?? session.outputNames[0]
  }

  static async open(name, engine, model) {
    try {
      const session = await engine.open(model)
      try {
        const opened = new Model(name, session)
        // How wide the vectors are is known when there are some.
        const [vectors] = await opened.run([{ ids: BigInt64Array.of(0n, 0n) }])
        opened.width = vectors.length / 2
        return opened
      } catch (error) {
        await session.release?.()
        throw error
      }
    } catch (cause) {
      throw failed(name, cause)
    }
  }

  /**
   * The vectors of sequences that are equally long, one after another with what else runs.
   *
   * @param {{ ids: BigInt64Array }[]} sequences
   * @returns {Promise<Float32Array[]>}
   */
  run(sequences) {
    const result = this.#last.then(() => this.#run(sequences))
    this.#last = result.catch(() => {})
    return result
  }

  async #run(sequences) {
    const length = sequences[0].ids.length
    const dims = [sequences.length, length]
    const feeds = {}
    for (const name of this.#session.inputNames) {
      const valueAt = INPUTS[name](sequences)
      feeds[name] = { data: new BigInt64Array(sequences.length * length).map((_, i) => valueAt(Math.floor(i / length), i % length)), dims }
    }
    const { [this.#output]: output } = await this.#session.run(feeds)
    const width = output?.dims.length === 3 ? Number(output.dims[2]) : 0
    if (!(output?.data instanceof Float32Array) || width === 0 || output.data.length !== sequences.length * length * width ||
      (this.width !== 0 && width !== this.width)) {
      throw new OnenlpError('UNSUPPORTED', `${this.name}: the output ${this.#output} must be 32-bit floats, [sequences, pieces, width]`)
    }
    return sequences.map((_, i) => output.data.slice(i * length * width, (i + 1) * length * width))
  }

  async release() {
    await this.#last
    await this.#session.release?.()
  }
}

const idOf = (name, beside) => `${beside ? 'beside' : ''}/${name}`

/** The models of a pipeline that run in an engine. */
export class Engines {
  /** @type {Map<string, Model>} */
  #models = new Map()
  /** @type {ModelName[]} */
  #refused = []
  /** @type {Map<string, Float32Array>} */
  #vectors = new Map()
  /** @type {Map<string, Sequence>} */
  #missing = new Map()

  /**
   * The models that the module did not know, since the last call.
   *
   * @returns {ModelName[]}
   */
  takeRefused() {
    return this.#refused.splice(0)
  }

  /** @param {ModelName} name @param {OnnxEngine} engine @param {OnnxModel} model */
  async open({ name, beside }, engine, model) {
    this.#models.set(idOf(name, beside), await Model.open(name, engine, model))
  }

  // ---- What the module asks

  /** The width of a model's vectors; 0: it runs in no engine. */
  width(name, beside) {
    const model = this.#models.get(idOf(name, beside))
    if (!model) this.#refused.push({ name, beside })
    return model?.width ?? 0
  }

  /**
   * Writes the vectors of sequences to `out`.
   *
   * @param {Uint32Array} ids
   * @param {Uint32Array} windows where each sequence begins in ids, and where the last one ends
   * @param {Float32Array} out
   * @returns {1 | -1} -1: some are missing
   */
  encode(name, beside, ids, windows, out) {
    const model = this.#models.get(idOf(name, beside))
    let isWhole = true
    for (let i = 0; i + 1 < windows.length; i++) {
      const sequence = ids.subarray(windows[i], windows[i + 1])
      const key = `${idOf(name, beside)} ${sequence.join()}`
      const vectors = this.#vectors.get(key)
      if (vectors) {
        out.set(vectors, windows[i] * model.width)
      } else {
        isWhole = false
        this.#missing.set(key, { model, key, ids: BigInt64Array.from(sequence, BigInt) })
      }
    }
    return isWhole ? 1 : -1
  }

  // ---- What the pipeline asks

  /**
   * Calls the module for a text, whose vectors so far are `vectors`.
   *
   * @template T
   * @param {Map<string, Float32Array>} vectors
   * @param {() => T} call
   * @returns {{ result: T, missing: Sequence[] }}
   */
  serve(vectors, call) {
    this.#vectors = vectors
    this.#missing.clear()
    const result = call()
    return { result, missing: [...this.#missing.values()] }
  }

  /**
   * Computes what was missing.
   *
   * @param {Sequence[]} missing
   * @param {Map<string, Float32Array>} vectors where it is put
   */
  async compute(missing, vectors) {
    const left = new Set(missing)
    for (const first of left) {
      const { model, ids: { length } } = first
      const batch = [...left].filter((sequence) => sequence.model === model && sequence.ids.length === length)
        .slice(0, Math.max(1, Math.floor(MOST_PIECES / length)))
      let results
      try {
        results = await model.run(batch)
      } catch (cause) {
        throw failed(model.name, cause)
      }
      batch.forEach((sequence, i) => {
        vectors.set(sequence.key, results[i])
        left.delete(sequence)
      })
    }
  }

  /** Closes the sessions when what runs in them has ended. */
  close() {
    for (const model of this.#models.values()) model.release().catch(() => {})
    this.#models.clear()
  }
}
