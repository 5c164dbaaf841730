// The page: puts the parts together.

import { call } from './client.js'
import { startCompare, compareFile } from './compare.js'
import { byId, bytes, copy, count, element, say, seconds, tabs } from './dom.js'
import { addFile, startFiles } from './files.js'
import { Pane } from './pane.js'
import { choosePipeline, currentPipeline, loadFile, loadingPipeline, showCard, startPipelines } from './pipelines.js'
import { LINK_LIMIT, fragmentOf, readFragment } from './share.js'
import { SAMPLES } from './samples.js'
import { showSpeed } from './speed.js'
import { ownSentences } from './views.js'

// A longer text is annotated as a file, with progress; this many UTF-16 units as one types.
const LIVE_LIMIT = 100_000

const textArea = byId('text')
/** What is shown: of the text, or of a file. */
let state = null
let last = null
let mode = 'annotate'
/** The components that run; undefined: all. */
let components
/** The annotation of a file is shown, not of the text. */
let looking = null

// ---- Panes

const panes = []
const panesHost = byId('panes')

function addPane(name, view) {
  const pane = new Pane({ name, view, onChange: remember, others: () => panes })
  panes.push(pane)
  panesHost.append(pane.node)
  pane.setState(state)
  return pane
}

function setSplit(on, view = 'arcs') {
  byId('split').checked = on
  if (on && panes.length === 1) addPane('second', view)
  if (!on && panes.length === 2) panes.pop().node.remove()
  panesHost.classList.toggle('two', on)
}

async function showState(next) {
  state = next
  const done = await Promise.all(panes.map((pane) => pane.setState(state)))
  return done.every(Boolean)
}

// ---- Annotating as one types

let running = null
let again = false

async function annotate() {
  looking = null
  const text = textArea.value
  const card = currentPipeline()
  const long = text.length > LIVE_LIMIT
  byId('long-text').hidden = !long
  if (long) {
    byId('long-text').replaceChildren(`This text has ${bytes(text.length)}: too long to annotate at every key. `,
      element('button', { type: 'button', onclick: () => takeAsFile(textArea.value) }, 'Annotate as a file'))
    running?.abort()
    return showStatus('')
  }
  if (!card) return showStatus(loadingPipeline() ? 'Waiting for the pipeline…' : '')
  if (running) {
    // The newest text counts; the run before gives up between two units.
    again = true
    running.abort()
    return
  }
  const controller = (running = new AbortController())
  try {
    const { json, conllu, ms, words, memory } = await call('annotate', { text, components }, { signal: controller.signal })
    if (!looking) {
      const start = performance.now()
      const shown = showState({ json, conllu, text, card, components, sentences: ownSentences(json) })
      last = { words, ms, memory, drawn: 0 }
      shown.then((done) => {
        if (!done) return
        last.drawn = performance.now() - start
        showStatus(words === 0 ? '' : `${count(words)} ${words === 1 ? 'word' : 'words'}, ${count(json.sentences.length)} ${json.sentences.length === 1 ? 'sentence' : 'sentences'} in ${seconds(ms)} (${count((words / ms) * 1000)} words/s), shown after ${seconds(last.drawn)}`)
      })
    }
  } catch (error) {
    if (error.code !== 'CANCELLED') showStatus(`${error.message} (${error.code})`, true)
  } finally {
    running = null
  }
  if (again) {
    again = false
    annotate()
  }
}

/** A text that is too long for the text area becomes a file. */
async function takeAsFile(text) {
  setMode('files')
  const item = await addFile(new File([text], 'text.txt', { type: 'text/plain' }), fileActions)
  item.querySelector('button.primary').focus()
}

function showStatus(message, isError = false) {
  byId('status').textContent = message
  byId('status').classList.toggle('error-text', isError)
}

let remembering = 0
/** Keeps the address up to date, some time after the last change. */
function remember() {
  clearTimeout(remembering)
  remembering = setTimeout(async () => {
    const fragment = await currentFragment()
    if (fragment.length <= LINK_LIMIT) history.replaceState(null, '', `#${fragment}`)
    else history.replaceState(null, '', location.pathname)
  }, 400)
}

const currentFragment = () => fragmentOf({
  text: textArea.value.length > LIVE_LIMIT ? '' : textArea.value,
  view: panes[0].view,
  second: panes[1]?.view ?? null,
  mode,
  pipeline: currentPipeline()?.source.url ? currentPipeline().id : null,
})

async function shareLink() {
  const fragment = await currentFragment()
  if (fragment.length > LINK_LIMIT || textArea.value.length > LIVE_LIMIT) return say('The text is too long for a link.', 'error')
  const url = new URL(location.href)
  url.hash = fragment
  return copy(url.href, 'Link')
}

// ---- Modes

const modePanels = ['annotate', 'files', 'compare', 'pipeline']
const selectMode = tabs(byId('modes'), (tab) => {
  mode = tab.getAttribute('aria-controls')
  for (const id of modePanels) byId(id).hidden = id !== mode
  if (mode === 'pipeline') showPipelinePage()
  if (panes.length > 0) remember()
})

