// A pane: tabs of views, a bar of tools, and the view itself.

import { renderCard } from '../js/render/index.js'
import { interact } from '../js/render/interact.js'
import { byId, element, tabs } from './dom.js'
import { KeyedList } from './list.js'
import { SENTENCES, VIEWS } from './views.js'

export class Pane {
  view
  options = {}
  limit = SENTENCES
  #state = null
  #list
  #select
  #after = []
  #last = null

  /** @param {{ name: string, view: string, onChange: () => void, others: () => Pane[] }} settings */
  constructor({ name, view, onChange, others }) {
    this.view = view
    this.others = others
    this.onChange = onChange
    const id = `pane-${name}`
    this.tabList = element('div', { class: 'view-tabs', role: 'tablist', 'aria-label': `Views, ${name} pane` })
    for (const { id: viewId, label } of VIEWS) {
      this.tabList.append(element('button', { type: 'button', role: 'tab', id: `${id}-${viewId}`, 'data-view': viewId, 'aria-controls': id }, label))
    }
    this.toolbar = element('div', { class: 'view-tools' })
    this.message = element('p', { class: 'note view-message', hidden: true })
    this.body = element('div', { class: 'view-body' })
    this.more = element('button', { type: 'button', class: 'more', hidden: true, onclick: () => {
      this.limit += SENTENCES
      this.render()
    } }, 'Show more')
    this.panel = element('div', { class: 'view', role: 'tabpanel', id }, this.toolbar, this.message, this.body, this.more)
    this.node = element('div', { class: 'pane panel' }, this.tabList, this.panel)
    this.#list = new KeyedList(this.body)
    this.#select = tabs(this.tabList, (tab) => this.#show(tab.dataset.view))
    interact(this.body, { card: byId('word-card'), contentOf: (word) => cardOf(word) })
    this.select(view)
  }

  /** Selects a view by its id. */
  select(view) {
    const tab = this.tabList.querySelector(`[data-view="${CSS.escape(view)}"]`) ?? this.tabList.firstElementChild
    this.#select(tab)
  }

  #show(view) {
    const changed = view !== this.view
    if (changed && this.view !== 'code') this.#last = this.view
    this.view = view
    this.limit = SENTENCES
    this.panel.setAttribute('aria-labelledby', `${this.panel.id}-${view}`)
    this.render()
    if (changed) this.onChange()
  }

  /** The view that code is shown for: that of the other pane, or the one before. */
  otherView() {
    return this.others().find((pane) => pane !== this && pane.view !== 'code')?.view ?? this.#last
  }

  optionKey() {
    return JSON.stringify(this.options)
  }

  setOption(name, value) {
    this.options = { ...this.options, [name]: value }
    this.render(true)
  }

  afterRender(action) {
    this.#after.push(action)
  }

  /** @param {import('./views.js').State | null} state */
  async setState(state) {
    this.#state = state
    return this.render()
  }

  /** `keepTools`: the tools stay as they are, with the focus in them. */
  async render(keepTools = false) {
    const state = this.#state
    const view = VIEWS.find(({ id }) => id === this.view)
    const missing = state === null ? 'The annotation appears here.' : view.missing(state)
    if (!keepTools) this.toolbar.replaceChildren(...((missing === null && view.toolbar?.(state, this)) || []).filter(Boolean))
    this.toolbar.hidden = this.toolbar.childElementCount === 0
    this.message.hidden = missing === null
    this.message.textContent = missing ?? ''
    const items = missing === null ? view.items(state, this) : []
    const total = missing !== null ? 0 : view.total ? view.total(state) : ['words', 'arcs', 'tree'].includes(view.id) ? state.sentences.length : 0
    this.more.hidden = total <= this.limit
    this.body.dataset.view = view.id
    if (await this.#list.show(items)) {
      for (const action of this.#after.splice(0)) action()
      return true
    }
    return false
  }
}

export function cardOf(word) {
  const sentence = word.closest('.sentence')?.sentence
  const found = sentence?.words[Number(word.dataset.node ?? word.dataset.word)]
  return found ? renderCard(found, sentence.words) : null
}
