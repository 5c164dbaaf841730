// Text with its annotation in place: words, entities, spans, categories, and the card of one word.

import { directionOf, sentenceOf, sentencesOf } from './doc.js'
import { escape, number } from './escape.js'
import { estimate } from './measure.js'
import { deprelInWords, featsInWords, uposInWords } from './names.js'
import { colourOfLabel } from './theme.js'

/**
 * The words of a sentence, each with its part of speech, in the text's own direction.
 *
 * @param {import('./doc.js').Sentence} value
 * @param {{ direction?: 'ltr' | 'rtl' }} [options]
 * @returns {string} HTML
 */
export function renderWords(value, options = {}) {
  const sentence = sentenceOf(value)
  const { words, ranges } = sentence
  const offset = words[0]?.index ?? 0
  const text = sentence.text ?? ''
  const direction = options.direction ?? directionOf(text || words.map((word) => word.form).join(' '))
  const out = [`<p class="on-words" dir="${direction}">`]
  let range = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    const before = words[i - 1]
    // The blanks of the text; where it is not known, one.
    if (before) {
      const gap = word.start === undefined || sentence.text === undefined ? ' '
        : text.slice(before.end - sentence.start, word.start - sentence.start)
      out.push(escape(gap))
    }
    const multiword = ranges[range]?.first === i ? ranges[range] : null
    // Words that spell the surface form need no word about it.
    if (multiword && words.slice(multiword.first, multiword.last).map(({ form }) => form).join('') !== multiword.form) {
      out.push(`<span class="on-range" title="multiword token"><span class="on-surface-form">${escape(multiword.form)}</span>`)
    }
    out.push(renderWord(word, offset + i))
    if (ranges[range]?.last === i + 1) {
      const { first, last, form } = ranges[range++]
      if (words.slice(first, last).map((one) => one.form).join('') !== form) out.push('</span>')
    }
  }
  out.push('</p>')
  return out.join('')
}

function renderWord(word, index) {
  const known = uposInWords(word.upos) ? word.upos : word.upos ? 'X' : null
  const upos = word.upos ? `<span class="on-upos">${escape(word.upos)}</span>` : ''
  return `<span class="on-word${known ? ` upos-${known}` : ''}" data-word="${index}"><span class="on-form">${escape(word.form)}</span>${upos}</span>`
}

/**
 * All that is known of a word, features in words.
 *
 * @param {import('./doc.js').Word} word
 * @param {import('./doc.js').Word[]} [words] the words of its sentence, to name its head
 * @returns {string} HTML
 */
export function renderCard(word, words = []) {
  const rows = []
  const row = (name, value, inWords) => {
    if (value === null || value === undefined || value === '') return
    rows.push(`<dt>${escape(name)}</dt><dd><code dir="auto">${escape(value)}</code>${inWords ? ` <span class="on-in-words">${escape(inWords)}</span>` : ''}</dd>`)
  }
  row('lemma', word.lemma)
  row('UPOS', word.upos, uposInWords(word.upos))
  row('XPOS', word.xpos)
  for (const { name, value, nameInWords, valueInWords } of featsInWords(word.feats)) {
    row(name, value, nameInWords.toLowerCase() === valueInWords.toLowerCase() ? valueInWords : `${nameInWords}: ${valueInWords}`)
  }
  if (word.head !== null && word.head !== undefined) {
    const head = word.head === 0 ? 'root' : words[word.head - 1]?.form ?? word.head
    row('head', head)
  }
  row('deprel', word.deprel, deprelInWords(word.deprel))
  row('MISC', word.misc)
  const upos = word.upos ? ` upos-${uposInWords(word.upos) ? word.upos : 'X'}` : ''
  return `<div class="on-card"><p class="on-card-title${upos}"><bdi>${escape(word.form)}</bdi></p>` +
    (rows.length > 0 ? `<dl>${rows.join('')}</dl>` : '') + '</div>'
}

const byPlace = (a, b) => a[0] - b[0] || b[1] - a[1]

/** Triples [start, end, label] that lie in the text, in order. */
function triplesIn(list, text) {
  return (list ?? []).filter((one) => Array.isArray(one) && Number.isInteger(one[0]) && Number.isInteger(one[1]) &&
    one[0] >= 0 && one[0] < one[1] && one[1] <= text.length).toSorted(byPlace)
}

/**
 * The text with its entities highlighted.
 *
 * @param {{ text: string, entities?: [number, number, string][], entity_scores?: number[] }} doc
 * @param {{ start?: number, end?: number }} [options] only this part of the text
 * @returns {string} HTML
 */
export function renderEntities(doc, { start = 0, end = doc.text.length } = {}) {
  const scores = new Map((doc.entities ?? []).map((entity, i) => [entity, doc.entity_scores?.[i]]))
  const out = [`<div class="on-entities" dir="${directionOf(doc.text.slice(start, end))}">`]
  let at = start
  for (const entity of triplesIn(doc.entities, doc.text)) {
    const [from, to, label] = entity
    if (from < at || to > end) continue
    const score = scores.get(entity)
    const title = typeof score === 'number' ? ` title="${escape(label)}, score ${number(score)}"` : ''
    out.push(escape(doc.text.slice(at, from)),
      `<mark class="on-entity on-colour-${colourOfLabel(label)}" data-label="${escape(label)}"${title}>${escape(doc.text.slice(from, to))}` +
      `<span class="on-entity-label" dir="ltr">${escape(label)}</span></mark>`)
    at = to
  }
  out.push(escape(doc.text.slice(at, end)), '</div>')
  return out.join('')
}

