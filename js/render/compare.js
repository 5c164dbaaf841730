// Gold against predicted annotation: what differs, scores, and a confusion table.

import { sentenceOf } from './doc.js'
import { escape } from './escape.js'

/** The columns that are compared, as they are named in JSON. */
export const COMPARED = ['lemma', 'upos', 'xpos', 'feats', 'head', 'deprel']

const set = (value) => (value === undefined || value === '_' ? null : value)

/**
 * Compares a sentence with its gold annotation. Both must have the same words.
 *
 * @param {import('./doc.js').Sentence} gold
 * @param {import('./doc.js').Sentence} predicted
 * @param {{ ignoreSubtypes?: boolean }} [options] relations up to ':', as LAS of the shared task counts
 * @returns {{ word: number, columns: string[] }[] | null} the words that differ, from 0, and in which columns; null
 *     where the words are not the same
 */
export function compareSentences(gold, predicted, { ignoreSubtypes = false } = {}) {
  const [a, b] = [sentenceOf(gold).words, sentenceOf(predicted).words]
  if (a.length !== b.length || a.some(({ form }, i) => form !== b[i].form)) return null
  const plain = (value, column) => (ignoreSubtypes && column === 'deprel' && value ? value.split(':')[0] : value)
  const differences = []
  a.forEach((word, i) => {
    const columns = COMPARED.filter((column) => {
      const wanted = set(word[column])
      // What the gold annotation does not say cannot be wrong.
      if (wanted === null && (column !== 'feats' || word.upos === undefined)) return false
      return plain(wanted, column) !== plain(set(b[i][column]), column)
    })
    if (columns.length > 0) differences.push({ word: i, columns })
  })
  return differences
}

/**
 * Counts what was predicted for what.
 *
 * @param {Iterable<[import('./doc.js').Sentence, import('./doc.js').Sentence]>} pairs gold, predicted
 * @param {'upos' | 'xpos' | 'deprel'} column
 * @returns {{ column: string, labels: string[], counts: Map<string, Map<string, number>> }} labels by number of errors
 */
export function confusionOf(pairs, column) {
  const counts = new Map()
  const errors = new Map()
  const labels = new Set()
  for (const [gold, predicted] of pairs) {
    const [a, b] = [sentenceOf(gold).words, sentenceOf(predicted).words]
    if (a.length !== b.length) continue
    for (let i = 0; i < a.length; i++) {
      const wanted = set(a[i][column]) ?? '_'
      const got = set(b[i][column]) ?? '_'
      labels.add(wanted).add(got)
      if (!counts.has(wanted)) counts.set(wanted, new Map())
      const row = counts.get(wanted)
      row.set(got, (row.get(got) ?? 0) + 1)
      if (wanted !== got) for (const label of [wanted, got]) errors.set(label, (errors.get(label) ?? 0) + 1)
    }
  }
  return { column, counts, labels: [...labels].sort((x, y) => (errors.get(y) ?? 0) - (errors.get(x) ?? 0) || (x < y ? -1 : 1)) }
}

/**
 * A confusion table: gold labels in rows, predicted ones in columns, the most confused first.
 *
 * @param {ReturnType<typeof confusionOf>} confusion
 * @param {{ limit?: number, buttons?: boolean }} [options] `buttons`: each error is a button with data-gold and data-predicted
 * @returns {string} HTML
 */
export function renderConfusion({ column, labels, counts }, { limit = 20, buttons = false } = {}) {
  const shown = labels.slice(0, limit)
  let most = 1
  for (const wanted of shown) for (const got of shown) if (wanted !== got) most = Math.max(most, counts.get(wanted)?.get(got) ?? 0)
  const body = shown.map((wanted) => {
    const row = counts.get(wanted)
    const cells = shown.map((got) => {
      const count = row?.get(got) ?? 0
      if (count === 0) return '<td class="on-number on-zero">·</td>'
      if (wanted === got) return `<td class="on-number on-right">${count}</td>`
      const heat = Math.ceil((count / most) * 5)
      const what = `${escape(wanted)} predicted as ${escape(got)}`
      const content = buttons
        ? `<button type="button" class="on-cell" data-gold="${escape(wanted)}" data-predicted="${escape(got)}" title="${what}" aria-label="${count}: ${what}">${count}</button>`
        : count
      return `<td class="on-number on-heat-${heat}">${content}</td>`
    })
    return `<tr><th scope="row">${escape(wanted)}</th>${cells.join('')}</tr>`
  })
  const left = labels.length - shown.length
  return `<table class="on-confusion"><caption>${escape(column.toUpperCase())}: gold in rows, predicted in columns` +
    `${left > 0 ? `; the ${shown.length} most confused of ${labels.length} labels` : ''}</caption>` +
    `<thead><tr><td></td>${shown.map((label) => `<th scope="col">${escape(label)}</th>`).join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`
}

const percent = (value) => (typeof value === 'number' ? (value * 100).toFixed(2) : '–')

/**
 * The scores that evaluation gives: metric to { precision, recall, f1, alignedAccuracy }, or null.
 *
 * @param {Record<string, { precision: number, recall: number, f1: number, alignedAccuracy: number | null } | null>} scores
 * @returns {string} HTML
 */
export function renderScores(scores) {
  const rows = Object.entries(scores).filter(([, value]) => value === null || typeof value?.f1 === 'number').map(([metric, value]) =>
    `<tr${value === null ? ' class="on-missing"' : ''}><th scope="row">${escape(metric)}</th>` +
    ['precision', 'recall', 'f1', 'alignedAccuracy'].map((name) => `<td class="on-number">${percent(value?.[name])}</td>`).join('') + '</tr>')
  return '<table class="on-scores"><caption class="on-hidden">Scores in percent</caption><thead><tr><th scope="col">metric</th><th scope="col">precision</th><th scope="col">recall</th>' +
    `<th scope="col">F1</th><th scope="col">aligned accuracy</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}
