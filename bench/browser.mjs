// onenlp in a page of Chromium, measured by the processor time of the page's main thread.

import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' }

export const chromium = [process.env.ONENLP_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find((path) => path && existsSync(path))

// Milliseconds: on a busy machine a browser takes long to start.
const PATIENCE = 180_000

const PAGE = `<!doctype html><script type="module">
import { createApi } from '/js/core/api.js'
const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer())
window.prepare = async () => { window.files = { wasm: await bytes('/dist/onenlp.wasm'), model: await bytes('/model') } }
window.open_ = async () => {
  const { wasm, model } = window.files
  window.files = null
  window.nlp = await createApi({ wasm: () => wasm }).loadPipeline(model)
  return pass(['Ada met Bob in Paris, and they didn\\'t talk about the weather.'])
}
window.pass = (list) => {
  let tokens = 0, sentences = 0
  const full = window.nlp.components.some(({ kind }) => kind === 'parser')
  for (const text of list) {
    const doc = window.nlp.annotate(text)
    const upos = doc.tokens.map((token) => token.upos)
    const lemmas = doc.tokens.map((token) => token.lemma)
    if (full) {
      doc.tokens.map((token) => token.feats)
      doc.tokens.map((token) => token.head)
      doc.tokens.map((token) => token.deprel)
      doc.entities.map((entity) => entity.text)
    }
    tokens += Math.min(upos.length, lemmas.length)
    sentences += doc.sentences.map((sentence) => sentence.text).length
  }
  return { tokens, sentences }
}
window.ready = true
</script>`

function serve(model) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname)
    if (path === '/') return response.setHeader('content-type', 'text/html').end(PAGE)
    if (!/^\/(js\/.*\.js|dist\/onenlp\.wasm|model)$/.test(path)) return response.writeHead(404).end()
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    response.end(readFileSync(path === '/model' ? model : join(root, path)))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** @param {{ model: string, texts: Record<string, () => string[]> }} settings */
export async function startBrowser({ model, texts }) {
  const { chromium: launcher } = await import('playwright-core')
  const server = await serve(model)
  let browser
  async function close() {
    await browser?.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  let page, metrics
  try {
    browser = await launcher.launch({
      executablePath: chromium, timeout: PATIENCE, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
    page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE)
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await page.waitForFunction('window.ready')
    metrics = await page.context().newCDPSession(page)
    await metrics.send('Performance.enable')
    await page.evaluate('window.prepare()')
  } catch (error) {
    await close()
    throw error
  }

  /** Processor time of the page's main thread, ms. */
  async function threadTime() {
    const { metrics: list } = await metrics.send('Performance.getMetrics')
    return list.find(({ name }) => name === 'ThreadTime').value * 1000
  }
  async function timed(work) {
    const before = { thread: await threadTime(), wall: performance.now() }
    const counts = await work()
    const wall = performance.now() - before.wall
    return { ...counts, thread: (await threadTime()) - before.thread, wall }
  }
  return {
    async request({ do: action, text }) {
      try {
        if (action === 'open') return await timed(() => page.evaluate('window.open_()'))
        if (action !== 'pass') return { none: true }
        return await timed(() => page.evaluate((list) => window.pass(list), texts[text]()))
      } catch (error) {
        return { error: error.message }
      }
    },
    close,
  }
}
