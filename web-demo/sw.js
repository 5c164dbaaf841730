// Keeps the page for use without a network. What the network gives comes first, so a new version of
// the page is seen at once; without a network, what was kept at the visit before.

const CACHE = 'onenlp-page-1'

// All files of the page; a test compares this list with what the page loads.
const FILES = [
  './', './app.js', './client.js', './code.js', './compare.js', './demo.css', './dom.js', './export.js',
  './files.js', './icon.svg', './list.js', './manifest.webmanifest', './measure.js', './pane.js', './pipelines.js',
  './pipelines.json', './remember.js', './samples.js', './share.js', './speed.js', './views.js', './worker.js',
  '../dist/onenlp.wasm', '../js/core/api.js', '../js/core/cache.js', '../js/core/columns.js', '../js/core/conllu.js', '../js/core/doc.js',
  '../js/core/engine.js', '../js/core/errors.js', '../js/core/files.js',
  '../js/core/formats.js', '../js/core/input.js', '../js/core/instance.js', '../js/core/module.js', '../js/core/options.js',
  '../js/core/pipeline.js', '../js/core/relaxed.js', '../js/core/source.js', '../js/formats/api.js',
  '../js/formats/document.js', '../js/formats/index.js', '../js/formats/pieces.js', '../js/formats/stream.js',
  '../js/index.js', '../js/platform/portable.js', '../js/pool/pool.js', '../js/render/arcs.js',
  '../js/render/compare.js', '../js/render/doc.js', '../js/render/escape.js', '../js/render/index.js',
  '../js/render/interact.js', '../js/render/measure.js', '../js/render/names.js', '../js/render/render.css',
  '../js/render/table.js', '../js/render/text.js', '../js/render/theme.js', '../js/render/tree.js',
]

const urls = FILES.map((file) => new URL(file, location.href).href)

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(urls)).then(() => skipWaiting()))
})

addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('onenlp-page-') && name !== CACHE) await caches.delete(name)
    await clients.claim()
  })())
})

addEventListener('fetch', (event) => {
  const { request } = event
  const url = request.url.replace(/[?#].*$/, '').replace(/\/index\.html$/, '/')
  if (request.method !== 'GET' || !urls.includes(url)) return
  event.respondWith((async () => {
    const cache = await caches.open(CACHE)
    try {
      const response = await fetch(request)
      if (response.ok) event.waitUntil(cache.put(url, response.clone()))
      return response
    } catch (error) {
      const kept = await cache.match(url)
      if (kept) return kept
      throw error
    }
  })())
})
