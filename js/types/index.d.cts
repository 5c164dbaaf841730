// Types of `onenlp`. (CommonJS, so that both kinds of programs can read them.)

/// <reference lib="esnext.disposable" />

// Without this, what is not exported would be.
export {}

/** Codes of errors; docs/javascript.md explains them. */
export type ErrorCode =
  | 'OUT_OF_MEMORY'
  | 'INVALID_ARGUMENT'
  | 'INVALID_UTF8'
  | 'DATA_FORMAT'
  | 'INVALID_DATA'
  | 'UNSUPPORTED'
  | 'LIMIT'
  | 'IO'
  | 'CANCELLED'
  | 'CLOSED'
  | 'INTERNAL'
  | 'NO_WORKERS'

/** The one class of errors. */
export class OnenlpError extends Error {
  constructor(code: ErrorCode, message: string, details?: { position?: number | null; cause?: unknown })
  readonly name: 'OnenlpError'
  readonly code: ErrorCode
  /** A byte offset or a line number, as the code says; null where there is none. */
  readonly position: number | null
  /** Where the code is explained. */
  readonly help: string
  toJSON(): { name: 'OnenlpError'; code: ErrorCode; message: string; position: number | null }
}

type MaybePromise<T> = T | Promise<T>
type Bytes = ArrayBufferLike | ArrayBufferView

// A global class where the program's libraries know it: neither the DOM's nor Node's are asked for.
type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never
type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T & object : never

/** Where a pipeline file comes from. A string is a URL; in Node, Deno and Bun it may be a path. */
export type PipelineSource = MaybePromise<
  string | Global<'URL'> | Global<'Response'> | Global<'Blob'> | Global<'ReadableStream'> | Bytes
>

/** onenlp.wasm (or onenlp.transformer.wasm), where the package's own is not to be used. */
export type WasmSource = MaybePromise<Module | string | Global<'URL'> | Global<'Response'> | Bytes>

export interface LoadProgress {
  /** Bytes so far, and in all where that is known. */
  loaded: number
  total: number | null
  source: 'network' | 'cache' | 'memory' | 'file'
}

export interface LoadOptions {
  onProgress?: ((progress: LoadProgress) => void) | undefined
  signal?: Global<'AbortSignal'> | undefined
  wasm?: WasmSource | undefined
  /**
   * The dot products of relaxed SIMD: absent, where they are faster; true, where there are any (else UNSUPPORTED); false,
   * never; or onenlp.relaxed.wasm as a module, where bytes cannot be compiled. The results are the same.
   */
  relaxed?: boolean | Module | undefined
  /** The SHA-256 of the file, in hexadecimal. */
  sha256?: string | undefined
  /** Keep what the network gives in the Cache API: true, the name of a cache, or one. */
  cache?: boolean | string | CacheStore | undefined
  /** The most that the pipeline and its texts may hold at once, in bytes. */
  maxMemory?: number | undefined
  /** The files that a pipeline with a `transformer` encoder names: by name, or a function that finds them. */
  files?: EncoderFiles | undefined
  /** Computes models whose graphs onenlp does not know; such pipelines have no `annotate`, only `annotateAsync`. */
  engine?: OnnxEngine | undefined
}

/** What runs ONNX models: `onenlp/onnxruntime-web` and `onenlp/onnxruntime-node` make some. */
export interface OnnxEngine {
  open(model: OnnxModel): Promise<OnnxSession>
}

export interface OnnxModel {
  /** As the pipeline has it. */
  name: string
  /** Where it lies, if it is a file. */
  path: string | null
  bytes(): Promise<Uint8Array>
}

/** A model that was opened. Calls of `run` do not overlap. */
export interface OnnxSession {
  /** Of input_ids, attention_mask, token_type_ids and position_ids, all of 64 bits. */
  inputNames: readonly string[]
  /** With last_hidden_state or token_embeddings among them, or first: 32-bit floats, [sequences, pieces, width]. */
  outputNames: readonly string[]
  run(feeds: Record<string, OnnxInput>): Promise<Record<string, { data: unknown; dims: readonly number[] }>>
  /** Called when the pipeline is closed. */
  release?(): unknown
}

export interface OnnxInput {
  data: BigInt64Array
  dims: number[]
}

/** Where an encoder's model or tokenizer comes from; nothing where there is none. */
export type EncoderFile = MaybePromise<PipelineSource | null | undefined>

/** `beside` is true for a file that belongs into the pipeline file's folder. */
export type EncoderFiles =
  | Readonly<Record<string, EncoderFile>>
  | ReadonlyMap<string, EncoderFile>
  | ((name: string, about: { beside: boolean }) => EncoderFile)

