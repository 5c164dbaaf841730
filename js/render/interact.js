// What moves in a page: subtrees light up, words can be reached by keyboard, and a card tells what is
// known of a word. For drawings made with `interactive: true` and for renderWords. The only module of
// onenlp/render that needs a page.

/**
 * @param {HTMLElement} root the element that holds the drawings, now or later
 * @param {{ card?: HTMLElement, contentOf?: (word: Element) => string | null }} [options] `card`: an element that is
 *     shown beside a word, filled with the HTML that `contentOf` gives for it (see renderCard)
 * @returns {() => void} ends it
 */
export function interact(root, { card = null, contentOf = () => null } = {}) {
  const ending = new AbortController()
  const on = (target, types, listener) => {
    for (const type of types.split(' ')) target.addEventListener(type, listener, { signal: ending.signal })
  }
  let current = null
  let pinned = false

  function show(word) {
    if (word === current) return
    hide()
    current = word
    light(word)
    const content = card && contentOf(word)
    if (!content) return
    card.innerHTML = content
    card.hidden = false
    place(card, word)
    if (card.id) word.setAttribute('aria-describedby', card.id)
  }

  function hide() {
    if (!current) return
    unlight(current)
    current.removeAttribute('aria-describedby')
    current = null
    pinned = false
    if (card) card.hidden = true
  }

  on(root, 'pointerover', ({ target, pointerType }) => {
    if (pinned || pointerType === 'touch') return
    const word = wordAt(target)
    if (word) show(word)
    else if (!root.contains(document.activeElement) || !document.activeElement.matches(WORDS)) hide()
  })
  on(root, 'pointerleave', () => {
    if (!pinned && !(document.activeElement?.matches(WORDS) && root.contains(document.activeElement))) hide()
  })
  on(root, 'click', ({ target }) => {
    const word = wordAt(target)
    if (!word) return hide()
    pinned = !(pinned && word === current)
    if (pinned) {
      show(word)
      pinned = true
      word.focus?.({ preventScroll: true })
    } else {
      hide()
    }
  })
  on(root, 'focusin', ({ target }) => {
    if (!target.matches?.(WORDS)) return
    for (const other of wordsOf(target)) if (other !== target && other.tabIndex === 0) other.tabIndex = -1
    target.tabIndex = 0
    show(target)
  })
  on(root, 'focusout', () => hide())
  on(root, 'keydown', (event) => {
    const word = event.target.matches?.(WORDS) ? event.target : null
    if (event.key === 'Escape') return hide()
    if (!word || event.altKey || event.ctrlKey || event.metaKey) return
    const all = wordsOf(word)
    const backwards = directionOf(word) === 'rtl'
    const step = { ArrowRight: backwards ? -1 : 1, ArrowLeft: backwards ? 1 : -1, Home: -Infinity, End: Infinity }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = Math.max(0, Math.min(all.length - 1, all.indexOf(word) + step))
    all[at].focus()
    all[at].scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  on(window, 'scroll', () => {
    if (current && card && !card.hidden) place(card, current)
  })

  return () => {
    hide()
    ending.abort()
  }
}

const WORDS = '.on-node, .on-word'

/** Makes the words of a drawing reachable: the first by Tab, the others from there by arrow keys. */
export function makeFocusable(drawing, nameOf = () => null) {
  drawing.querySelectorAll(WORDS).forEach((word, i) => {
    word.setAttribute('tabindex', i === 0 ? '0' : '-1')
    if (word.hasAttribute('role')) return
    word.setAttribute('role', 'group')
    word.setAttribute('aria-roledescription', 'word')
    const name = nameOf(word)
    if (name) word.setAttribute('aria-label', name)
  })
}

/** The word at an element of a drawing; for an arc, its dependent. */
function wordAt(target) {
  if (!(target instanceof Element)) return null
  const word = target.closest(WORDS)
  if (word) return word
  const arc = target.closest('.on-arc')
  return arc?.closest('svg')?.querySelector(`.on-node[data-node="${arc.dataset.dependent}"]`) ?? null
}

const groupOf = (word) => word.closest('svg, .on-words')
const wordsOf = (word) => [...groupOf(word).querySelectorAll(WORDS)]
const directionOf = (word) => groupOf(word).getAttribute('direction') ?? groupOf(word).getAttribute('dir')

function light(word) {
  const drawing = groupOf(word)
  if (!word.dataset.subtree) return word.classList.add('on-lit')
  const subtree = new Set(word.dataset.subtree.split(' '))
  drawing.classList.add('on-focused')
  word.classList.add('on-centre')
  for (const node of drawing.querySelectorAll('.on-node')) node.classList.toggle('on-lit', subtree.has(node.dataset.node))
  for (const arc of drawing.querySelectorAll('.on-arc')) arc.classList.toggle('on-lit', subtree.has(arc.dataset.dependent))
}

function unlight(word) {
  groupOf(word)?.classList.remove('on-focused')
  word.classList.remove('on-lit', 'on-centre')
}

/** Puts the card below the word, or above it where there is no room, within the window. */
function place(card, word) {
  const box = (word.querySelector('.on-hit') ?? word).getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = card
  const room = document.documentElement.clientWidth
  const left = Math.max(8, Math.min(room - width - 8, box.left + box.width / 2 - width / 2))
  const below = box.bottom + 8
  const top = below + height > window.innerHeight && box.top - height - 8 > 0 ? box.top - height - 8 : below
  card.style.left = `${left}px`
  card.style.top = `${top}px`
}
