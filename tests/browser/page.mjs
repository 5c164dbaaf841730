// What the browser tests share: Chromium, the page's server, and a page that notes what must not happen.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { serve } from '../../tools/demo.mjs'
import { englishPipeline } from '../js/helpers/english-pipeline.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const chromium = [process.env.ONENLP_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find((path) => path && existsSync(path))

const LIMIT = 240_000

const trained = join(root, 'models/en.onenlp')

/** Why the browser tests cannot run, or false. */
export const missing = !chromium ? 'needs Chromium: tools/setup --browser'
  : !existsSync(join(root, 'node_modules/playwright-core')) ? 'needs npm packages: tools/setup --browser'
  : !existsSync(join(root, 'dist/onenlp.wasm')) ? 'needs dist/onenlp.wasm: npm run build' : false

/** A small pipeline with every plain component and arbitrary weights. */
export const smallPipeline = () => englishPipeline({ metadata: { name: 'small', licence: 'MIT', version: '7' } })

/** @type {import('playwright-core').Browser} */
let browser
let server
let folder

/** Starts the server, with the trained English pipeline where there is one, and the browser. */
export async function start({ small = false } = {}) {
  folder = mkdtempSync(join(tmpdir(), 'onenlp-browser-'))
  if (existsSync(trained) && !small) copyFileSync(trained, join(folder, 'en.onenlp'))
  else writeFileSync(join(folder, 'en.onenlp'), smallPipeline())
  server = await serve({ folders: { models: folder } })
  const { chromium: launcher } = await import('playwright-core')
  browser = await launcher.launch({ executablePath: chromium, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

export async function stop() {
  await browser?.close()
  await server?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
}

export const pageUrl = () => server.url

/**
 * Opens the page, waits for the first annotation, runs the test, and checks that nothing was thrown,
 * no rule of the content security policy broken, and no other host asked.
 *
 * @param {(page: import('playwright-core').Page) => Promise<void>} test
 * @param {{ hash?: string, ready?: boolean, options?: import('playwright-core').BrowserContextOptions, init?: () => void }} [settings]
 */
export async function withPage(test, { hash = '', ready = true, options = {}, init } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(60_000)
  try {
    const page = await context.newPage()
    const wrong = []
    page.on('pageerror', (error) => wrong.push(`thrown: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/ERR_INTERNET_DISCONNECTED|net::ERR_FAILED/.test(message.text())) wrong.push(`console: ${message.text()}`)
    })
    page.loadedFiles = []
    context.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http')) page.loadedFiles.push(url.href.replace(/[?#].*/, ''))
      if (!['blob:', 'data:'].includes(url.protocol) && url.origin !== new URL(server.url).origin) wrong.push(`asked ${url.href}`)
    })
    await page.addInitScript(() => {
      window.violations = []
      addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))
    })
    if (init) await page.addInitScript(init)
    await page.goto(server.url + hash)
    if (ready) await annotated(page)
    // What runs in the page has no time limit of its own.
    let timer
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('the test takes too long')), LIMIT) })
    await Promise.race([test(page, context), late]).finally(() => clearTimeout(timer))
    wrong.push(...await page.evaluate(() => window.violations))
    assert.deepEqual(wrong, [])
  } finally {
    await context.close()
  }
}

/** Waits until the text on the page is annotated. */
export async function annotated(page, words = /\d words?, /) {
  await page.locator('#status').filter({ hasText: words }).waitFor()
}

/** Fills in a text and waits for the annotation that shows `form`. */
export async function annotate(page, text) {
  await page.fill('#text', text)
  const words = text.trim().split(/\s+/)
  await page.locator('.view-body').first().filter({ hasText: words.at(-1).replace(/[.!?]+$/, '') }).waitFor()
}

export const selectView = async (page, view) => {
  await page.locator(`[role="tab"][data-view="${view}"]`).first().click()
  await page.locator(`.view-body[data-view="${view}"]`).first().waitFor({ state: 'attached' })
}

export const selectMode = (page, mode) => page.click(`#mode-${mode}`)

/** Drops a file on the page, as from the desktop. */
export async function dropFile(page, name, bytes) {
  const transfer = await page.evaluateHandle(async ({ name_, base64 }) => {
    const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const transfer_ = new DataTransfer()
    transfer_.items.add(new File([data], name_))
    return transfer_
  }, { name_: name, base64: Buffer.from(bytes).toString('base64') })
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: transfer })
}

/** What a click downloads: its name and bytes. */
export async function downloaded(page, click) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  const chunks = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) }
}

export const inputFile = (name, content) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

export const startTrace = (page) => browser.startTracing(page, { categories: ['toplevel', 'blink', 'v8', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] })
export const stopTrace = () => browser.stopTracing()

/** Of the tasks that the page's main thread ran in a trace: how many, and the processor time of the longest, in ms. */
export function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace.toString())
  const threads = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = traceEvents.filter(({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur !== undefined && threads.has(`${pid} ${tid}`))
  return { tasks: tasks.length, longest: Math.max(0, ...tasks.map(({ tdur }) => tdur / 1000)) }
}
