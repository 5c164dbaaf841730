// Small helpers of the page.

/** An element with properties ('on…' listeners, 'data-…' and 'aria-…' attributes) and children. */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
    else if (name === 'html') node.innerHTML = value
    else if (name === 'class') node.className = value
    else if (name in node && !name.includes('-') && name !== 'list') node[name] = value
    else node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children.filter((child) => child !== null && child !== undefined))
  return node
}

export const byId = (id) => document.getElementById(id)

/** Says something to everyone: on the screen for a while, and to screen readers. */
export function say(message, kind = 'note') {
  const toast = element('div', { class: `toast ${kind}` }, message)
  byId('toasts').append(toast)
  setTimeout(() => toast.remove(), kind === 'error' ? 12_000 : 4_000)
}

export function bytes(count) {
  if (count === null || count === undefined) return '?'
  if (count < 1000) return `${count} B`
  const units = ['kB', 'MB', 'GB']
  let value = count / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

const plain = new Intl.NumberFormat('en')
export const count = (value) => plain.format(Math.round(value))

export const seconds = (ms) => (ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`)

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text)
    say(`${what} copied`)
  } catch {
    say(`The browser did not allow copying`, 'error')
  }
}

export function download(content, name, type = 'text/plain') {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }))
  const link = element('a', { href: url, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * Turns elements into tabs: one is in the order of Tab, arrow keys go to the others.
 *
 * @param {HTMLElement} list with role="tablist"; its children are buttons with role="tab"
 * @param {(tab: HTMLElement) => void} onSelect
 */
export function tabs(list, onSelect) {
  const all = () => [...list.querySelectorAll('[role="tab"]')]
  const select = (tab, focus = false) => {
    for (const other of all()) {
      const on = other === tab
      other.setAttribute('aria-selected', String(on))
      other.tabIndex = on ? 0 : -1
    }
    if (focus) tab.focus()
    // Only the list scrolls, never the page.
    const edge = tab.offsetLeft - list.offsetLeft
    if (edge < list.scrollLeft || edge + tab.offsetWidth > list.scrollLeft + list.clientWidth) list.scrollLeft = edge - 24
    onSelect(tab)
  }
  list.addEventListener('click', ({ target }) => {
    const tab = target.closest('[role="tab"]')
    if (tab) select(tab)
  })
  list.addEventListener('keydown', (event) => {
    const now = all()
    const at = now.indexOf(document.activeElement)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: now.length - 1 }[event.key]
    if (at < 0 || next === undefined) return
    event.preventDefault()
    select(now[(next + now.length) % now.length], true)
  })
  return select
}

/** A progress bar with words and a way to stop. */
export class ProgressBar {
  constructor(host, label, onCancel) {
    this.start = performance.now()
    this.bar = element('progress', { max: 1, 'aria-label': label })
    this.words = element('span', { class: 'progress-words' }, label)
    this.node = element('div', { class: 'progress' }, this.bar, this.words,
      onCancel ? element('button', { type: 'button', class: 'small', onclick: onCancel }, 'Cancel') : null)
    host.replaceChildren(this.node)
    host.hidden = false
  }

  set(done, total, text) {
    if (total) this.bar.value = Math.min(1, done / total)
    else this.bar.removeAttribute('value')
    this.words.textContent = text
  }

  elapsed() {
    return performance.now() - this.start
  }

  remove() {
    this.node.parentElement?.toggleAttribute('hidden', true)
    this.node.remove()
  }
}
