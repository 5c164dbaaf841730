// Types of `onenlp/formats`.

import type { Doc, DocJSON, WasmSource } from './index.cjs'

export { OnenlpError } from './index.cjs'

// A global class where the program's libraries know it.
type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never

export interface FormatOptions {
  wasm?: WasmSource | undefined
}

type Chunk = string | ArrayBufferLike | ArrayBufferView
type MaybePromise<T> = T | Promise<T>

/** What is read as it comes: a string and bytes are content themselves, not names of files. */
export type Content = MaybePromise<
  Chunk | Global<'Blob'> | Global<'Response'> | Global<'ReadableStream'> | Iterable<Chunk> | AsyncIterable<Chunk>
>

export interface StreamOptions extends FormatOptions {
  signal?: Global<'AbortSignal'> | undefined
}

export interface ReadJsonlOptions extends StreamOptions {
  /** What becomes of entities and spans whose edges are no token boundaries; 'error' by default. */
  misaligned?: 'error' | 'skip' | undefined
}

export type Labelled = [start: number, end: number, label: string]

/** A line of JSON Lines. Offsets are UTF-16 units of `text`. */
export interface JsonDocument {
  text: string
  tokens: [start: number, end: number][]
  entities?: Labelled[]
  spans?: Record<string, Labelled[]>
  cats?: Record<string, number>
  /** Members that the format does not know stay as they are. */
  [member: string]: unknown
}

/** A sentence of CoNLL-U: its text, and its columns with an element for each word. */
export interface ConlluSentence {
  text: string
  tokens: [start: number, end: number][]
  entities?: Labelled[]
  form: string[]
  lemma: (string | null)[]
  upos: (string | null)[]
  xpos: (string | null)[]
  feats: (string | null)[]
  /** As written: 0 for a root, null for `_`. */
  head: (number | null)[]
  deprel: (string | null)[]
  deps: (string | null)[]
  misc: (string | null)[]
  /** Comment lines, lines of multiword tokens and of empty nodes, as written; absent where there are none. */
  comments?: string[]
  range_lines?: string[]
  empty_lines?: string[]
}

/** What can be written. Of a line of JSON Lines only the text is required. */
export type WritableDocument = Doc | DocJSON | ConlluSentence | (Partial<JsonDocument> & { text: string })

/** The sentences of CoNLL-U, one after another, as they are asked for. */
export function readConllu(content: Content, options?: StreamOptions): AsyncGenerator<ConlluSentence, void, void>

/** The documents of JSON Lines; where a line gives no tokens, its text is split. */
export function readJsonl(content: Content, options?: ReadJsonlOptions): AsyncGenerator<JsonDocument, void, void>

/** CoNLL-U in pieces of UTF-8. What readConllu gave comes out as it was. */
export function writeConllu(
  documents: Iterable<WritableDocument> | AsyncIterable<WritableDocument>,
  options?: StreamOptions,
): AsyncGenerator<Uint8Array, void, void>

/** JSON Lines in pieces of UTF-8; each document is checked. */
export function writeJsonl(
  documents: Iterable<WritableDocument> | AsyncIterable<WritableDocument>,
  options?: StreamOptions,
): AsyncGenerator<Uint8Array, void, void>

export interface Alignment {
  /** For each predicted token the only token of the reference that it overlaps, or null. */
  toReference: (number | null)[]
  /** The other way. */
  toPredicted: (number | null)[]
  /** For each predicted token the tokens [first, last) of the reference that it overlaps. */
  overlaps: ([first: number, last: number] | null)[]
  /** The reference's heads as predicted tokens; a root is its own head. */
  head?: (number | null)[]
  /** Those of the reference whose edges are edges of predicted tokens, as predicted tokens. */
  entities?: [first: number, last: number, label: string][]
  spans?: Record<string, [first: number, last: number, label: string][]>
  /** The values of a column of the reference for the predicted tokens. */
  get<T>(column: ArrayLike<T>): (T | null)[]
}

/** Two documents of the same text that are tokenized differently. A string is CoNLL-U, all of it one document. */
export function align(
  predicted: string | Uint8Array | WritableDocument,
  reference: string | Uint8Array | WritableDocument,
  options?: FormatOptions,
): Promise<Alignment>

export type InputFormat = 'conllu' | 'jsonl'
export type OutputFormat = 'conllu' | 'jsonl' | 'text' | 'treebank-text'

/** Reads CoNLL-U or JSON Lines, checking all of it, and writes one of them, or a text. */
export function convert(
  content: string | Uint8Array,
  options?: FormatOptions & { from?: InputFormat | undefined; to?: OutputFormat | undefined },
): Promise<string>

/** The same for content that comes in pieces or is too large to hold: pieces of UTF-8. */
export function convertStream(
  content: Content,
  options?: ReadJsonlOptions & { from?: InputFormat | undefined; to?: OutputFormat | undefined },
): AsyncGenerator<Uint8Array, void, void>

export interface Score {
  /** From 0 to 1. */
  precision: number
  recall: number
  f1: number
  /** Of the aligned words; null for Tokens, Sentences and Words. */
  alignedAccuracy: number | null
  gold: number
  system: number
  correct: number
  aligned?: number
}

export type Metric =
  | 'Tokens' | 'Sentences' | 'Words' | 'UPOS' | 'XPOS' | 'UFeats' | 'AllTags' | 'Lemmas' | 'UAS' | 'LAS' | 'CLAS' | 'MLAS' | 'BLEX'

/** The CoNLL 2018 scores of `predicted` against `gold`, both CoNLL-U; null for a metric whose column is missing. */
export function evaluate(
  gold: string | Uint8Array,
  predicted: string | Uint8Array,
  options?: FormatOptions,
): Promise<Record<Metric, Score | null>>

/** The scores of entities, categories and spans of `predicted` against `gold`, both JSON Lines. */
export function evaluateJsonl(
  gold: string | Uint8Array,
  predicted: string | Uint8Array,
  options?: FormatOptions,
): Promise<Record<string, unknown>>
