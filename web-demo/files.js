// Whole files: annotated with progress, and saved.

import { call } from './client.js'
import { ProgressBar, byId, bytes, count, download, element, say, seconds } from './dom.js'

const FORMATS = { text: 'Text', conllu: 'CoNLL-U', jsonl: 'JSON Lines' }
const OUTPUTS = { conllu: 'CoNLL-U', json: 'JSON', jsonl: 'JSON Lines' }
const ENDINGS = { conllu: '.conllu', json: '.json', jsonl: '.jsonl' }

/** What a file holds, by its name, else by its first characters. */
export async function formatOfFile(file) {
  if (/\.conllu?$/i.test(file.name)) return 'conllu'
  if (/\.(jsonl|json|ndjson)$/i.test(file.name)) return 'jsonl'
  const start = await file.slice(0, 4096).text()
  if (/^(#[^\n]*\n)*1(-\d+)?\t[^\t\n]+\t/.test(start)) return 'conllu'
  if (/^\s*\{\s*"[a-z_]+"\s*:/.test(start)) return 'jsonl'
  return 'text'
}

/** @param {{ look: (file: File, format: string) => void, compare: (file: File) => void, components: () => string[] | undefined, ready: () => boolean }} actions */
export function startFiles(actions) {
  const input = byId('file-input')
  byId('choose-files').addEventListener('click', () => input.click())
  input.addEventListener('change', () => {
    for (const file of input.files) addFile(file, actions)
    input.value = ''
  })
}

/** Puts a file into the list. */
export async function addFile(file, actions) {
  const format = await formatOfFile(file)
  const options = (values, selected) => Object.entries(values).map(([value, label]) => element('option', { value, selected: value === selected }, label))
  const formatSelect = element('select', {}, ...options(FORMATS, format))
  const outputSelect = element('select', {}, ...options(OUTPUTS, format === 'jsonl' ? 'jsonl' : 'conllu'))
  const work = element('div', { class: 'file-work', hidden: true })
  const result = element('p', { class: 'file-result', role: 'status' })
  const start = element('button', { type: 'button', class: 'primary' }, 'Annotate')
  const look = element('button', { type: 'button', onclick: () => actions.look(file, formatSelect.value) }, 'Look at it')
  const compare = element('button', { type: 'button', onclick: () => actions.compare(file) }, 'Compare with gold')
  const remove = element('button', { type: 'button', class: 'icon-button', 'aria-label': `Remove ${file.name}`, title: 'Remove' }, '×')
  const item = element('li', { class: 'file' },
    element('div', { class: 'file-head' }, element('strong', {}, file.name), element('span', { class: 'note' }, bytes(file.size)), remove),
    element('div', { class: 'file-tools' },
      element('label', {}, 'Format ', formatSelect), element('label', {}, 'Result ', outputSelect), start, look, compare),
    work, result)
  const refresh = () => { compare.hidden = formatSelect.value === 'text' }
  formatSelect.addEventListener('change', refresh)
  refresh()

  let controller = null
  remove.addEventListener('click', () => {
    controller?.abort()
    item.remove()
  })
  start.addEventListener('click', async () => {
    if (!actions.ready()) return say('Load a pipeline first.', 'error')
    controller?.abort()
    controller = new AbortController()
    const { signal } = controller
    start.disabled = true
    result.replaceChildren()
    const bar = new ProgressBar(work, `Annotating ${file.name}`, () => controller.abort())
    try {
      const { blob, words, ms } = await call('annotateFile', { file, format: formatSelect.value, output: outputSelect.value, components: actions.components() }, {
        signal,
        onProgress({ done, total, words: soFar }) {
          const time = bar.elapsed()
          const left = done > 0 ? `, about ${seconds((time / done) * (total - done))} left` : ''
          bar.set(done, total, `${Math.floor((100 * done) / total)} %, ${count(soFar)} words, ${count((soFar / time) * 1000)} words/s${left}`)
        },
      })
      const name = file.name.replace(/\.[^.]*$/, '') + ENDINGS[outputSelect.value]
      result.replaceChildren(
        `${count(words)} words in ${seconds(ms)} (${count((words / ms) * 1000)} words/s). `,
        element('button', { type: 'button', class: 'primary', onclick: () => download(blob, name) }, `Download ${name} (${bytes(blob.size)})`))
    } catch (error) {
      result.replaceChildren(error.code === 'CANCELLED' ? 'Cancelled.' : element('span', { class: 'error-text' }, `${error.message} `, element('code', {}, error.code)))
    } finally {
      bar.remove()
      start.disabled = false
    }
  })
  byId('file-list').prepend(item)
  return item
}
