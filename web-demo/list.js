// A list of elements that keeps those whose content is still the same, and makes new ones little by
// little, so that the page answers while it draws.

const SLICE = 6

const yieldToPage = () => globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))

export class KeyedList {
  #host
  #generation = 0

  constructor(host) {
    this.#host = host
  }

  /**
   * Shows items in order. A later call ends an earlier one.
   *
   * @param {{ key: string, make: () => HTMLElement, update?: (node: HTMLElement) => void }[]} items
   * @returns {Promise<boolean>} false where a later call came
   */
  async show(items) {
    const generation = ++this.#generation
    const host = this.#host
    const spare = new Map()
    for (const node of host.children) {
      if (node.key === undefined) continue
      if (!spare.has(node.key)) spare.set(node.key, [])
      spare.get(node.key).push(node)
    }
    const wanted = new Map()
    for (const { key } of items) wanted.set(key, (wanted.get(key) ?? 0) + 1)

    let since = performance.now()
    for (let i = 0; i < items.length; i++) {
      const { key, make, update } = items[i]
      let node = spare.get(key)?.shift()
      if (!node) {
        node = make()
        node.key = key
      }
      update?.(node)
      wanted.set(key, wanted.get(key) - 1)
      // What stands here and will not be shown any more gives up its place.
      while (host.children[i] && host.children[i] !== node && !(wanted.get(host.children[i].key) > 0)) host.children[i].remove()
      if (host.children[i] !== node) host.insertBefore(node, host.children[i] ?? null)
      if (performance.now() - since > SLICE && i + 1 < items.length) {
        await yieldToPage()
        if (generation !== this.#generation) return false
        since = performance.now()
      }
    }
    while (host.children.length > items.length) host.lastChild.remove()
    return true
  }
}
