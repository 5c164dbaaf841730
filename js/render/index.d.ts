// Types of onenlp/render; docs/render.md says what everything means.

export type Triple = [start: number, end: number, label: string]
export type Direction = 'ltr' | 'rtl'

/** A document as plain JSON: what `doc.toJSON()` gives, or a line of JSON Lines. */
export interface DocJson {
  text: string
  tokens?: [start: number, end: number][]
  form?: string[]
  word_token?: number[]
  sentences?: [first: number, last: number][]
  ranges?: [first: number, last: number, form: string][]
  lemma?: (string | null)[]
  upos?: (string | null)[]
  xpos?: (string | null)[]
  feats?: (string | null)[]
  head?: (number | null)[]
  deprel?: (string | null)[]
  misc?: (string | null)[]
  entities?: Triple[]
  entity_scores?: (number | null)[]
  spans?: Record<string, Triple[]>
  span_scores?: Record<string, (number | null)[]>
  cats?: Record<string, number | boolean>
}

export interface Word {
  form: string
  index?: number
  id?: number
  text?: string
  start?: number
  end?: number
  lemma?: string | null
  upos?: string | null
  xpos?: string | null
  feats?: string | null
  head?: number | null
  deprel?: string | null
  misc?: string | null
}

export interface Sentence {
  words: Word[]
  ranges?: { first: number; last: number; form: string }[]
  text?: string
  index?: number
  first?: number
  last?: number
  start?: number
  end?: number
}

export type SentenceLike = Sentence | Word[] | DocJson

export interface DrawingOptions {
  direction?: Direction
  theme?: 'light' | 'dark' | null
  measure?: (text: string, role: 'form' | 'upos' | 'lemma' | 'deprel') => number
  interactive?: boolean
  label?: string
}

export interface ArcOptions extends DrawingOptions {
  gold?: SentenceLike
  lemmas?: boolean
  upos?: boolean
}

export interface Arc {
  from: number
  to: number
  dependent: number
  head: number
  deprel: string
  level: number
  kind: '' | 'on-wrong' | 'on-gold'
  fromX: number
  toX: number
  tipX: number
  y: number
  base: number
  labelWidth: number
}

export interface ArcLayout {
  sentence: Sentence
  gold: Sentence | null
  direction: Direction
  heads: (number | null)[]
  width: number
  height: number
  rows: Record<string, number>
  boxes: { x: number; width: number; goldUpos: string | null }[]
  arcs: Arc[]
  goldArcs: Arc[]
  brackets: { from: number; to: number; x: number; form: string; width: number }[]
}

export interface Confusion {
  column: string
  labels: string[]
  counts: Map<string, Map<string, number>>
}

export interface Score {
  precision: number
  recall: number
  f1: number
  alignedAccuracy: number | null
}

export interface Row {
  sentence: number
  columns: string[]
}

export function sentencesOf(doc: DocJson): Sentence[]
export function headsOf(words: Word[]): (number | null)[]
export function subtreeOf(heads: (number | null)[], word: number): number[]
export function directionOf(text: string): Direction

export function layoutArcs(sentence: SentenceLike, options?: ArcOptions): ArcLayout
export function renderArcs(sentence: SentenceLike, options?: ArcOptions): string
export function renderTree(sentence: SentenceLike, options?: DrawingOptions): string
export function renderOutline(sentence: SentenceLike): string
export function renderWords(sentence: SentenceLike, options?: { direction?: Direction }): string
export function renderDocWords(doc: DocJson): string
export function renderCard(word: Word, words?: Word[]): string
export function renderEntities(doc: DocJson, options?: { start?: number; end?: number }): string
export function renderSpans(doc: DocJson, group?: string, options?: { start?: number; end?: number }): string
export function renderCats(doc: Pick<DocJson, 'cats'>, options?: { limit?: number }): string
export function renderLegend(labels: string[]): string

export const CONLLU_COLUMNS: string[]
export function rowsOfConllu(conllu: string): Row[]
export function renderTable(
  source: string | Row[],
  options?: { sort?: { column: number; descending?: boolean } | null; caption?: string; from?: number; limit?: number },
): string
export function formatJson(value: unknown, width?: number): string
export function renderJson(value: unknown, options?: { width?: number }): string

export const COMPARED: string[]
export function compareSentences(
  gold: SentenceLike,
  predicted: SentenceLike,
  options?: { ignoreSubtypes?: boolean },
): { word: number; columns: string[] }[] | null
export function confusionOf(pairs: Iterable<[SentenceLike, SentenceLike]>, column: 'upos' | 'xpos' | 'deprel'): Confusion
export function renderConfusion(confusion: Confusion, options?: { limit?: number; buttons?: boolean }): string
export function renderScores(scores: Record<string, Score | null>): string

export function uposInWords(upos: string | null | undefined): string | null
export function deprelInWords(deprel: string | null | undefined): string | null
export function featsInWords(
  feats: string | null | undefined,
): { name: string; value: string; nameInWords: string; valueInWords: string }[]
export function colourOfLabel(label: string): number
export function escape(text: unknown): string