function setMode(name) {
  selectMode(byId(`mode-${modePanels.includes(name) ? name : 'annotate'}`))
}

function showPipelinePage() {
  showCard()
  showSpeed({ card: currentPipeline(), last, text: textArea.value || SAMPLES[1][1], components })
}

// ---- Pipelines

function pipelineLoaded(card) {
  components = undefined
  byId('components').replaceChildren(byId('components').firstElementChild, ...card.components.map(({ name, kind }) => element('label', { class: 'check' }, element('input', {
    type: 'checkbox', checked: true, value: name,
    onchange() {
      const all = [...byId('components').querySelectorAll('input')]
      components = all.every(({ checked }) => checked) ? undefined : all.filter(({ checked }) => checked).map(({ value }) => value)
      annotate()
    },
  }), name === kind ? ` ${name}` : ` ${name} (${kind})`)))
  showStatus('')
  if (looking === null) annotate()
  if (mode === 'pipeline') showPipelinePage()
  remember()
}

// ---- Files

const fileActions = {
  ready: () => currentPipeline() !== null,
  components: () => components,
  async look(file, format) {
    try {
      const found = await call('look', { file, format })
      setMode('annotate')
      if (found.text !== undefined) {
        textArea.value = found.text
        return annotate()
      }
      running?.abort()
      looking = file
      textArea.value = found.json.text.length > LIVE_LIMIT ? '' : found.json.text
      await showState({ ...found, text: found.json.text, card: currentPipeline(), components, sentences: ownSentences(found.json) })
      showStatus(`Showing the annotation of ${file.name} itself. Type to annotate the text with the pipeline.`)
    } catch (error) {
      say(`${file.name}: ${error.message}`, 'error')
    }
  },
  compare(file) {
    setMode('compare')
    return compareFile(file)
  },
}

async function takeFiles(list) {
  for (const file of list) {
    if (/\.onenlp$/i.test(file.name)) {
      loadFile(file)
    } else {
      setMode('files')
      await addFile(file, fileActions)
    }
  }
}

function startDropping() {
  const cover = byId('drop-here')
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files')
  let depth = 0
  addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return
    depth++
    cover.hidden = false
  })
  addEventListener('dragleave', (event) => {
    if (hasFiles(event) && --depth <= 0) cover.hidden = true
  })
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault()
  })
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth = 0
    cover.hidden = true
    takeFiles(event.dataTransfer.files)
  })
}

// ---- Theme

function startTheme() {
  const root = document.documentElement
  const kept = safely(() => localStorage.getItem('onenlp-theme'))
  if (kept === 'light' || kept === 'dark') root.dataset.theme = kept
  byId('theme').addEventListener('click', () => {
    const now = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
    root.dataset.theme = now === 'dark' ? 'light' : 'dark'
    safely(() => localStorage.setItem('onenlp-theme', root.dataset.theme))
  })
}

function safely(action) {
  try {
    return action()
  } catch {
    return null
  }
}

// ---- Start

async function start() {
  startTheme()
  const shared = await readFragment(location.hash)
  const samples = byId('samples')
  samples.append(element('option', { value: '' }, 'Samples…'), ...SAMPLES.map(([name], i) => element('option', { value: String(i) }, name)))
  samples.addEventListener('change', () => {
    if (samples.value === '') return
    textArea.value = SAMPLES[Number(samples.value)][1]
    samples.value = ''
    annotate()
    remember()
  })
  textArea.value = shared.text ?? SAMPLES[0][1]
  textArea.addEventListener('input', () => {
    annotate()
    remember()
  })
  textArea.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text.length <= LIVE_LIMIT) return
    // A text area of millions of characters would hold up the browser.
    event.preventDefault()
    say('The pasted text is too long to annotate at every key: here it is as a file.')
    takeAsFile(text)
  })
  addPane('first', shared.view ?? 'arcs')
  const wide = matchMedia('(min-width: 100rem)').matches
  setSplit(shared.second !== undefined || (wide && shared.view === undefined), shared.second ?? 'words')
  byId('split').addEventListener('change', ({ target }) => {
    setSplit(target.checked, panes[0].view === 'words' ? 'arcs' : 'words')
    remember()
  })
  byId('share').addEventListener('click', shareLink)
  byId('open-text').addEventListener('click', () => byId('file-input').click())
  startFiles(fileActions)
  byId('file-input').addEventListener('change', () => setMode('files'))
  startCompare(fileActions)
  startDropping()
  setMode(shared.mode)
  addEventListener('hashchange', async () => {
    const next = await readFragment(location.hash)
    if (next.text !== undefined) textArea.value = next.text
    if (next.view) panes[0].select(next.view)
    annotate()
  })
  await startPipelines(pipelineLoaded)
  showStatus('Waiting for the pipeline…')
  await choosePipeline(shared.pipeline)
  if (!currentPipeline()) showStatus('')
  if ('serviceWorker' in navigator) navigator.serviceWorker.register(new URL('./sw.js', import.meta.url)).catch(() => {})
}

start()