/** What the Cache API has, as far as it is used here. */
export interface CacheStore {
  match(url: string): Promise<Global<'Response'> | undefined>
  put(url: string, response: Global<'Response'>): Promise<unknown>
  delete(url: string): Promise<unknown>
}

export function loadPipeline(source: PipelineSource, options?: LoadOptions): Promise<Pipeline>

/** A token that is given: its form, or more about it. */
export type GivenToken = string | { form: string; spaceAfter?: boolean; words?: string[] }

export type Input =
  | string
  | Uint8Array
  | { text: string | Uint8Array }
  /** One sentence, or a list of sentences. */
  | { tokens: GivenToken[] | GivenToken[][] }
  /** Tokens and sentences are kept. `keepColumns: false` empties the columns that the pipeline does not set. */
  | { conllu: string | Uint8Array; keepColumns?: boolean }

export interface AnnotateProgress {
  /** Bytes done and in all, and words so far. */
  done: number
  total: number
  words: number
}

export interface AnnotateOptions {
  /** Names of the components to run; all by default. */
  components?: string[] | undefined
}

export interface AsyncAnnotateOptions extends AnnotateOptions {
  signal?: Global<'AbortSignal'> | undefined
  onProgress?: ((progress: AnnotateProgress) => void) | undefined
}

export interface WriteOptions extends AnnotateOptions {
  output?: 'conllu' | 'json' | 'jsonl' | undefined
  onProgress?: ((progress: AnnotateProgress) => void) | undefined
}

export interface Component {
  readonly name: string
  /** 'tagger', 'parser', ..., or the name of a builtin ('sentencizer'). */
  readonly kind: string
}

/** A loaded pipeline. Only loadPipeline makes one. */
export class Pipeline {
  private constructor()
  readonly language: string
  /** Name, version, licence, training data, scores. */
  readonly metadata: Readonly<Record<string, string>>
  readonly components: readonly Component[]
  readonly closed: boolean
  /** Bytes that the pipeline and its texts hold now. */
  readonly memoryUsed: number
  labels(component: string): string[]
  /** What the file is made of: config, tensors, sizes, metadata. */
  inspect(): Record<string, unknown>
  inspectText(style?: 'TABLE' | 'JSON'): string
  /** Compares the files that the pipeline names with their SHA-256, where it gives one; throws INVALID_DATA. */
  verifyFiles(): void
  /** Scores of entities, categories and spans on gold JSON Lines. */
  evaluateJsonl(gold: string | Uint8Array, options?: { goldTokens?: boolean | undefined }): Record<string, unknown>
  evaluateJsonlText(gold: string | Uint8Array, style?: 'TABLE' | 'JSON', options?: { goldTokens?: boolean | undefined }): string
  annotate(input: Input, options?: AnnotateOptions): Doc
  /** Lets others run between units of the text. */
  annotateAsync(input: Input, options?: AsyncAnnotateOptions): Promise<Doc>
  pipe(inputs: Iterable<Input> | AsyncIterable<Input>, options?: AnnotateOptions & { signal?: Global<'AbortSignal'> | undefined }): AsyncGenerator<Doc, void, void>
  /** Annotates and writes at once, in pieces of UTF-8. JSON Lines are many texts. */
  write(input: Input | { jsonl: string | Uint8Array }, options?: WriteOptions): Generator<Uint8Array, void, void>
  /** Gives the memory back. Harmless when repeated. */
  close(): void
  /** The same, where the runtime has Symbol.dispose. */
  [Symbol.dispose](): void
}

/** A syntactic word. What no component set is null. */
export interface Token {
  /** The document that it is of. */
  readonly doc: Doc
  /** Its number in the document, from 0. */
  readonly index: number
  /** Its ID in CoNLL-U: its number in the sentence, from 1. */
  readonly id: number
  /** The word itself; in a contraction it may differ from `text`. */
  readonly form: string
  readonly text: string
  /** UTF-16 offsets in the document's text. */
  readonly start: number
  readonly end: number
  readonly lemma: string | null
  readonly upos: string | null
  readonly xpos: string | null
  readonly feats: string | null
  /** The ID of its head in the sentence, 0 for a root. */
  readonly head: number | null
  readonly deprel: string | null
  readonly headToken: Token | null
  readonly sentence: Sentence
  toJSON(): Record<string, string | number | null>
}

/** Tokens [first, last) of a document. */
interface Stretch {
  readonly doc: Doc
  readonly first: number
  readonly last: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly tokens: Token[]
}

