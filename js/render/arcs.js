// Dependency arcs over a sentence, as SVG.
//
// Words stand side by side, with as much room between them as the labels of their arcs need. An arc
// lies one level above the highest arc that it spans, so no two horizontal lines meet; at a word the
// arcs take places side by side, the longer the nearer to its middle, so no line crosses another
// unless the tree itself is not projective.

import { directionOf, headsOf, sentenceOf, subtreeOf, textOfSentence } from './doc.js'
import { escape, number } from './escape.js'
import { estimate } from './measure.js'
import { deprelInWords, uposInWords } from './names.js'
import { painter, rootLooks } from './theme.js'

const LEVEL = 25
const ROUND = 7
const GAP = 12
const PAD = 12
const PLACE = 9
const TIP = 5
// Room on both sides of a label, within its line.
const LABEL_ROOM = 22

/**
 * @typedef {object} ArcOptions
 * @property {import('./doc.js').Sentence} [gold] the same words with gold heads and relations: what differs is drawn
 *     below the words, and the arcs above are marked
 * @property {boolean} [lemmas] the lemma under each word
 * @property {boolean} [upos] the part of speech under each word; true if not given
 * @property {'ltr' | 'rtl'} [direction] that of the text if not given
 * @property {'light' | 'dark'} [theme] colours and fonts as attributes, for a file that stands alone
 * @property {(text: string, role: string) => number} [measure] the width of a text in pixels
 * @property {boolean} [interactive] words are to be focusable elements: for `interact` of onenlp/render/interact.js
 * @property {string} [label] the accessible name; if not given, one that says every arc
 */

/** The arcs of a sentence: { from, to } with from < to, the dependent, its relation; and the roots. */
function arcsOf(words, heads, wanted = () => true) {
  const arcs = []
  heads.forEach((head, dependent) => {
    if (head === null || !wanted(dependent)) return
    const deprel = words[dependent].deprel || (head < 0 ? 'root' : '')
    if (head < 0) arcs.push({ from: dependent, to: dependent, dependent, head, deprel })
    else arcs.push({ from: Math.min(head, dependent), to: Math.max(head, dependent), dependent, head, deprel })
  })
  return arcs
}

/** Gives every arc its level, from 1, and its places at its words. Returns the highest level. */
function assignLevels(arcs, count) {
  const heights = new Uint32Array(Math.max(count, 1))
  let highest = 0
  const between = arcs.filter((arc) => arc.head >= 0)
  between.sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from)
  for (const arc of between) {
    arc.level = 1
    for (let gap = arc.from; gap < arc.to; gap++) arc.level = Math.max(arc.level, heights[gap] + 1)
    heights.fill(arc.level, arc.from, arc.to)
    highest = Math.max(highest, arc.level)
  }
  for (const arc of arcs) {
    if (arc.head >= 0) continue
    const { from } = arc
    arc.level = Math.max(from > 0 ? heights[from - 1] : 0, from < count - 1 ? heights[from] : 0) + 1
    highest = Math.max(highest, arc.level)
  }

  // Places: arcs to the left, the shortest first; the root's; arcs to the right, the longest first.
  const left = Array.from({ length: count }, () => [])
  const middle = Array.from({ length: count }, () => [])
  const right = Array.from({ length: count }, () => [])
  for (const arc of between) {
    right[arc.from].push(arc)
    left[arc.to].push(arc)
  }
  for (const arc of arcs) if (arc.head < 0) middle[arc.from].push(arc)
  const places = new Array(count)
  for (let word = 0; word < count; word++) {
    const order = [...left[word], ...middle[word], ...right[word].reverse()]
    places[word] = order.length
    order.forEach((arc, i) => {
      const offset = (i - (order.length - 1) / 2) * PLACE
      if (arc.from === word) arc.fromOffset = offset
      if (arc.to === word) arc.toOffset = offset
    })
  }
  return { highest, places }
}

/**
 * Where everything goes: for those who draw on another surface.
 *
 * @param {import('./doc.js').Sentence} value
 * @param {ArcOptions} [options]
 */
