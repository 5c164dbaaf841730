// Gold and predicted annotation side by side.

import { COMPARED, compareSentences, confusionOf, directionOf, renderArcs, renderConfusion, renderEntities, renderScores, sentencesOf } from '../js/render/index.js'
import { interact, makeFocusable } from '../js/render/interact.js'
import { call } from './client.js'
import { ProgressBar, byId, count, download, element, say, seconds } from './dom.js'
import { saveDrawing } from './export.js'
import { formatOfFile } from './files.js'
import { KeyedList } from './list.js'
import { measure } from './measure.js'
import { ownSentences } from './views.js'

const PAGE = 10
const NAMES = { lemma: 'LEMMA', upos: 'UPOS', xpos: 'XPOS', feats: 'FEATS', head: 'HEAD', deprel: 'DEPREL' }
const MATRICES = ['deprel', 'upos', 'xpos']

/** @type {null | { file: File, items: Item[], columns: string[], relations: string[] }} */
let result = null
let list = null
let filter = { column: 'any', relation: 'any', gold: null, predicted: null, errorsOnly: true }
let page = 0
// The error that is looked at: [item, word].
let at = null
let tokens = 'gold'
let controller = null
let actions = null

/**
 * @typedef {object} Item a gold sentence and what was predicted for it
 * @property {import('../js/render/doc.js').Sentence} gold
 * @property {import('../js/render/doc.js').Sentence[]} predicted one sentence, unless segmentation differs
 * @property {{ word: number, columns: string[] }[] | null} differences null: other words or other sentence bounds
 * @property {number} number
 */

export function startCompare(given) {
  actions = given
  const input = byId('gold-input')
  byId('choose-gold').addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    if (input.files.length > 0) compareFile(input.files[0])
    input.value = ''
  })
}

/** Annotates a gold file anew and shows what differs. */
export async function compareFile(file) {
  if (!actions.ready()) return say('Load a pipeline first.', 'error')
  controller?.abort()
  const own = (controller = new AbortController())
  const bar = new ProgressBar(byId('compare-progress'), `Annotating ${file.name}`, () => own.abort())
  byId('compare-result').hidden = true
  try {
    const lines = await formatOfFile(file) === 'jsonl'
    const answer = await call(lines ? 'compareLines' : 'compare', { file, tokens, components: actions.components() }, {
      signal: own.signal,
      onProgress({ done, total, words }) {
        bar.set(done, total, `${file.name}: ${Math.floor((100 * done) / total)} %, ${count(words)} words, ${count((words / bar.elapsed()) * 1000)} words/s`)
      },
    })
    if (own !== controller) return
    if (lines) return drawLines(file, answer)
    const items = pair(answer.gold, answer.predicted)
    const sentences = items.filter((item) => item.differences)
    result = {
      file, items, answer,
      columns: COMPARED.filter((column) => answer.gold[column]?.some((value) => value !== null)),
      pairs: sentences.map((item) => [item.gold, item.predicted[0]]),
      relations: [...new Set([...(answer.gold.deprel ?? []), ...(answer.predicted.deprel ?? [])])].filter(Boolean).sort(),
    }
    filter = { column: 'any', relation: 'any', gold: null, predicted: null, errorsOnly: true }
    page = 0
    at = null
    draw()
  } catch (error) {
    if (own !== controller) return
    const host = byId('compare-result')
    host.hidden = false
    host.replaceChildren(error.code === 'CANCELLED' ? element('p', { class: 'note' }, 'Cancelled.')
      : element('p', { class: 'error-text', role: 'alert' }, `${file.name}: ${error.message} `, element('code', {}, error.code)))
  } finally {
    bar.remove()
  }
}

