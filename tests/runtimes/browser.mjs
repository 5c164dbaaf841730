// Chromium, and a server of static files under a strict policy.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

import { programs } from './project.mjs'

export const POLICY = 'default-src \'none\'; script-src \'self\' \'wasm-unsafe-eval\'; worker-src \'self\'; connect-src \'self\'; style-src \'self\''

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' }

/**
 * Serves a folder.
 *
 * @param {string} folder
 * @param {{ wasmType?: string, files?: Record<string, string> }} [options] files: paths by name, beside the folder's
 */
export async function serve(folder, { wasmType = TYPES['.wasm'], files = {} } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x')
    let path = files[pathname] ?? join(folder, normalize(pathname))
    if (existsSync(path) && statSync(path).isDirectory()) path = join(path, 'index.html')
    if (!existsSync(path)) return response.writeHead(404).end()
    const type = path.endsWith('.wasm') ? wasmType : TYPES[extname(path)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(readFileSync(path))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function launch() {
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath: programs.chromium, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

/**
 * Opens a page in a profile of its own, runs a test, and checks that the policy was kept and nobody else was asked.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {(page: import('playwright-core').Page) => Promise<void>} test
 */
export async function withPage(browser, url, test) {
  const context = await browser.newContext()
  context.setDefaultTimeout(120_000)
  try {
    const wrong = []
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (!['blob:', 'data:'].includes(protocol) && origin !== new URL(url).origin) wrong.push(`asked ${request.url()}`)
    })
    context.on('console', (message) => {
      // A violation in a worker is told nowhere else.
      if (/Content Security Policy/i.test(message.text())) wrong.push(message.text())
    })
    const page = await context.newPage()
    page.on('pageerror', (error) => wrong.push(`thrown: ${error.message}`))
    await page.goto(url)
    await test(page)
    assert.deepEqual(wrong, [])
  } finally {
    await context.close()
  }
}

/** What the page has put into `window.result`. */
export async function resultOf(page) {
  await page.waitForFunction(() => window.result !== undefined)
  return page.evaluate(() => window.result)
}
