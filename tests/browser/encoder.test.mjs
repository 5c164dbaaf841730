// A real encoder in Chromium: a page that fetches it, and a worker that reads it from Blobs, give what Node gives. The files
// are other people's and large, so they are not in the repository: ONENLP_BENCH_ENCODER is the folder of a NAME.onnx with
// its NAME.tokenizer.json (tools/export-minilm.py makes them for all-MiniLM-L6-v2). The times are told as diagnostics.

import assert from 'node:assert/strict'
import { createReadStream, existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { pipelineFile } from '../../bench/pipeline-file.mjs'
import { loadPipeline } from '../../js/node.js'
import { chromium, missing } from './page.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = process.env.ONENLP_BENCH_ENCODER
const model = folder && existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.onnx')) : undefined
const tokenizer = model?.replace(/onnx$/, 'tokenizer.json')
const none = model && existsSync(join(folder, tokenizer)) ? false
  : 'needs a real encoder: ONENLP_BENCH_ENCODER=DIR with NAME.onnx and NAME.tokenizer.json (tools/export-minilm.py DIR)'

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' }
const PATIENCE = 180_000
const WORDS = 'the quick brown fox jumps over a lazy dog while many people watch from the old bridge near our town'.split(' ')
const sentence = (n) => Array.from({ length: n }, (_, i) => WORDS[i % WORDS.length]).join(' ')
const CASES = [
  ['1 x 20 words', sentence(20), 6], ['32 x 20 words', Array(32).fill(sentence(20)).join('\n\n'), 2], ['1 x 510 words', sentence(510), 2],
]
const TEXT = `Ada met Bob in Paris.\n\nThe naïve 猫 wasn't there — 3,000 km away.\n\n${sentence(300)}`

/** A tagger with arbitrary weights, so that labels depend on every number of the vectors. */
const pipeline = (width) => pipelineFile({
  format: 'onenlp-pipeline', version: 1, language: 'en', tokenizer: { kind: 'uax', data: 'english' },
  encoders: [{ kind: 'transformer', settings: { model, tokenizer, pooling: 'mean', maxLength: 256 } }],
  components: [{ name: 'tagger', type: 'head', kind: 'tagger', encoder: 0, config: { column: 'Pos', labels: Array.from({ length: 17 }, (_, i) => `L${i}`) } }],
}, [['head0.output.weight', [17, width]], ['head0.output.bias', [17]]], (i) => Math.sin(i * i * 0.7))

async function widthOf() {
  const error = await loadPipeline(pipeline(1), { files: (name) => join(folder, name) }).catch((error) => error)
  return Number(error.message.match(/want \[17, (\d+)\]/)[1])
}

// Runs in the page and in the worker alike.
const CODE = `
import { loadPipeline } from '/js/index.js'
let nlp
const timed = async (work) => {
  const start = performance.now()
  return [await work(), performance.now() - start]
}
export const open = (files) => timed(async () => { nlp = await loadPipeline('/pipeline', { files }) })
export const annotate = (text) => timed(() => nlp.annotate(text).toConllu())
export const memory = () => nlp.memoryUsed`
const WORKER = `
import { annotate, open } from '/code.js'
onmessage = async ({ data: { names, text } }) => {
  const blobs = names.map(async (name) => [name, await (await fetch('/encoder/' + name)).blob()])
  try {
    await open(Object.fromEntries(await Promise.all(blobs)))
    postMessage((await annotate(text))[0])
  } catch (error) {
    postMessage(String(error))
  }
}`

describe('a real encoder', { skip: missing || none }, () => {
  let server, browser, page, expected

  before(async () => {
    const width = await widthOf()
    const file = pipeline(width)
    const nlp = await loadPipeline(file, { files: (name) => join(folder, name) })
    expected = nlp.annotate(TEXT).toConllu()
    nlp.close()
    const made = { '/': '<!doctype html>', '/code.js': CODE, '/worker.js': WORKER, '/pipeline': file }
    server = createServer((request, response) => {
      const path = normalize(new URL(request.url, 'http://x').pathname)
      response.setHeader('content-type', path === '/' ? TYPES['.html'] : TYPES[extname(path)] ?? 'application/octet-stream')
      if (made[path]) return response.end(made[path])
      const own = path.match(/^\/encoder\/(.*)$/)
      if (own ? ![model, tokenizer].includes(own[1]) : !/^\/(js\/.*\.js|dist\/.*\.wasm)$/.test(path)) return response.writeHead(404).end()
      const found = own ? join(folder, own[1]) : join(root, path)
      response.setHeader('content-length', statSync(found).size)
      createReadStream(found).pipe(response)
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { chromium: launcher } = await import('playwright-core')
    browser = await launcher.launch({ executablePath: chromium, timeout: PATIENCE, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
    page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE)
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
  })

  after(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })

  test('in a page, fetched', async (t) => {
    const annotate = (text) => page.evaluate(async (text) => (await import('/code.js')).annotate(text), text)
    const [, load] = await page.evaluate(async (names) =>
      (await import('/code.js')).open(Object.fromEntries(names.map((name) => [name, `/encoder/${name}`]))), [model, tokenizer])
    const [conllu] = await annotate(TEXT)
    assert.equal(conllu, expected)
    assert.ok(new Set(conllu.match(/\tL\d+\t/g)).size > 5, 'labels vary')
    const told = [`load ${load.toFixed(0)} ms`]
    for (const [name, text, rounds] of CASES) {
      const times = []
      for (let i = 0; i < rounds; i++) times.push((await annotate(text))[1])
      told.push(`${name} ${Math.min(...times).toFixed(0)} ms`)
    }
    const memory = await page.evaluate(async () => (await import('/code.js')).memory())
    t.diagnostic(`${told.join(', ')}; the module holds ${(memory / 1e6).toFixed(0)} MB`)
  })

  test('in a worker, from Blobs', async () => {
    assert.equal(await page.evaluate((message) => new Promise((resolve) => {
      const worker = new Worker('/worker.js', { type: 'module' })
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => resolve(message)
      worker.postMessage(message)
    }), { names: [model, tokenizer], text: TEXT }), expected)
  })
})