export function layoutArcs(value, options = {}) {
  const sentence = sentenceOf(value)
  const { words, ranges } = sentence
  const { upos = true, lemmas = false, measure = estimate } = options
  const gold = options.gold ? sentenceOf(options.gold) : null
  const count = words.length
  const direction = options.direction ?? directionOf(textOfSentence(sentence))
  const heads = headsOf(words)
  const goldHeads = gold ? headsOf(gold.words) : null
  const differs = (i) => goldHeads !== null && i < goldHeads.length &&
    (heads[i] !== goldHeads[i] || (words[i].deprel ?? null) !== (gold.words[i].deprel ?? null))
  const above = arcsOf(words, heads)
  const below = gold ? arcsOf(gold.words, goldHeads, (i) => i < count && differs(i)) : []
  for (const arc of above) arc.kind = differs(arc.dependent) ? 'on-wrong' : ''
  for (const arc of below) arc.kind = 'on-gold'
  const levels = [assignLevels(above, count), assignLevels(below, count)]

  const goldUpos = (i) => (gold && upos && gold.words[i] && gold.words[i].upos !== words[i].upos ? gold.words[i].upos || '_' : null)
  const boxes = words.map((word, i) => ({
    width: Math.max(
      measure(word.form, 'form'),
      upos && word.upos ? measure(word.upos, 'upos') + 12 : 0,
      goldUpos(i) ? measure(goldUpos(i), 'upos') + 12 : 0,
      lemmas && word.lemma ? measure(word.lemma, 'lemma') : 0,
      Math.max(levels[0].places[i] ?? 0, levels[1].places[i] ?? 0) * PLACE,
    ),
    goldUpos: goldUpos(i),
  }))

  // From left to right, each word as near as the words and labels before it allow.
  const arcsTo = Array.from({ length: count }, () => [])
  for (const arc of [...above, ...below]) {
    arc.labelWidth = measure(arc.deprel, 'deprel')
    arcsTo[arc.to].push(arc)
  }
  for (let i = 0; i < count; i++) {
    const box = boxes[i]
    const before = boxes[i - 1]
    box.x = before ? before.x + before.width / 2 + GAP + box.width / 2 : PAD + box.width / 2
    for (const arc of arcsTo[i]) {
      if (arc.head < 0) box.x = Math.max(box.x, PAD + arc.labelWidth / 2)
      else box.x = Math.max(box.x, boxes[arc.from].x + arc.fromOffset + arc.labelWidth + LABEL_ROOM - arc.toOffset)
    }
  }
  const brackets = ranges.filter(({ first, last }) => first >= 0 && last <= count && first < last).map(({ first, last, form }) => {
    const from = boxes[first].x - boxes[first].width / 2
    const to = boxes[last - 1].x + boxes[last - 1].width / 2
    return { from, to, x: (from + to) / 2, form, width: measure(form, 'lemma') }
  })
  let width = count > 0 ? boxes[count - 1].x + boxes[count - 1].width / 2 + PAD : 2 * PAD
  for (const arc of [...above, ...below]) if (arc.head < 0) width = Math.max(width, boxes[arc.from].x + arc.labelWidth / 2 + PAD)
  for (const bracket of brackets) width = Math.max(width, bracket.x + bracket.width / 2 + PAD)

  const top = levels[0].highest * LEVEL + 18
  let y = top + 17
  const rows = { form: y }
  if (lemmas) rows.lemma = y += 19
  if (upos) rows.upos = y += 21
  if (boxes.some((box) => box.goldUpos)) rows.goldUpos = y += 18
  if (brackets.length > 0) rows.bracket = y += 11
  if (brackets.length > 0) rows.surface = y += 16
  const bottom = y + 8
  const height = below.length > 0 ? bottom + levels[1].highest * LEVEL + 18 : bottom + 4

  const mirror = (x) => (direction === 'rtl' ? width - x : x)
  for (const arc of above) arc.base = top
  for (const arc of below) arc.base = bottom
  for (const arc of [...above, ...below]) {
    const sign = arc.kind === 'on-gold' ? 1 : -1
    arc.y = arc.base + sign * arc.level * LEVEL
    arc.fromX = mirror(boxes[arc.from].x + arc.fromOffset)
    arc.toX = mirror(boxes[arc.to].x + arc.toOffset)
    arc.tipX = arc.dependent === arc.from ? arc.fromX : arc.toX
    arc.sign = sign
  }
  for (const box of boxes) box.x = mirror(box.x)
  for (const bracket of brackets) for (const name of ['from', 'to', 'x']) bracket[name] = mirror(bracket[name])
  return { sentence, gold, direction, heads, width, height, rows, boxes, arcs: above, goldArcs: below, brackets }
}

/**
 * Draws the dependency arcs of a sentence.
 *
 * @param {import('./doc.js').Sentence} sentence a sentence, a list of words, or a document (its first sentence)
 * @param {ArcOptions} [options]
 * @returns {string} SVG
 */
