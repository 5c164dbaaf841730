// The views of an annotated text. A view turns the state into items of a list (see list.js).

import {
  directionOf, renderArcs, renderCats, renderEntities, renderJson, renderLegend, renderOutline, renderSpans, renderTable,
  renderTree, renderWords, rowsOfConllu, sentencesOf, uposInWords,
} from '../js/render/index.js'
import { makeFocusable } from '../js/render/interact.js'
import { codeSnippets } from './code.js'
import { copy, download, element } from './dom.js'
import { saveDrawing } from './export.js'
import { measure } from './measure.js'

const ROWS = 100
export const SENTENCES = 40
// More than this is not coloured: a browser shows it, but slowly.
const JSON_LIMIT = 150_000
// A drawing of more words than this helps nobody.
const WORDS_DRAWN = 400

/**
 * @typedef {object} State
 * @property {any} json the document
 * @property {string} conllu
 * @property {string} text
 * @property {object | null} card of the pipeline
 * @property {import('../js/render/doc.js').Sentence[]} sentences made once a document, numbers counting within each
 */

/** Sentences whose numbers count from their own start, so that equal ones look equal. */
export function ownSentences(json) {
  return sentencesOf(json).map((sentence) => ({
    ...sentence,
    first: 0, last: sentence.words.length, start: 0, end: sentence.end - sentence.start, index: 0,
    words: sentence.words.map((word, i) => ({ ...word, index: i, start: word.start - sentence.start, end: word.end - sentence.start })),
  }))
}

const has = (state, column) => state.json[column]?.some((value) => value !== null)

function lacks(what, kinds) {
  return `Nothing here has ${what}. A pipeline with a component of the kind ${kinds} gives them; so does a file that holds them.`
}

/** An item for every sentence, up to the pane's limit. */
function sentenceItems(state, pane, view, make, tools = () => []) {
  return state.sentences.slice(0, pane.limit).map((sentence, i) => ({
    key: `${view} ${pane.optionKey()} ${JSON.stringify([sentence.text, sentence.words, sentence.ranges])}`,
    make() {
      const body = element('div', { class: 'sentence-body', html: make(sentence) })
      makeFocusable(body, (word) => {
        const { form, upos } = sentence.words[Number(word.dataset.word)]
        return upos ? `${form}, ${uposInWords(upos) ?? upos}` : form
      })
      const node = element('section', { class: 'sentence' }, element('div', { class: 'sentence-tools' }, ...tools(sentence, body)), body)
      node.sentence = sentence
      return node
    },
    update(node) {
      node.dataset.number = i + 1
      node.setAttribute('aria-label', `Sentence ${i + 1}`)
    },
  }))
}

/** An item for every paragraph, for annotation that lies in the text. */
function paragraphItems(state, pane, view, triples, make) {
  const { text } = state.json
  const edges = [0]
  let at = 0
  const ordered = (triples ?? []).toSorted((a, b) => a[0] - b[0])
  for (const match of text.matchAll(/\n[ \t\r]*\n+/g)) {
    const cut = match.index + match[0].length
    while (at < ordered.length && ordered[at][1] <= match.index) at++
    if (!ordered.slice(at, at + 50).some(([from, to]) => from < cut && to > cut)) edges.push(cut)
  }
  edges.push(text.length)
  const items = []
  for (let i = 0; i + 1 < edges.length && items.length < pane.limit; i++) {
    const [start, end] = [edges[i], edges[i + 1]]
    const inside = (triples ?? []).filter(([from, to]) => from >= start && to <= end).map(([from, to, label]) => [from - start, to - start, label])
    items.push({
      key: `${view} ${pane.optionKey()} ${JSON.stringify(inside)} ${text.slice(start, end)}`,
      make: () => element('div', { class: 'paragraph', html: make({ start, end: start + text.slice(start, end).trimEnd().length }) }),
    })
  }
  return items
}

const single = (key, make) => [{ key, make }]

const drawingTools = (render) => (sentence, body) => {
  const save = (kind) => saveDrawing(kind, (theme) => render(sentence, theme), sentence.text)
  return ['SVG', 'PNG'].map((kind) =>
    element('button', { type: 'button', class: 'small', title: `Save the drawing as ${kind}`, 'aria-label': `Save as ${kind}`, onclick: () => save(kind.toLowerCase()) }, kind))
}

const tooLong = (sentence) => `<p class="note">This sentence has ${sentence.words.length} words: too many to draw. The table shows them.</p>`

function check(pane, name, label) {
  return element('label', { class: 'check' }, element('input', {
    type: 'checkbox', checked: Boolean(pane.options[name]),
    onchange: ({ target }) => pane.setOption(name, target.checked),
  }), ` ${label}`)
}

function choice(pane, name, label, values) {
  return element('label', { class: 'choice' }, `${label} `, element('select', {
    onchange: ({ target }) => pane.setOption(name, target.value),
  }, ...values.map((value) => element('option', { value, selected: pane.options[name] === value }, value))))
}

const button = (label, onclick) => element('button', { type: 'button', class: 'small', onclick }, label)

