// Pipelines that the browser keeps, so that they load without a network.

const CACHE = 'onenlp-pipelines'
const FOLDER = new URL('./remembered/', import.meta.url).href

const available = typeof caches !== 'undefined'

/** The file that is kept for a URL, or null: also where the host has another one by now. */
export async function remembered(url) {
  if (!available) return null
  const cache = await caches.open(CACHE)
  const kept = await cache.match(String(url))
  if (!kept) return null
  if (!String(url).startsWith(FOLDER) && await isOutdated(url, kept)) {
    await cache.delete(String(url))
    return null
  }
  return kept.blob()
}

async function isOutdated(url, kept) {
  try {
    const now = await fetch(url, { method: 'HEAD', cache: 'no-cache' })
    if (!now.ok) return false
    return ['etag', 'last-modified', 'content-length'].some((name) => now.headers.get(name) !== kept.headers.get(name))
  } catch {
    // No network: what is kept is the best there is.
    return false
  }
}

/** Keeps a pipeline that has loaded well: one of a URL, or a file of the user's under its name. */
export async function remember(url, file) {
  if (!available) return false
  const cache = await caches.open(CACHE)
  if (file) {
    await cache.put(FOLDER + encodeURIComponent(file.name), new Response(file, { headers: { 'content-length': String(file.size) } }))
  } else if (!(await cache.match(url))) {
    // The browser has just read it, so this comes from its own cache where the host allows that.
    const response = await fetch(url)
    if (!response.ok) return false
    await cache.put(url, response)
  }
  return true
}

export async function forget(url) {
  return available && (await caches.open(CACHE)).delete(url)
}

/** The user's own files that are kept. */
export async function listRemembered() {
  if (!available) return []
  const keys = await (await caches.open(CACHE)).keys()
  return keys.map(({ url }) => url).filter((url) => url.startsWith(FOLDER))
    .map((url) => ({ url, name: decodeURIComponent(url.slice(FOLDER.length)) }))
}

export async function isRemembered(url) {
  return available && (await (await caches.open(CACHE)).match(url)) !== undefined
}
