// How fast it is, as measured here and now.

import { call } from './client.js'
import { byId, bytes, count, element, say, seconds } from './dom.js'

/** What the page, its scripts and the module weigh, as transferred and as they are. */
function weights() {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !/\.onenlp$/.test(new URL(name).pathname))
  const sum = (name) => entries.reduce((all, entry) => all + (entry[name] ?? 0), 0)
  return { files: entries.length, size: sum('decodedBodySize') }
}

export function showSpeed({ card, last, text, components }) {
  const host = byId('speed')
  if (!card) return host.replaceChildren(element('p', { class: 'note' }, 'No pipeline is loaded.'))
  const { files, size } = weights()
  const rows = []
  const row = (name, value, how) => rows.push(element('dt', {}, name), element('dd', {}, value, how ? element('span', { class: 'note' }, ` ${how}`) : null))
  row('module', bytes(card.module), 'onenlp.wasm as the browser holds it; about a third of that compressed')
  row('page', bytes(size), `${files} files of HTML, CSS and JavaScript, uncompressed`)
  row('pipeline', bytes(card.size), 'the file')
  row('load time', seconds(card.seconds * 1000), 'the pipeline file read and checked, and the module compiled, until ready')
  row('memory', bytes(last?.memory ?? card.memory), 'held by the pipeline and its texts in the module; the browser itself not counted')
  if (last) row('last text', `${count(last.words)} words in ${seconds(last.ms)}`, `${count((last.words / last.ms) * 1000)} words/s: one run, which for short texts says little; drawn ${seconds(last.drawn)} later`)
  const answer = element('span', { id: 'sustained', role: 'status' }, element('span', { class: 'note' }, 'not measured yet'))
  rows.push(element('dt', {}, 'sustained'), element('dd', {}, answer))
  const button = element('button', { type: 'button', class: 'primary', async onclick() {
    button.disabled = true
    answer.textContent = 'measuring…'
    try {
      const { words, runs, ms, memory } = await call('measure', { text, components })
      answer.replaceChildren(`${count((words / ms) * 1000)} words/s`, element('span', { class: 'note' },
        ` the text of “Annotate”, ${count(runs)} times in ${seconds(ms)}, one thread, all columns copied out; memory afterwards ${bytes(memory)}`))
    } catch (error) {
      say(error.message, 'error')
      answer.textContent = 'not measured'
    } finally {
      button.disabled = false
    }
  } }, 'Measure')
  host.replaceChildren(element('dl', { class: 'facts' }, ...rows), button,
    element('p', { class: 'note' }, 'Measured on this device, in this tab. Other work on the device makes it slower.'))
}