/** Scores of JSON Lines, and the texts whose entities differ. */
function drawLines(file, { scores, differing, count: differ, documents, system, words, ms }) {
  const rows = {}
  const add = (name, score) => {
    if (typeof score?.f1 === 'number') rows[name] = score
  }
  const addAll = (name, score, parts) => {
    add(name, score)
    for (const [label, part] of Object.entries(parts ?? {})) add(`${name}: ${label}`, part)
  }
  addAll('entities', scores.entities, scores.entities?.labels)
  addAll('categories', scores.cats, scores.cats?.categories)
  for (const [group, { scores: of }] of Object.entries(scores.spans ?? {})) addAll(`spans ${group}`, of, of?.labels)
  const host = byId('compare-result')
  host.hidden = false
  host.replaceChildren(
    element('div', { class: 'bar' },
      element('p', {}, element('strong', {}, file.name), `: ${count(words)} words in ${seconds(ms)}, ${count(documents)} texts, ${count(differ)} whose entities differ.`),
      element('button', { type: 'button', onclick: () => download(system, file.name.replace(/\.[^.]*$/, '') + '.predicted.jsonl') }, 'Download prediction')),
    Object.keys(rows).length > 0 ? element('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Scores', html: renderScores(rows) })
      : element('p', { class: 'note' }, 'The pipeline predicts nothing that the file has gold annotation of.'),
    element('div', {}, ...differing.map(({ number, pair: [gold, predicted] }) => element('section', { class: 'sentence', 'data-number': number, 'aria-label': `Text ${number}` },
      element('h4', {}, 'Gold'), element('div', { html: renderEntities(gold) }), element('h4', {}, 'Predicted'), element('div', { html: renderEntities(predicted) }))),
    differ > differing.length ? element('p', { class: 'note' }, `The first ${count(differing.length)} of them; the download has all.`) : null))
}

/** Pairs the sentences of two documents over one text, by their characters without white space. */
export function pair(gold, predicted) {
  const [a, b] = [boundsOf(gold), boundsOf(predicted)]
  const [own, other] = [ownSentences(gold), ownSentences(predicted)]
  let from = 0
  return own.map((sentence, i) => {
    const [start, end] = a[i]
    while (from < b.length && b[from][1] <= start) from++
    let to = from
    while (to < b.length && b[to][0] < end) to++
    const found = other.slice(from, to)
    const same = found.length === 1 && b[from][0] === start && b[from][1] === end
    return { gold: sentence, predicted: found, differences: same ? compareSentences(sentence, found[0]) : null, number: i + 1 }
  })
}

function boundsOf(doc) {
  let at_ = 0
  let position = 0
  return sentencesOf(doc).map(({ start, end }) => {
    at_ += doc.text.slice(position, start).replace(/\s+/g, '').length
    const from = at_
    at_ += doc.text.slice(start, end).replace(/\s+/g, '').length
    position = end
    return [from, at_]
  })
}

/** The words of an item that the filter is about. */
function errorsOf(item) {
  if (!item.differences) return filter.column === 'any' && filter.relation === 'any' && filter.gold === null ? [0] : []
  return item.differences.filter(({ word, columns }) => {
    const [gold, predicted] = [item.gold.words[word], item.predicted[0].words[word]]
    if (filter.column !== 'any' && !columns.includes(filter.column)) return false
    if (filter.relation !== 'any' && gold.deprel !== filter.relation && predicted.deprel !== filter.relation) return false
    if (filter.gold !== null && ((gold[filter.matrix] ?? '_') !== filter.gold || (predicted[filter.matrix] ?? '_') !== filter.predicted)) return false
    return true
  }).map(({ word }) => word)
}

const shownItems = () => result.items.filter((item) => !filter.errorsOnly && filter.gold === null && filter.relation === 'any' && filter.column === 'any' ? true : errorsOf(item).length > 0)

