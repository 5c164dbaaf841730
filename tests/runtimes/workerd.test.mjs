// The packed package in workerd, bundled by wrangler: the bundle in Miniflare, and `wrangler dev --local`.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { unless } from '../js/helpers/runtime.mjs'
import { bundleWorker, runBundle } from './bundle-worker.mjs'
import { programs, project, tool } from './project.mjs'

const here = project()
let expected

before(async () => {
  expected = await here.expected()
  here.write('worker.mjs', `
import * as onenlp from 'onenlp'
import * as formats from 'onenlp/formats'
import relaxed from 'onenlp/onenlp.relaxed.wasm'
import file from './en.onenlp'
import { TEXT, check } from './check.mjs'
export default {
  async fetch({ url }) {
    try {
      if (new URL(url).pathname === '/relaxed') {
        const nlp = await onenlp.loadPipeline(new Uint8Array(file), { relaxed })
        return new Response(nlp.annotate(TEXT).toConllu())
      }
      return new Response(await check(onenlp, formats, new Uint8Array(file), { pool: false }))
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}
`)
  here.write('wrangler.json', JSON.stringify({
    name: 'check', main: 'worker.mjs', compatibility_date: '2026-01-01',
    rules: [{ type: 'Data', globs: ['**/*.onenlp'] }],
  }))
})
after(here.stopAll)

describe('workerd', { skip: unless(programs.wrangler, tool('miniflare'), tool('workerd')) }, () => {
  test('what wrangler bundles, in Miniflare', async (t) => {
    const bundle = bundleWorker(here, '.')
    const size = bundle.compressed - bundle.sizes['en.onenlp']
    t.diagnostic(`Worker bundle without a pipeline: ${size} bytes compressed (${JSON.stringify(bundle.sizes)})`)
    assert.ok(size < 300_000)
    const worker = await runBundle(bundle)
    try {
      assert.equal(await (await worker.dispatchFetch('http://localhost/')).text(), expected)
      assert.equal(await (await worker.dispatchFetch('http://localhost/relaxed')).text(), expected)
    } finally {
      await worker.dispose()
    }
  })

  test('wrangler dev --local', async () => {
    const server = await here.start(process.execPath, [programs.wrangler, 'dev', '--local', '--ip', '127.0.0.1', '--port', '0'])
    assert.equal(await (await fetch(server.url)).text(), expected)
    await server.stop()
  })
})
