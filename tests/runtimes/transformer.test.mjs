// A pipeline with a transformer encoder, from the packed package: its second module and its files in Node, Deno, workerd and
// Chromium.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { loadPipeline } from '../../js/node.js'
import { root, unless } from '../js/helpers/runtime.mjs'
import { launch, resultOf, serve, withPage } from './browser.mjs'
import { bundleWorker, runBundle } from './bundle-worker.mjs'
import { programs, project, tool } from './project.mjs'

const here = project()
const text = 'The cat sings, and the dogs sing.\n\nA bird was singing.\n'
let expected

here.copy('tests/fixtures/transformer/bert.onenlp', 'bert.onenlp')
here.copy('tests/fixtures/transformer/bert.onnx', 'bert.onnx')
here.copy('tests/fixtures/transformer/bert.tokenizer.json', 'bert.tokenizer.json')

before(async () => {
  const fixtures = join(root, 'tests/fixtures/transformer')
  const nlp = await loadPipeline(join(fixtures, 'bert.onenlp'), { files: (name) => join(fixtures, name) })
  expected = nlp.annotate(text).toConllu()
  nlp.close()
  assert.match(expected, /\tVERB\t/)
})
after(here.stopAll)

// Paths: the names that the pipeline gives, in the current folder. Then bytes, and a pool.
const program = `
import { createPool, loadPipeline } from 'onenlp'
const text = ${JSON.stringify(text)}
const results = []
const nlp = await loadPipeline('bert.onenlp')
results.push(nlp.annotate(text).toConllu())
nlp.close()
for (const files of [undefined, { 'bert.onnx': './bert.onnx', 'bert.tokenizer.json': './bert.tokenizer.json' }]) {
  const pool = await createPool('bert.onenlp', { size: 1, files })
  results.push((await pool.annotate(text)).toConllu())
  await pool.close()
}
console.log(JSON.stringify(results))
`
here.write('files.mjs', program)

test('Node', () => {
  assert.deepEqual(JSON.parse(here.run(process.execPath, ['files.mjs'])), [expected, expected, expected])
})

test('the command', () => {
  const command = ['node_modules/onenlp/js/cli/onenlp.mjs', 'annotate', '-m', 'bert.onenlp', '-t', text]
  assert.equal(here.run(process.execPath, command), expected)
})

test('Deno', { skip: unless(programs.deno) }, () => {
  const result = here.run(programs.deno, ['run', '--no-remote', '--node-modules-dir=manual', '--allow-read', '--quiet', '--no-lock', 'files.mjs'])
  assert.deepEqual(JSON.parse(result), [expected, expected, expected])
})

describe('workerd', { skip: unless(programs.wrangler, tool('miniflare'), tool('workerd')) }, () => {
  test('with the module given', async () => {
    here.write('worker.mjs', `
import { loadPipeline } from 'onenlp'
import wasm from 'onenlp/onenlp.transformer.wasm'
import pipeline from './bert.onenlp'
import model from './bert.onnx'
import tokenizer from './bert.tokenizer.txt'
export default {
  async fetch() {
    try {
      const files = { 'bert.onnx': model, 'bert.tokenizer.json': new TextEncoder().encode(tokenizer) }
      const missing = await loadPipeline(pipeline, { files }).catch(({ code }) => code)
      const nlp = await loadPipeline(pipeline, { files, wasm })
      return new Response(missing + '\\n' + nlp.annotate(${JSON.stringify(text)}).toConllu())
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}
`)
    here.write('bert.tokenizer.txt', here.read('bert.tokenizer.json').toString())
    here.write('wrangler.json', JSON.stringify({
      name: 'check', main: 'worker.mjs', compatibility_date: '2026-01-01',
      rules: [{ type: 'Data', globs: ['**/*.onenlp', '**/*.onnx'] }, { type: 'Text', globs: ['**/*.txt'] }],
    }))
    const worker = await runBundle(bundleWorker(here, '.'))
    try {
      assert.equal(await (await worker.dispatchFetch('http://localhost/')).text(), `UNSUPPORTED\n${expected}`)
    } finally {
      await worker.dispose()
    }
  })
})

describe('Chromium', { skip: unless(programs.chromium, tool('playwright-core')) }, () => {
  test('page, module worker with a Blob, pool', async () => {
    here.write('index.html', '<!doctype html><meta charset="utf-8"><script type="module" src="/page.mjs"></script>')
    here.write('run.mjs', `
import { createPool, loadPipeline } from '/node_modules/onenlp/js/index.js'
const text = ${JSON.stringify(text)}
const bytesOf = async (name) => (await fetch(name)).blob()
export async function run() {
  const results = []
  const files = { 'bert.onnx': await bytesOf('/bert.onnx'), 'bert.tokenizer.json': '/bert.tokenizer.json' }
  for (const given of [(name) => '/' + name, files]) {
    const nlp = await loadPipeline('/bert.onenlp', { files: given })
    results.push(nlp.annotate(text).toConllu())
    nlp.close()
  }
  const pool = await createPool('/bert.onenlp', { size: 1, files })
  results.push((await pool.annotate(text)).toConllu())
  await pool.close()
  return JSON.stringify(results)
}
`)
    here.write('page.mjs', `
import { run } from '/run.mjs'
const inWorker = () => new Promise((resolve, reject) => {
  const worker = new Worker('/in-worker.mjs', { type: 'module' })
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = (event) => reject(new Error(event.message))
})
const both = async () => JSON.stringify([...JSON.parse(await run()), ...JSON.parse(await inWorker())])
window.result = both().catch((error) => 'failed: ' + (error?.stack ?? error))
`)
    here.write('in-worker.mjs', 'import { run } from \'/run.mjs\'\nrun().then((text) => postMessage(text))\n')
    const browser = await launch()
    const server = await serve(here.path('.'))
    try {
      await withPage(browser, server.url, async (page) => {
        assert.deepEqual(JSON.parse(await resultOf(page)), Array(6).fill(expected))
      })
    } finally {
      await server.close()
      await browser.close()
    }
  })
})
