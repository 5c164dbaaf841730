// The examples, each in its own place, with the packed packages.

import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'

import { englishModel, unless } from '../js/helpers/runtime.mjs'
import { launch, serve, withPage } from './browser.mjs'
import { bundleWorker, runBundle } from './bundle-worker.mjs'
import { programs, project, tool } from './project.mjs'

const needs = unless(englishModel)
const here = needs ? null : project()
const TEXT = 'Ada 😀 didn\'t meet Bob.\n\nShe left.'
// When compressed; below what was long Cloudflare's limit for the plan that costs nothing. What is small starts fast.
const WORKER_LIMIT = 3_000_000

/** The service at this URL does what the handler's own tests show: one request of each kind. */
async function assertServes(fetch, url = 'http://localhost') {
  const post = (type, body, accept = '*/*') => fetch(`${url}/annotate`, { method: 'POST', body, headers: { 'content-type': type, accept } })
  const conllu = await (await post('text/plain', TEXT)).text()
  assert.match(conllu, /^# newpar\n# sent_id = 1\n# text = Ada 😀 didn't meet Bob\.\n1\tAda\t\S+\t[A-Z]+\t/)
  const json = await post('text/plain', TEXT, 'application/json')
  assert.equal(json.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual((await json.json()).sentences, [[0, 7], [7, 10]])
  assert.equal((await (await post('application/jsonl', '{"text": "One."}\n{"text": "Two."}\n')).text()).trim().split('\n').length, 2)
  // Each body is read before the next request: a body that waits can be taken away (undici does where memory is collected).
  const refused = async (response, status) => {
    const answer = await response
    const problem = await answer.json()
    assert.deepEqual([answer.status, problem.status], [status, status], problem.detail)
  }
  await refused(post('application/json', '{}'), 400)
  await refused(post('text/plain', 'x', 'image/png'), 406)
  await refused(post('text/xml', 'x'), 415)
  await refused(post('text/plain', 'a '.repeat(150_000)), 413)
  await refused(post('text/plain', 'x'.repeat(2 << 20)), 413)
  await refused(fetch(`${url}/annotate`), 405)
  await refused(fetch(`${url}/nothing`), 404)
  assert.equal((await (await fetch(`${url}/health`)).json()).status, 'ok')
  assert.match(await (await fetch(`${url}/`)).text(), /POST \/annotate/)
  return conllu
}

/** The page annotates what is in its form. */
async function assertAnnotates(page) {
  await page.fill('textarea', TEXT)
  const shown = async (button, pattern) => {
    await page.click(`button:text("${button}")`)
    await page.locator('pre').filter({ hasText: pattern }).waitFor()
  }
  await shown('CoNLL-U', /# sent_id = 2\n# text = She left\./)
  await shown('JSON', /"sentences":\[\[0,7\],\[7,10\]\]/)
  await page.fill('textarea', 'a '.repeat(25_000))
  await shown('CoNLL-U', /more than 20000 tokens/)
}

describe('examples', { skip: needs }, () => {
  before(() => {
    here.copy('examples', 'examples')
    here.install('onenlp-model-en', 'packages/onenlp-model-en')
  })
  after(() => here.stopAll())

  describe('cloudflare', { skip: unless(programs.wrangler, tool('miniflare')) }, () => {
    test('the bundle starts in workerd, answers its first request, and is small', async (t) => {
      const bundle = bundleWorker(here, 'examples/cloudflare')
      t.diagnostic(`Worker bundle with the English pipeline: ${bundle.compressed} of ${WORKER_LIMIT} bytes compressed (${JSON.stringify(bundle.sizes)})`)
      assert.ok(bundle.compressed < WORKER_LIMIT, `${bundle.compressed} bytes`)
      const { vars } = JSON.parse(here.read('examples/cloudflare/wrangler.json'))
      const worker = await runBundle(bundle, { bindings: vars })
      try {
        const start = performance.now()
        const first = await worker.dispatchFetch('http://localhost/annotate', { method: 'POST', body: TEXT, headers: { 'content-type': 'text/plain' } })
        assert.equal(first.status, 200)
        assert.match(await first.text(), /\n1\tAda\t\S+\t[A-Z]+\t/)
        t.diagnostic(`first request answered after ${Math.round(performance.now() - start)} ms`)
        await assertServes(worker.dispatchFetch.bind(worker))
      } finally {
        await worker.dispose()
      }
    })
  })

  test('deno', { skip: unless(programs.deno) }, async () => {
    const server = await here.start(programs.deno, ['run', '--no-remote', '--node-modules-dir=manual', '--no-lock', '--allow-net', '--allow-read', '--allow-env', 'main.js'], {
      cwd: 'examples/deno', env: { PORT: '0' },
    })
    await assertServes(fetch, server.url)
    await server.stop()
  })

  describe('node', () => {
    test('server', async () => {
      const server = await here.start(process.execPath, ['server.mjs'], { cwd: 'examples/node', env: { PORT: '0' } })
      await assertServes(fetch, server.url)
      await server.stop()
    })

    test('filter', () => {
      const input = 'Ada met\nBob.\n\n\n \nShe left.\r\n\r\nHe stayed.'
      const lines = here.run(process.execPath, ['filter.mjs'], { cwd: 'examples/node', input }).trim().split('\n').map((line) => JSON.parse(line))
      assert.deepEqual(lines.map(({ text }) => text), ['Ada met\nBob.', 'She left.', 'He stayed.'])
      assert.ok(lines.every(({ upos }) => upos.length > 1))
      // It stops when its reader does, without a word.
      const script = `{ for i in {1..5000}; do echo "She left."; echo; done; } | "${process.execPath}" filter.mjs 2>&1 | head -n 1`
      assert.match(here.run('bash', ['-c', script], { cwd: 'examples/node' }), /^\{"text":"She left\.".*\}\n$/)
    })
  })

  describe('pages', { skip: unless(programs.chromium, tool('playwright-core')) }, () => {
    let browser
    before(async () => {
      browser = await launch()
    })
    after(() => browser?.close())

    test('html', async () => {
      // Where npm puts the packages when it is run in the folder.
      symlinkSync(here.path('node_modules'), here.path('examples/html/node_modules'))
      const server = await serve(here.path('examples'))
      try {
        await withPage(browser, `${server.url}/html/`, assertAnnotates)
      } finally {
        await server.close()
      }
    })

    test('vite', { skip: unless(tool('vite')) }, async () => {
      const { build } = await import('vite')
      await build({ root: here.path('examples/vite'), logLevel: 'warn' })
      const server = await serve(here.path('examples/vite/dist'))
      try {
        await withPage(browser, server.url, assertAnnotates)
      } finally {
        await server.close()
      }
    })
  })
})