function draw() {
  const { file, answer, items, columns, relations } = result
  const host = byId('compare-result')
  host.hidden = false
  const differing = items.filter(({ differences }) => differences === null || differences.length > 0).length
  const select = (label, values, value, onchange) => element('label', { class: 'choice' }, `${label} `, element('select', { onchange: (event) => onchange(event.target.value) },
    ...values.map(([key, name]) => element('option', { value: key, selected: key === value }, name))))
  const change = (values) => {
    filter = { ...filter, ...values }
    page = 0
    at = null
    showSentences()
  }
  const matrixHost = element('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Confusion table' })
  const showMatrix = (column) => {
    matrixHost.innerHTML = renderConfusion(confusionOf(result.pairs, column), { buttons: true, limit: 16 })
    matrixHost.dataset.column = column
  }
  matrixHost.addEventListener('click', ({ target }) => {
    const cell = target.closest('.on-cell')
    if (!cell) return
    change({ gold: cell.dataset.gold, predicted: cell.dataset.predicted, matrix: matrixHost.dataset.column })
    byId('differences').scrollIntoView({ block: 'start' })
  })
  const matrices = MATRICES.filter((column) => columns.includes(column))
  const body = element('div', { id: 'difference-list' })
  host.replaceChildren(
    element('div', { class: 'bar' },
      element('p', {}, element('strong', {}, file.name), `: ${count(answer.words)} words in ${seconds(answer.ms)}, ${count(items.length)} sentences, ${count(differing)} with differences.`),
      select('Tokens', [['gold', 'as in the gold file'], ['raw', 'from raw text']], tokens, (value) => {
        tokens = value
        compareFile(file)
      }),
      element('button', { type: 'button', onclick: () => download(answer.system, file.name.replace(/\.[^.]*$/, '') + '.predicted.conllu') }, 'Download prediction')),
    element('div', { class: 'columns' },
      element('div', {}, element('h3', {}, 'Scores in percent'), element('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Scores', html: renderScores(answer.scores) })),
      element('div', {}, element('div', { class: 'bar' }, element('h3', {}, 'Confusions'),
        select('of', matrices.map((column) => [column, NAMES[column]]), matrices[0], showMatrix)), matrixHost)),
    element('div', { class: 'difference-bar bar', id: 'differences' },
      element('h3', {}, 'Sentences'),
      select('Column', [['any', 'any'], ...columns.map((column) => [column, NAMES[column]])], filter.column, (column) => change({ column })),
      select('Relation', [['any', 'any'], ...relations.map((name) => [name, name])], filter.relation, (relation) => change({ relation })),
      element('label', { class: 'check' }, element('input', { type: 'checkbox', checked: filter.errorsOnly, onchange: ({ target }) => change({ errorsOnly: target.checked }) }), ' Only those with differences'),
      element('span', { class: 'spacer' }),
      element('button', { type: 'button', id: 'previous-error', onclick: () => step(-1) }, '← Previous error'),
      element('button', { type: 'button', class: 'primary', id: 'next-error', onclick: () => step(1) }, 'Next error →')),
    element('p', { id: 'difference-status', class: 'note', role: 'status' }),
    body,
    element('div', { class: 'bar pager', id: 'pager' }))
  if (matrices.length > 0) showMatrix(matrices[0])
  list = new KeyedList(body)
  interact(body)
  body.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input, select, textarea')) return
    if (event.key === 'n' || event.key === 'p') step(event.key === 'n' ? 1 : -1)
  })
  return showSentences()
}

async function showSentences() {
  const shown = shownItems()
  const errors = shown.reduce((sum, item) => sum + errorsOf(item).length, 0)
  const pages = Math.max(1, Math.ceil(shown.length / PAGE))
  page = Math.min(page, pages - 1)
  const place = at ? `, looking at error ${numberOf(shown)}` : ''
  const confusion = filter.gold === null ? '' : ` with ${NAMES[filter.matrix]} ${filter.gold} predicted as ${filter.predicted}`
  byId('difference-status').replaceChildren(`${count(shown.length)} sentences${confusion}, ${count(errors)} words that differ${place}. `,
    filter.gold === null ? '' : element('button', { type: 'button', class: 'small', onclick: () => {
      filter = { ...filter, gold: null, predicted: null }
      showSentences()
    } }, 'Show all'))
  const go = (to) => element('button', { type: 'button', disabled: to < 0 || to >= pages, onclick: () => {
    page = to
    showSentences()
    byId('differences').scrollIntoView({ block: 'start' })
  } }, to < page ? '← Earlier sentences' : 'Later sentences →')
  byId('pager').replaceChildren(go(page - 1), element('span', {}, `Page ${page + 1} of ${pages}`), go(page + 1))
  await list.show(shown.slice(page * PAGE, (page + 1) * PAGE).map((item) => ({
    key: `${item.number} ${JSON.stringify(filter)} ${tokens}`,
    make: () => sentenceNode(item),
    update: (node) => {
      node.item = item
    },
  })))
}