export interface Sentence extends Stretch {
  toJSON(): Record<string, string | number>
}

/** A multiword token. */
export interface Range extends Stretch {
  readonly form: string
  toJSON(): Record<string, string | number>
}

/** An entity, or a member of a span group. */
export interface Span extends Stretch {
  readonly label: string
  readonly score: number | null
  toJSON(): Record<string, string | number | null>
}

/** What Doc.toJSON gives; docs/json.schema.json describes it. */
export interface DocJSON {
  text: string
  tokens: [start: number, end: number][]
  entities?: [start: number, end: number, label: string][]
  spans?: Record<string, [start: number, end: number, label: string][]>
  cats?: Record<string, number | null>
  sentences: [first: number, last: number][]
  word_token?: number[]
  ranges?: [first: number, last: number, form: string][]
  form: string[]
  lemma?: (string | null)[]
  upos?: (string | null)[]
  xpos?: (string | null)[]
  feats?: (string | null)[]
  head?: (number | null)[]
  deprel?: (string | null)[]
  entity_scores?: (number | null)[]
  span_scores?: Record<string, (number | null)[]>
}

/** The columns of a document: plain values that can be stored and sent to other threads. */
export interface DocData {
  text: string
  /** Every string once; number 0 is "not set". */
  strings: (string | null)[]
  start: Uint32Array
  end: Uint32Array
  /** The first word of each sentence. */
  sentences: Uint32Array
  /** Numbers of strings; 0 where the form is the text. The next ones are null where nothing sets them. */
  form: Uint32Array | null
  lemma: Uint32Array | null
  upos: Uint32Array | null
  xpos: Uint32Array | null
  feats: Uint32Array | null
  head: Uint32Array | null
  deprel: Uint32Array | null
  ranges: Record<'first' | 'last' | 'start' | 'end' | 'form', Uint32Array> | null
  entities: (Record<'first' | 'last' | 'label', Uint32Array> & { score: Float32Array }) | null
  spans: (Record<'group' | 'first' | 'last' | 'label', Uint32Array> & { score: Float32Array }) | null
  cats: { label: Uint32Array; score: Float32Array } | null
  /** Of a text, the parts that were annotated one after another: up to which word, where, whether a paragraph starts. */
  units: Record<'last' | 'start' | 'end' | 'paragraph', Uint32Array> | null
  /** Of given tokens, what toConllu gives. */
  conllu: string | null
}

/** An annotated text. Nothing of it has to be freed. */
export class Doc {
  constructor(data: DocData)
  readonly data: DocData
  readonly text: string
  /** How many tokens there are. */
  readonly length: number
  readonly tokens: Token[]
  readonly sentences: Sentence[]
  readonly ranges: Range[]
  readonly entities: Span[]
  /** Span groups by name. */
  readonly spans: Record<string, Span[]>
  readonly cats: Record<string, number | null>
  sentenceIndexOf(token: number): number
  toConllu(): string
  toJSON(): DocJSON
}

/** What a Worker of node:worker_threads has, as far as it is used here. */
export interface WorkerThread {
  postMessage(message: unknown, transfer?: readonly any[]): void
  on(event: string, listener: (...values: any[]) => void): unknown
  terminate(): unknown
}

export interface PoolOptions extends Omit<LoadOptions, 'cache' | 'sha256'> {
  /** How many workers; by default as many as there are processors. */
  size?: number | undefined
  /** Makes a worker that runs `onenlp/worker`, where the usual way does not work. */
  worker?: (() => Global<'Worker'> | WorkerThread) | undefined
}

/** Starts workers that annotate with one pipeline. Throws NO_WORKERS where there are none. */
export function createPool(source: PipelineSource, options?: PoolOptions): Promise<Pool>

/** Several workers with the same pipeline. Only createPool makes one. */
export class Pool {
  private constructor()
  readonly size: number
  readonly language: string
  readonly metadata: Readonly<Record<string, string>>
  readonly components: readonly Component[]
  readonly closed: boolean
  annotate(input: Input, options?: AsyncAnnotateOptions): Promise<Doc>
  /** Documents come out in order. A document that fails goes to `onError`, and the others follow. */
  pipe(
    inputs: Iterable<Input> | AsyncIterable<Input>,
    options?: AnnotateOptions & {
      signal?: Global<'AbortSignal'> | undefined
      onError?: ((error: OnenlpError, index: number) => void) | undefined
    },
  ): AsyncGenerator<Doc, void, void>
  close(): Promise<void>
  /** The same, where the runtime has Symbol.asyncDispose. */
  [Symbol.asyncDispose](): Promise<void>
}
