// Types of `onenlp/formats`.

import type { WasmSource } from './index.cjs'

export { OnenlpError } from './index.cjs'

export interface FormatOptions {
  wasm?: WasmSource | undefined
}

/** Reads CoNLL-U or JSON Lines, checking all of it, and writes one of them, or a text. */
export function convert(
  content: string | Uint8Array,
  options?: FormatOptions & { from?: 'conllu' | 'jsonl'; to?: 'conllu' | 'jsonl' | 'text' | 'treebank-text' },
): Promise<string>

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