const numberOf = (shown) => shown.slice(0, shown.indexOf(at[0])).reduce((sum, item) => sum + errorsOf(item).length, 0) + errorsOf(at[0]).indexOf(at[1]) + 1

function sentenceNode(item) {
  const { gold, predicted, differences, number } = item
  const node = element('section', { class: 'sentence difference', 'aria-label': `Sentence ${number}`, 'data-number': number })
  if (!differences) {
    node.append(
      element('p', { class: 'note' }, predicted.length === 1 ? 'Other words or bounds were predicted.' : `${predicted.length} sentences were predicted here.`),
      ...[['Gold', [gold]], ['Predicted', predicted]].flatMap(([name, sentences]) => [element('h4', {}, name),
        ...sentences.map((sentence) => element('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': `${name} tree`, html: renderArcs(sentence, { measure }) }))]))
    node.tabIndex = -1
    return node
  }
  const body = element('div', { class: 'sentence-body' })
  if (gold.words.length <= 250) {
    body.append(element('div', { class: 'scroll', dir: directionOf(gold.text), html: renderArcs(predicted[0], { gold, measure, interactive: true, label: `Predicted and gold dependencies of: ${gold.text}` }) }))
    makeFocusable(body)
  }
  const errors = new Set(errorsOf(item))
  for (const word of errors) body.querySelector(`.on-node[data-node="${word}"]`)?.classList.add('error-word')
  const rows = differences.filter(({ word }) => errors.has(word) || filter.column === 'any').flatMap(({ word, columns }) => columns.map((column) => {
    const show = (sentence) => {
      const value = sentence.words[word][column]
      if (column === 'head' && value !== null) return value === 0 ? 'root' : sentence.words[value - 1]?.form ?? String(value)
      return value ?? '_'
    }
    return element('tr', {}, element('th', { scope: 'row' }, `${word + 1} `, element('bdi', {}, gold.words[word].form)), element('td', {}, NAMES[column]),
      element('td', { class: 'gold-text' }, show(gold)), element('td', { class: 'wrong-text' }, show(predicted[0])))
  }))
  if (rows.length > 0) {
    body.append(element('details', { open: rows.length <= 6 }, element('summary', {}, `${rows.length} ${rows.length === 1 ? 'difference' : 'differences'}`),
      element('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': `Differences in sentence ${number}` }, element('table', { class: 'plain-table' },
        element('thead', {}, element('tr', {}, ...['word', 'column', 'gold', 'predicted'].map((name) => element('th', { scope: 'col' }, name)))),
        element('tbody', {}, ...rows)))))
  } else {
    body.append(element('p', { class: 'note' }, 'All as in the gold annotation.'))
  }
  node.append(element('div', { class: 'sentence-tools' }, ...['svg', 'png'].map((kind) => element('button', {
    type: 'button', class: 'small', 'aria-label': `Save as ${kind.toUpperCase()}`,
    onclick: () => saveDrawing(kind, (theme) => renderArcs(predicted[0], { gold, measure, theme }), gold.text),
  }, kind.toUpperCase()))), body)
  node.sentence = predicted[0]
  return node
}

/** Goes to the next word that differs, or the one before. */
async function step(way) {
  const shown = shownItems()
  const all = shown.flatMap((item) => errorsOf(item).map((word) => [item, word]))
  if (all.length === 0) return say('There is no such error.')
  const now = at ? all.findIndex(([item, word]) => item === at[0] && word === at[1]) : way > 0 ? -1 : all.length
  at = all[(now + way + all.length) % all.length]
  page = Math.floor(shown.indexOf(at[0]) / PAGE)
  await showSentences()
  const node = [...byId('difference-list').children].find((child) => child.item === at[0])
  for (const other of document.querySelectorAll('.error-now')) other.classList.remove('error-now')
  const word = node?.querySelector(`.on-node[data-node="${at[1]}"]`) ?? node
  word?.classList.add('error-now')
  node?.scrollIntoView({ block: 'nearest' })
  word?.focus({ preventScroll: true })
  word?.scrollIntoView({ block: 'nearest', inline: 'center' })
}
