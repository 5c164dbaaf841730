// The menu of pipelines, loading them, and the card of the one in use.

import { call } from './client.js'
import { ProgressBar, byId, bytes, count, element, seconds } from './dom.js'
import { forget, isRemembered, listRemembered, remember } from './remember.js'

const KINDS = {
  sentencizer: 'sentence boundaries by rule', senter: 'sentence boundaries', tagger: 'XPOS tags', morphologizer: 'UPOS tags and morphological features',
  lemmatizer: 'lemmas', parser: 'dependency trees', ner: 'entities', textcat: 'categories', spancat: 'spans',
}
const METADATA = { licence: 'licence', license: 'licence', version: 'version', training_data: 'training data', dev_scores: 'scores (dev)', test_scores: 'scores (test)', description: 'description' }

/** The pipeline in use; null before the first one. */
let card = null
let loading = null
let files = new Map()
let onLoaded = () => {}

export const currentPipeline = () => card
export const loadingPipeline = () => loading !== null

/** @param {(card: object) => void} listener called with each pipeline that was loaded */
export async function startPipelines(listener) {
  onLoaded = listener
  const menu = byId('pipelines')
  const shipped = await fetch(new URL('./pipelines.json', import.meta.url)).then((response) => response.json()).catch(() => [])
  for (const { id, name, file } of shipped) addEntry({ id, name, url: new URL(file, import.meta.url).href })
  for (const { url, name } of await listRemembered().catch(() => [])) addEntry({ id: url, name, url })
  menu.addEventListener('change', () => choosePipeline(menu.value))
  byId('open-pipeline').addEventListener('click', () => byId('pipeline-file').click())
  byId('pipeline-file').addEventListener('change', ({ target }) => {
    if (target.files.length > 0) loadFile(target.files[0])
    target.value = ''
  })
}

function addEntry(entry) {
  if (!files.has(entry.id)) byId('pipelines').append(element('option', { value: entry.id }, entry.name))
  files.set(entry.id, entry)
}

/** Loads a pipeline of the menu; the first one where there is no such id. */
export function choosePipeline(id) {
  const entry = files.get(id) ?? files.values().next().value
  if (!entry) return showError('No pipeline', 'This page has no pipeline of its own. Open a .onenlp file, or drop it here.')
  return load(entry)
}

/** Loads a file of the user's. */
export function loadFile(file) {
  const entry = { id: `file:${file.name}`, name: file.name, file }
  addEntry(entry)
  return load(entry)
}

async function load(entry) {
  loading?.abort()
  const controller = (loading = new AbortController())
  const host = byId('load-progress')
  const bar = new ProgressBar(host, `Loading ${entry.name}`, () => controller.abort())
  byId('load-error').hidden = true
  byId('pipelines').value = entry.id
  try {
    const result = await call('load', { url: entry.url, file: entry.file, keep: Boolean(entry.url) && !entry.url.includes('/remembered/') }, {
      signal: controller.signal,
      onProgress({ loaded, total, source }) {
        const time = bar.elapsed()
        const left = total && loaded > 0 && loaded < total ? `, ${seconds((time / loaded) * (total - loaded))} left` : ''
        const from = { cache: ' from this browser', network: '', memory: '', file: '' }[source] ?? ''
        bar.set(loaded, total, `Loading ${entry.name}${from}: ${bytes(loaded)}${total ? ` of ${bytes(total)}` : ''} after ${seconds(time)}${left}`)
      },
    })
    if (loading !== controller) return
    card = { ...result, id: entry.id, name: entry.name, file: (entry.file?.name ?? new URL(entry.url).pathname.split('/').at(-1)), source: entry }
    onLoaded(card)
  } catch (error) {
    if (loading !== controller) return
    byId('pipelines').value = card?.id ?? ''
    if (entry.file && card?.id !== entry.id) removeEntry(entry.id)
    if (error.code === 'CANCELLED') return
    const place = error.position !== null && !/\bbyte|offset/.test(error.message) ? ` (at byte ${count(error.position)})` : ''
    showError(entry.name, `${error.message}${place}`, error.code)
  } finally {
    if (loading === controller) {
      loading = null
      bar.remove()
    }
  }
}

function removeEntry(id) {
  files.delete(id)
  byId('pipelines').querySelector(`option[value="${CSS.escape(id)}"]`)?.remove()
}

function showError(name, message, code) {
  const box = byId('load-error')
  box.hidden = false
  box.replaceChildren(
    element('p', {}, element('strong', {}, `${name} could not be loaded. `), message, code ? element('code', { class: 'error-code' }, code) : null,
      card ? ` ${card.name} stays in use.` : ''),
    element('button', { type: 'button', class: 'small', onclick: () => { box.hidden = true } }, 'Close'))
}

/** Fills the card. */
export async function showCard() {
  const host = byId('card')
  if (!card) return host.replaceChildren(element('p', { class: 'note' }, 'No pipeline is loaded.'))
  const rows = []
  const row = (name, ...value) => rows.push(element('dt', {}, name), element('dd', {}, ...value))
  row('file', element('code', {}, card.file), ` ${bytes(card.size)}, ${count(card.values)} weights`)
  row('language', languageName(card.language))
  for (const [key, value] of Object.entries(card.metadata)) {
    if (key === 'name') continue
    const name = METADATA[key] ?? key.replaceAll('_', ' ')
    if (/scores/.test(key)) row(name, scoreList(value))
    else row(name, value)
  }
  const components = element('table', { class: 'plain-table' },
    element('thead', {}, element('tr', {}, ...['component', 'kind', 'predicts', 'labels'].map((name) => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, ...card.components.map(({ name, kind, labels }) => element('tr', {},
      element('th', { scope: 'row' }, name), element('td', {}, kind), element('td', {}, KINDS[kind] ?? ''),
      element('td', {}, labels.length === 0 ? '–' : element('details', {}, element('summary', {}, count(labels.length)), element('p', { class: 'labels' }, labels.join('  '))))))))
  host.replaceChildren(element('dl', { class: 'facts' }, ...rows), element('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Components' }, components), await keeping())
}

function scoreList(value) {
  const parts = value.split(/,\s*/)
  return element('ul', { class: 'score-list' }, ...parts.map((part) => element('li', {}, part)))
}

function languageName(code) {
  if (!code) return 'not said'
  try {
    return `${new Intl.DisplayNames(['en'], { type: 'language' }).of(code)} (${code})`
  } catch {
    return code
  }
}

/** The choice to keep the pipeline in this browser. */
async function keeping() {
  const { source } = card
  const key = source.url ?? new URL(`./remembered/${encodeURIComponent(source.file.name)}`, import.meta.url).href
  const kept = await isRemembered(key).catch(() => false)
  return element('label', { class: 'check' }, element('input', {
    type: 'checkbox', checked: kept, id: 'keep',
    async onchange({ target }) {
      try {
        if (target.checked) target.checked = await remember(source.url ?? source.file.name, source.file ?? null)
        else await forget(key)
      } catch {
        target.checked = false
      }
    },
  }), ' Keep this pipeline in the browser, for use offline')
}
