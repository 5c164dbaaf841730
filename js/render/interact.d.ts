// Types of onenlp/render/interact.js; docs/render.md says what everything means.

/** Lights up subtrees, makes words reachable by keyboard, shows a card. Returns what ends it. */
export function interact(
  root: HTMLElement,
  options?: { card?: HTMLElement | null; contentOf?: (word: HTMLElement | SVGElement) => string | null },
): () => void

/** Makes the words of a drawing focusable: the first by Tab, the others from there by arrow keys. */
export function makeFocusable(drawing: Element, nameOf?: (word: HTMLElement | SVGElement) => string | null): void