export const VIEWS = [
  {
    id: 'words',
    label: 'Words',
    missing: () => null,
    items: (state, pane) => sentenceItems(state, pane, 'words', (sentence) => renderWords(sentence)),
  },
  {
    id: 'arcs',
    label: 'Dependencies',
    missing: (state) => (has(state, 'head') ? null : lacks('heads and relations', 'parser')),
    toolbar: (state, pane) => [check(pane, 'lemmas', 'Lemmas')],
    items(state, pane) {
      const options = { lemmas: Boolean(pane.options.lemmas), measure }
      return sentenceItems(state, pane, 'arcs',
        (sentence) => (sentence.words.length > WORDS_DRAWN ? tooLong(sentence)
          : `<div class="scroll" dir="${directionOf(sentence.text)}">${renderArcs(sentence, { ...options, interactive: true, label: `Dependency arcs of: ${sentence.text}` })}</div>`),
        drawingTools((sentence, theme) => renderArcs(sentence, { ...options, theme })))
    },
  },
  {
    id: 'tree',
    label: 'Tree',
    missing: (state) => (has(state, 'head') ? null : lacks('heads and relations', 'parser')),
    toolbar: (state, pane) => [check(pane, 'outline', 'As an outline')],
    items(state, pane) {
      if (pane.options.outline) return sentenceItems(state, pane, 'outline', (sentence) => renderOutline(sentence))
      return sentenceItems(state, pane, 'tree',
        (sentence) => (sentence.words.length > WORDS_DRAWN ? tooLong(sentence)
          : `<div class="scroll" dir="${directionOf(sentence.text)}">${renderTree(sentence, { interactive: true, measure, label: `Dependency tree of: ${sentence.text}` })}</div>`),
        drawingTools((sentence, theme) => renderTree(sentence, { measure, theme })))
    },
  },
  {
    id: 'entities',
    label: 'Entities',
    missing: (state) => (state.json.entities ? null : lacks('entities', 'ner')),
    toolbar: (state) => [element('div', { html: renderLegend(state.json.entities.map(([, , label]) => label)) })],
    items: (state, pane) => paragraphItems(state, pane, 'entities', state.json.entities, (part) => renderEntities(state.json, part)),
  },
  {
    id: 'cats',
    label: 'Categories',
    missing: (state) => (state.json.cats ? null : lacks('categories', 'textcat')),
    items: (state) => single(`cats ${JSON.stringify(state.json.cats)}`, () => element('div', { class: 'paragraph', html: renderCats(state.json, { limit: 60 }) })),
  },
  {
    id: 'spans',
    label: 'Spans',
    missing: (state) => (Object.keys(state.json.spans ?? {}).length > 0 ? null : lacks('spans', 'spancat')),
    toolbar(state, pane) {
      const groups = Object.keys(state.json.spans)
      const group = groups.includes(pane.options.group) ? pane.options.group : groups[0]
      return [groups.length > 1 ? choice(pane, 'group', 'Group', groups) : null,
        element('div', { html: renderLegend(state.json.spans[group].map(([, , label]) => label)) })]
    },
    items(state, pane) {
      const groups = Object.keys(state.json.spans)
      const group = groups.includes(pane.options.group) ? pane.options.group : groups[0]
      return paragraphItems(state, pane, `spans ${group}`, state.json.spans[group], (part) => renderSpans(state.json, group, part))
    },
  },
  {
    id: 'table',
    label: 'CoNLL-U',
    missing: (state) => (state.conllu ? null : 'This document has no CoNLL-U: it came from JSON.'),
    toolbar: (state) => [
      button('Copy', () => copy(state.conllu, 'CoNLL-U')),
      button('Download', () => download(state.conllu, 'annotation.conllu')),
    ],
    items(state, pane) {
      const limit = Math.ceil(pane.limit / SENTENCES) * ROWS
      const { sort = null } = pane.options
      state.rows ??= rowsOfConllu(state.conllu)
      // The rows shown are the key: a change behind them leaves the table as it is.
      const html = renderTable(state.rows, { sort, limit })
      return single(`table ${html}`, () => {
        const node = element('div', { class: 'scroll table-scroll', tabIndex: 0, role: 'region', 'aria-label': 'CoNLL-U table', html })
        node.addEventListener('click', ({ target }) => {
          const { column } = target.closest('.on-sort')?.dataset ?? {}
          if (column === undefined) return
          const next = Number(column)
          // Once up, once down, then as in the text again.
          const order = sort?.column !== next ? { column: next, descending: false } : sort.descending ? null : { column: next, descending: true }
          pane.setOption('sort', order)
          pane.afterRender(() => pane.body.querySelector(`.on-sort[data-column="${next}"]`)?.focus())
        })
        return node
      })
    },
    total: (state) => (state.rows ??= rowsOfConllu(state.conllu)).length / ROWS * SENTENCES,
  },
  {
    id: 'json',
    label: 'JSON',
    missing: () => null,
    toolbar: (state) => [
      button('Copy', () => copy(JSON.stringify(state.json), 'JSON')),
      button('Download', () => download(JSON.stringify(state.json), 'annotation.json', 'application/json')),
    ],
    items(state) {
      const text = JSON.stringify(state.json)
      return single(`json ${text}`, () => {
        const node = element('pre', { class: 'json scroll', tabIndex: 0, role: 'region', 'aria-label': 'JSON' })
        if (text.length > JSON_LIMIT) node.textContent = text
        else node.innerHTML = renderJson(state.json)
        return node
      })
    },
  },
  {
    id: 'code',
    label: 'Code',
    missing: () => null,
    items(state, pane) {
      const snippets = codeSnippets(state, pane.otherView() ?? 'arcs')
      return snippets.map(({ title, language, code }) => ({
        key: `code ${title} ${code}`,
        make: () => element('div', { class: 'paragraph' },
          element('div', { class: 'bar' }, element('h3', {}, title), button('Copy', () => copy(code, 'Code'))),
          element('pre', { class: 'code scroll', tabIndex: 0, role: 'region', 'aria-label': `${title}, ${language}` }, code)),
      }))
    },
  },
]