export function renderArcs(sentence, options = {}) {
  const layout = layoutArcs(sentence, options)
  const { words } = layout.sentence
  const { width, height, rows, boxes, heads } = layout
  const { theme = null, interactive = false, upos = true } = options
  const paint = painter(theme)
  const offset = layout.sentence.words[0]?.index ?? 0
  const out = []
  out.push(`<svg xmlns="http://www.w3.org/2000/svg"${theme ? rootLooks(theme) : ' class="on-arcs"'} width="${number(width)}" ` +
    `height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" text-anchor="middle" direction="${layout.direction}" ` +
    `role="${interactive ? 'group' : 'img'}" aria-label="${escape(options.label ?? describeArcs(layout.sentence))}">`)
  if (theme) out.push(`<rect${paint('on-background')} width="100%" height="100%"/>`)
  for (const arc of [...layout.arcs, ...layout.goldArcs]) out.push(drawArc(arc, paint))
  words.forEach((word, i) => {
    const { x, width: boxWidth, goldUpos } = boxes[i]
    const subtree = interactive ? ` data-subtree="${subtreeOf(heads, i).join(' ')}"` : ''
    const named = interactive ? ` role="group" aria-roledescription="word" tabindex="-1" aria-label="${escape(describeWord(word, words))}"` : ''
    out.push(`<g class="on-node" data-word="${offset + i}" data-node="${i}"${subtree}${named}>`)
    if (interactive) {
      out.push(`<rect class="on-hit" x="${number(x - boxWidth / 2 - 4)}" y="${number(rows.form - 17)}" ` +
        `width="${number(boxWidth + 8)}" height="${number((rows.goldUpos ?? rows.upos ?? rows.lemma ?? rows.form) - rows.form + 26)}" rx="5"/>`)
    }
    out.push(`<text${paint('on-form')} x="${number(x)}" y="${number(rows.form)}">${escape(word.form)}</text>`)
    if (rows.lemma && word.lemma) out.push(`<text${paint('on-lemma')} x="${number(x)}" y="${number(rows.lemma)}">${escape(word.lemma)}</text>`)
    if (upos && word.upos) out.push(tag(word.upos, x, rows.upos, options, paint))
    if (goldUpos) out.push(`<text${paint('on-upos on-gold')} direction="ltr" x="${number(x)}" y="${number(rows.goldUpos)}">${escape(goldUpos)}</text>`)
    out.push('</g>')
  })
  for (const { from, to, x, form } of layout.brackets) {
    const y = rows.bracket
    out.push(`<path${paint('on-bracket')} d="M${number(from)} ${y - 4}V${y}H${number(to)}V${y - 4}"/>` +
      `<text${paint('on-surface-form')} x="${number(x)}" y="${rows.surface}">${escape(form)}</text>`)
  }
  out.push('</svg>')
  return out.join('')
}

function tag(upos, x, y, { measure = estimate }, paint) {
  const width = measure(upos, 'upos') + 10
  const known = uposInWords(upos) ? upos : 'X'
  const group = paint('on-upos-back', known)
  const back = `<rect${group} x="${number(x - width / 2)}" y="${number(y - 11.5)}" width="${number(width)}" height="16" rx="4"/>`
  return `<g class="upos-${known}">${back}<text${paint('on-upos', known)} direction="ltr" x="${number(x)}" y="${number(y)}">${escape(upos)}</text></g>`
}

function drawArc(arc, paint) {
  const { fromX, toX, tipX, y, base, sign, kind, deprel, labelWidth, head, dependent } = arc
  const classes = (name) => paint(kind ? `${name} ${kind}` : name)
  const n = number
  let line
  let middle = (fromX + toX) / 2
  if (head < 0) {
    line = `M${n(fromX)} ${n(y)}V${n(base + sign * 1)}`
    middle = fromX
  } else {
    const way = Math.sign(toX - fromX) || 1
    const round = Math.min(ROUND, Math.abs(toX - fromX) / 2)
    // Up (or down, below the words), across, and back; each end stops short of its word, the tip a little more.
    const end = (x) => n(x === tipX ? base + sign * 2 : base)
    line = `M${n(fromX)} ${end(fromX)}V${n(y - sign * round)}Q${n(fromX)} ${n(y)} ${n(fromX + way * round)} ${n(y)}` +
      `H${n(toX - way * round)}Q${n(toX)} ${n(y)} ${n(toX)} ${n(y - sign * round)}V${end(toX)}`
  }
  const tip = `M${n(tipX)} ${n(base - sign * 2)}l${-TIP / 1.4} ${n(sign * TIP * 1.5)}h${n(TIP * 1.43)}z`
  const back = `<rect${paint('on-label-back')} x="${n(middle - labelWidth / 2 - 3)}" y="${n(y - 8)}" width="${n(labelWidth + 6)}" height="16"/>`
  const label = deprel ? `${back}<text${classes('on-deprel')} direction="ltr" x="${n(middle)}" y="${n(y + 4)}">${escape(deprel)}</text>` : ''
  return `<g class="on-arc${kind ? ` ${kind}` : ''}" data-head="${head}" data-dependent="${dependent}">` +
    `<path${classes('on-line')} d="${line}"/><path${classes('on-tip')} d="${tip}"/>${label}</g>`
}

/** A word in words: 'dogs, noun, nominal subject of barked'. */
export function describeWord(word, words) {
  const parts = [word.form]
  if (word.upos) parts.push(uposInWords(word.upos) ?? word.upos)
  if (word.deprel) {
    const relation = deprelInWords(word.deprel) ?? word.deprel
    const head = word.head > 0 ? words[word.head - 1] : null
    parts.push(head ? `${relation} of ${head.form}` : relation)
  }
  return parts.join(', ')
}

function describeArcs(sentence) {
  const arcs = sentence.words.filter((word) => word.deprel).map((word) => {
    const head = word.head > 0 ? sentence.words[word.head - 1]?.form : null
    return head ? `${word.form}: ${word.deprel} of ${head}` : `${word.form}: ${word.deprel}`
  })
  return `Dependency arcs of “${textOfSentence(sentence)}”${arcs.length > 0 ? `. ${arcs.join('; ')}` : ''}`
}