/**
 * The text with spans, which may overlap, as layered underlines.
 *
 * @param {{ text: string, tokens?: [number, number][], spans?: Record<string, [number, number, string][]>,
 *     span_scores?: Record<string, number[]> }} doc
 * @param {string} [group] the name of a span group; if not given, the first one
 * @param {{ start?: number, end?: number }} [options] only this part of the text
 * @returns {string} HTML
 */
export function renderSpans(doc, group = Object.keys(doc.spans ?? {})[0], { start = 0, end = doc.text.length } = {}) {
  const all = (Object.hasOwn(doc.spans ?? {}, group ?? '') ? doc.spans[group] : []) ?? []
  const scores = new Map(all.map((span, i) => [span, doc.span_scores?.[group]?.[i]]))
  const spans = triplesIn(all, doc.text).filter(([from, to]) => from >= start && to <= end)

  // The lowest layer that is free where the span starts.
  const free = []
  const layers = spans.map(([from, to]) => {
    let layer = free.findIndex((until) => until <= from)
    if (layer < 0) layer = free.length
    free[layer] = to
    return layer
  })

  // Pieces end where a token or a span does, so that lines can break between tokens.
  const cuts = new Set([start, end])
  for (const [from, to] of [...(doc.tokens ?? []), ...spans]) for (const cut of [from, to]) if (cut > start && cut < end) cuts.add(cut)
  const edges = [...cuts].sort((a, b) => a - b)
  const out = [`<div class="on-spans" dir="${directionOf(doc.text.slice(start, end))}">`]
  const open = new Map()
  let next = 0
  for (let i = 0; i + 1 < edges.length; i++) {
    const [from, to] = [edges[i], edges[i + 1]]
    for (const layer of open.keys()) if (spans[open.get(layer)][1] <= from) open.delete(layer)
    while (next < spans.length && spans[next][0] <= from) open.set(layers[next], next++)
    const piece = escape(doc.text.slice(from, to))
    if (open.size === 0) {
      out.push(piece)
      continue
    }
    const bars = []
    for (let layer = 0; layer <= Math.max(...open.keys()); layer++) {
      const number_ = open.get(layer)
      if (number_ === undefined) {
        bars.push('<span class="on-bar on-no-bar"></span>')
        continue
      }
      const span = spans[number_]
      const first = span[0] === from
      const score = scores.get(span)
      const title = typeof score === 'number' ? ` title="${escape(span[2])}, score ${number(score)}"` : ''
      // A label may lie under all of its span; where it is longer than that, it makes the room it needs.
      const room = estimate(doc.text.slice(span[0], span[1]), 'form') > estimate(span[2], 'upos') * 1.15 + 14
      bars.push(`<span class="on-bar on-colour-${colourOfLabel(span[2])}${first ? ' on-first' : ''}${first && room ? ' on-over' : ''}${span[1] === to ? ' on-last' : ''}"${title}>` +
        `${first ? `<span class="on-span-label" dir="ltr">${escape(span[2])}</span>` : ''}</span>`)
    }
    out.push(`<span class="on-piece"><span class="on-piece-text">${piece}</span>${bars.join('')}</span>`)
  }
  out.push('</div>')
  return out.join('')
}

/**
 * Categories as bars, the highest first.
 *
 * @param {{ cats?: Record<string, number | boolean> }} doc
 * @param {{ limit?: number }} [options] how many at most
 * @returns {string} HTML
 */
export function renderCats(doc, { limit = Infinity } = {}) {
  const cats = Object.entries(doc.cats ?? {}).map(([label, score]) => [label, Number(score)])
    .filter(([, score]) => Number.isFinite(score)).sort((a, b) => b[1] - a[1])
  const rows = cats.slice(0, limit).map(([label, score]) => {
    const share = Math.max(0, Math.min(1, score))
    return `<tr><th scope="row">${escape(label)}</th><td class="on-cat-bar"><svg class="on-bar-svg" width="100%" height="14" aria-hidden="true">` +
      `<rect class="on-bar-back" width="100%" height="14" rx="3"/><rect class="on-bar-fill" width="${number(share * 100)}%" height="14" rx="3"/></svg></td>` +
      `<td class="on-number">${score.toFixed(3)}</td></tr>`
  })
  return `<table class="on-cats"><thead><tr><th scope="col">category</th><th scope="col"><span class="on-hidden">bar</span></th>` +
    `<th scope="col">score</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** A legend of labels and how often each is used. */
export function renderLegend(labels) {
  const counts = new Map()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return `<ul class="on-legend">${[...counts].map(([label, count]) =>
    `<li class="on-colour-${colourOfLabel(label)}"><span class="on-legend-label">${escape(label)}</span> ${count}</li>`).join('')}</ul>`
}

/** A whole document's words, a paragraph for each sentence. */
export function renderDocWords(doc) {
  return sentencesOf(doc).map((sentence) => renderWords(sentence)).join('')
}

