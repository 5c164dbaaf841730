// A dependency tree from the root down, as SVG with the words in order, and as a nested list.

import { directionOf, dependentsOf, headsOf, sentenceOf, subtreeOf, textOfSentence } from './doc.js'
import { describeWord } from './arcs.js'
import { escape, number } from './escape.js'
import { estimate } from './measure.js'
import { deprelInWords, uposInWords } from './names.js'
import { painter, rootLooks } from './theme.js'

const ROW = 74
const TOP = 34
const GAP = 14
const PAD = 12
const ROUND = 7

/** Heads without cycles: of each cycle one word becomes a root. Returns the depth of each word too. */
function acyclic(heads) {
  const above = heads.map((head) => (head === null ? -1 : head))
  const depth = new Array(heads.length).fill(-1)
  for (let i = 0; i < heads.length; i++) {
    const path = []
    const onPath = new Set()
    let at = i
    while (at >= 0 && depth[at] < 0 && !onPath.has(at)) {
      path.push(at)
      onPath.add(at)
      at = above[at]
    }
    // The path ran into itself: its last word closes the cycle.
    if (at >= 0 && onPath.has(at)) above[path.at(-1)] = -1
    let level = above[path.at(-1)] >= 0 ? depth[above[path.at(-1)]] + 1 : 0
    for (const word of path.reverse()) depth[word] = level++
  }
  return { above, depth }
}

/**
 * Draws the dependency tree of a sentence: every word in a column of its own, in the order of the text.
 *
 * @param {import('./doc.js').Sentence} value
 * @param {import('./arcs.js').ArcOptions} [options]
 * @returns {string} SVG
 */
export function renderTree(value, options = {}) {
  const sentence = sentenceOf(value)
  const { words } = sentence
  const { theme = null, interactive = false, measure = estimate } = options
  const paint = painter(theme)
  const direction = options.direction ?? directionOf(textOfSentence(sentence))
  const heads = headsOf(words)
  const { above, depth } = acyclic(heads)
  const offset = words[0]?.index ?? 0

  let width = PAD
  const columns = words.map((word) => {
    const label = word.deprel ?? ''
    const room = Math.max(measure(word.form, 'form'), word.upos ? measure(word.upos, 'upos') + 12 : 0, measure(label, 'deprel') + 8, 18)
    const x = width + room / 2
    width += room + GAP
    return { x, width: room, label }
  })
  width += PAD - GAP
  if (words.length === 0) width = 2 * PAD
  if (direction === 'rtl') for (const column of columns) column.x = width - column.x
  const height = (Math.max(0, ...depth) + 1) * ROW + 2
  const top = (i) => depth[i] * ROW + TOP

  const n = number
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg"${theme ? rootLooks(theme) : ' class="on-tree"'} width="${n(width)}" height="${n(height)}" ` +
    `viewBox="0 0 ${n(width)} ${n(height)}" text-anchor="middle" direction="${direction}" role="${interactive ? 'group' : 'img'}" ` +
    `aria-label="${escape(options.label ?? `Dependency tree of “${textOfSentence(sentence)}”`)}">`,
  ]
  if (theme) out.push(`<rect${paint('on-background')} width="100%" height="100%"/>`)
  words.forEach((word, i) => {
    const head = above[i]
    const { x, label } = columns[i]
    const y = top(i)
    out.push(`<g class="on-arc" data-head="${head}" data-dependent="${i}">`)
    if (head >= 0) {
      const from = columns[head].x
      const start = top(head) + 26
      const bar = start + 8
      const way = Math.sign(x - from)
      const round = Math.min(ROUND, Math.abs(x - from) / 2)
      out.push(`<path${paint('on-line')} d="M${n(from)} ${n(start)}V${n(bar)}H${n(x - way * round)}Q${n(x)} ${n(bar)} ${n(x)} ${n(bar + round)}V${n(y - 15)}"/>`)
    }
    if (label) {
      const back = measure(label, 'deprel') + 4
      if (head >= 0) out.push(`<rect${paint('on-label-back')} x="${n(x - back / 2)}" y="${n(y - 30)}" width="${n(back)}" height="15"/>`)
      out.push(`<text${paint('on-deprel')} direction="ltr" x="${n(x)}" y="${n(y - 18)}">${escape(label)}</text>`)
    }
    out.push('</g>')
  })
  words.forEach((word, i) => {
    const { x, width: room } = columns[i]
    const y = top(i)
    const subtree = interactive ? ` data-subtree="${subtreeOf(heads, i).join(' ')}"` : ''
    const named = interactive ? ` role="group" aria-roledescription="word" tabindex="-1" aria-label="${escape(describeWord(word, words))}"` : ''
    out.push(`<g class="on-node" data-word="${offset + i}" data-node="${i}"${subtree}${named}>`)
    if (interactive) out.push(`<rect class="on-hit" x="${n(x - room / 2 - 3)}" y="${n(y - 14)}" width="${n(room + 6)}" height="40" rx="5"/>`)
    out.push(`<text${paint('on-form')} x="${n(x)}" y="${n(y + 3)}">${escape(word.form)}</text>`)
    if (word.upos) {
      const known = uposInWords(word.upos) ? word.upos : 'X'
      const back = measure(word.upos, 'upos') + 10
      out.push(`<g class="upos-${known}"><rect${paint('on-upos-back', known)} x="${n(x - back / 2)}" y="${n(y + 8)}" width="${n(back)}" height="16" rx="4"/>` +
        `<text${paint('on-upos', known)} direction="ltr" x="${n(x)}" y="${n(y + 19.5)}">${escape(word.upos)}</text></g>`)
    }
    out.push('</g>')
  })
  out.push('</svg>')
  return out.join('')
}

/**
 * The same tree as nested lists, which every screen and every screen reader can show.
 *
 * @param {import('./doc.js').Sentence} value
 * @returns {string} HTML
 */
export function renderOutline(value) {
  const sentence = sentenceOf(value)
  const { words } = sentence
  const { above } = acyclic(headsOf(words))
  const dependents = dependentsOf(above)
  const offset = words[0]?.index ?? 0
  const out = [`<ul class="on-outline" dir="${directionOf(textOfSentence(sentence))}">`]
  // A stack of its own, since a tree may be as deep as the sentence is long.
  const stack = above.flatMap((head, i) => (head < 0 ? [i] : [])).reverse()
  while (stack.length > 0) {
    const next = stack.pop()
    if (typeof next === 'string') {
      out.push(next)
      continue
    }
    const word = words[next]
    const relation = word.deprel ? `<span class="on-deprel" title="${escape(deprelInWords(word.deprel) ?? '')}">${escape(word.deprel)}</span> ` : ''
    const upos = word.upos ? ` <span class="on-upos upos-${uposInWords(word.upos) ? word.upos : 'X'}">${escape(word.upos)}</span>` : ''
    out.push(`<li>${relation}<span class="on-form" data-word="${offset + next}">${escape(word.form)}</span>${upos}`)
    if (dependents[next].length > 0) {
      out.push('<ul>')
      stack.push('</ul></li>', ...dependents[next].toReversed())
    } else {
      out.push('</li>')
    }
  }
  out.push('</ul>')
  return out.join('')
}
