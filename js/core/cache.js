// Pipeline files in the Cache API: only what was checked gets in, and what is damaged gets out.

/**
 * What the Cache API has, as far as it is used here.
 *
 * @typedef {object} Store
 * @property {(url: string) => Promise<Response | undefined>} match
 * @property {(url: string, response: Response) => Promise<unknown>} put
 * @property {(url: string) => Promise<unknown>} delete
 */

const DEFAULT_NAME = 'onenlp'

/** A cache is a convenience: where it fails (a full disk, a private window), work goes on without it. */
const attempt = (work) => Promise.resolve().then(work).catch(() => undefined)

/**
 * @param {boolean | string | Store | undefined} cache true, the name of a cache, or one
 * @returns {Promise<Store | undefined>}
 */
export async function openStore(cache) {
  if (!cache) return undefined
  if (typeof cache === 'object') return cache
  return attempt(() => globalThis.caches?.open(cache === true ? DEFAULT_NAME : cache))
}

/** The URL that a source is kept under, or null: only what the network gives is kept. */
export function keyOf(source) {
  if (typeof source !== 'string' && !(source instanceof URL)) return null
  try {
    const url = new URL(source, globalThis.location?.href)
    return /^https?:$/.test(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

export const find = (store, key) => attempt(() => store.match(key))

export const remove = (store, key) => attempt(() => store.delete(key))

export const keep = (store, key, bytes) => attempt(() => store.put(key, new Response(bytes, {
  headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes.length) },
})))
