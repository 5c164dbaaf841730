// The packed package in Chromium, without a bundler and under a strict policy: in the page, in a module worker, in a
// service worker; with the module served as something else; and without a network after the first visit.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { unless } from '../js/helpers/runtime.mjs'
import { launch, resultOf, serve, withPage } from './browser.mjs'
import { programs, project, tool } from './project.mjs'

const here = project()
let expected, browser

here.write('check-here.mjs', `
import * as onenlp from '/node_modules/onenlp/js/index.js'
import * as formats from '/node_modules/onenlp/js/formats/index.js'
import { check } from '/check.mjs'

export const checkHere = (has) => fetch('/en.onenlp').then((response) => response.arrayBuffer())
  .then((bytes) => check(onenlp, formats, new Uint8Array(bytes), has))
  .catch((error) => 'failed: ' + (error?.stack ?? error))

export async function sourcesOfCachedLoad() {
  const sources = new Set()
  const nlp = await onenlp.loadPipeline('/en.onenlp', { cache: true, onProgress: ({ source }) => sources.add(source) })
  nlp.close()
  return [...sources]
}
`)
here.write('index.html', '<!doctype html><meta charset="utf-8"><script type="module" src="/page.mjs"></script>')
here.write('page.mjs', `
import { checkHere, sourcesOfCachedLoad } from '/check-here.mjs'
const worker = () => new Worker('/node_modules/onenlp/js/pool/worker.js', { type: 'module' })
Object.assign(window, { sourcesOfCachedLoad, result: checkHere({ pool: true }), again: () => checkHere({ pool: true, worker }) })
`)
here.write('in-worker.mjs', 'import { checkHere } from \'/check-here.mjs\'\ncheckHere({ pool: true }).then((text) => postMessage(text))\n')
// Service workers have no workers of their own, and no import(). What they fetch they keep, for the test without a network.
here.write('in-service-worker.mjs', `
import { checkHere } from '/check-here.mjs'
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('message', ({ ports: [port] }) => checkHere({ pool: false }).then((text) => port.postMessage(text)))
addEventListener('fetch', (event) => event.respondWith((async () => {
  const kept = await caches.open('page')
  try {
    const response = await fetch(event.request)
    await kept.put(event.request, response.clone())
    return response
  } catch (error) {
    const found = await kept.match(event.request)
    if (found) return found
    throw error
  }
})()))
`)

/** Registers the service worker and waits until it answers the page's requests. */
const controlled = (page) => page.evaluate(async () => {
  const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  await navigator.serviceWorker.register('/in-service-worker.mjs', { type: 'module' })
  await navigator.serviceWorker.ready
  if (!navigator.serviceWorker.controller) await changed
})

describe('Chromium', { skip: unless(programs.chromium, tool('playwright-core')) }, () => {
  before(async () => {
    expected = await here.expected()
    browser = await launch()
  })
  after(() => browser?.close())

  for (const wasmType of ['application/wasm', 'text/plain']) {
    describe(`the module served as ${wasmType}`, () => {
      let server
      before(async () => {
        server = await serve(here.path('.'), { wasmType })
      })
      after(() => server.close())

      test('page', () => withPage(browser, server.url, async (page) => {
        assert.equal(await resultOf(page), expected)
        assert.equal(await page.evaluate(() => window.again()), expected)
        assert.deepEqual(await page.evaluate(() => window.sourcesOfCachedLoad()), ['network'])
        assert.deepEqual(await page.evaluate(() => window.sourcesOfCachedLoad()), ['cache'])
      }))

      test('module worker', () => withPage(browser, server.url, async (page) => {
        const found = await page.evaluate(() => new Promise((resolve, reject) => {
          const worker = new Worker('/in-worker.mjs', { type: 'module' })
          worker.onmessage = ({ data }) => resolve(data)
          worker.onerror = (event) => reject(new Error(event.message))
        }))
        assert.equal(found, expected)
      }))

      test('service worker', () => withPage(browser, server.url, async (page) => {
        await controlled(page)
        const found = await page.evaluate(() => new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = ({ data }) => resolve(data)
          navigator.serviceWorker.controller.postMessage(null, [port2])
        }))
        assert.equal(found, expected)
      }))
    })
  }

  test('without a network after the first visit', async () => {
    const server = await serve(here.path('.'))
    try {
      await withPage(browser, server.url, async (page) => {
        await resultOf(page)
        await controlled(page)
        await page.reload()
        assert.equal(await resultOf(page), expected)
        assert.deepEqual(await page.evaluate(() => window.sourcesOfCachedLoad()), ['network'])
        await server.close()
        await page.reload()
        await assert.rejects(page.evaluate(() => fetch('/never-seen')))
        assert.equal(await resultOf(page), expected)
        assert.deepEqual(await page.evaluate(() => window.sourcesOfCachedLoad()), ['cache'])
      })
    } finally {
      await server.close()
    }
  })
})
