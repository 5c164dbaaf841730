// Relaxed SIMD, in every runtime that has it: the same bits as natively, and the same labels; and where it is left out.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

import { bytes } from '../../js/core/relaxed.js'
import { binaryFolder, build } from '../../tools/steps.mjs'
import { englishModel, root, temporaryFolder, unless } from '../js/helpers/runtime.mjs'
import { launch, resultOf, serve, withPage } from './browser.mjs'
import { programs } from './project.mjs'

const TEXT = 'Ada 😀 didn\'t meet Bob in Paris, where 1,024 people had waited for them since Tuesday.\n\nShe left.'
const here = temporaryFolder()
const program = join(binaryFolder('wasm'), 'kernel_bits.wasm')
let hash, expected

before(async () => {
  build('release', ['kernel_bits'])
  build('wasm', ['kernel_bits'])
  const { status, stdout } = spawnSync(join(binaryFolder('release'), 'kernel_bits'), { encoding: 'utf8' })
  assert.equal(status, 0)
  hash = stdout.split(/\s/)[1]
  const { loadPipeline } = await import('../../js/node.js')
  const nlp = await loadPipeline(englishModel, { relaxed: false })
  expected = nlp.annotate(TEXT).toConllu()
  nlp.close()
})

const url = (path) => JSON.stringify(pathToFileURL(join(root, path)).href)

/** In Node, Deno and Bun: rows of kernels, and what the English pipeline says with the dot product. */
const SCRIPT = `
import { readFileSync } from 'node:fs'
import { loadPipeline } from ENTRY
import { kernelBits } from ${url('tests/runtimes/relaxed-bits.mjs')}
const rows = await kernelBits(readFileSync(${JSON.stringify(program)}))
const texts = []
for (const relaxed of [true, undefined, new WebAssembly.Module(readFileSync(${JSON.stringify(join(root, 'dist/onenlp.relaxed.wasm'))}))]) {
  const nlp = await loadPipeline(${JSON.stringify(englishModel)}, { relaxed })
  texts.push(nlp.annotate(${JSON.stringify(TEXT)}).toConllu())
}
console.log(JSON.stringify({ rows, texts }))
`

function assertSame({ rows, texts }) {
  const lines = rows.trim().split('\n').map((line) => line.split(' '))
  assert.deepEqual(lines, ['scalar', 'simd128', 'relaxed'].map((row) => [row, hash]))
  for (const text of texts) assert.equal(text, expected)
}

describe('the same bits with relaxed SIMD', { skip: unless(englishModel) }, () => {
  for (const [name, args, entry] of [['node24', [], 'node'], ['deno', ['run', '-A', '-q'], 'deno'], ['bun', [], 'node']]) {
    test(name, { skip: existsSync(programs[name]) ? false : `needs ${name}: tools/setup` }, () => {
      const script = here.path(`${name}.mjs`)
      writeFileSync(script, SCRIPT.replace('ENTRY', url(`js/${entry}.js`)))
      const { status, stdout, stderr } = spawnSync(programs[name], [...args, script], { encoding: 'utf8', timeout: 240_000 })
      assert.equal(status, 0, stderr)
      assertSame(JSON.parse(stdout))
    })
  }

  test('chromium', { skip: existsSync(programs.chromium) ? false : 'needs Chromium: tools/setup --browser' }, async () => {
    writeFileSync(here.path('index.html'), '<!doctype html><script type="module" src="/here/page.mjs"></script>')
    writeFileSync(here.path('page.mjs'), `
import { loadPipeline } from '/js/index.js'
import { kernelBits } from '/tests/runtimes/relaxed-bits.mjs'
const bytesOf = async (path) => (await fetch(path)).arrayBuffer()
const rows = await kernelBits(await bytesOf('/here/kernel_bits.wasm'))
const texts = []
for (const relaxed of [true, undefined]) {
  const nlp = await loadPipeline('/here/en.onenlp', { relaxed })
  texts.push(nlp.annotate(${JSON.stringify(TEXT)}).toConllu())
}
window.result = { rows, texts }
`)
    const { url: address, close } = await serve(root, { files: {
      '/here/': here.path('index.html'), '/here/page.mjs': here.path('page.mjs'), '/here/kernel_bits.wasm': program, '/here/en.onenlp': englishModel,
    } })
    const browser = await launch()
    try {
      await withPage(browser, `${address}/here/`, async (page) => assertSame(await resultOf(page)))
    } finally {
      await browser.close()
      await close()
    }
  })
})

test('without it, the other kernels are taken, and who insists is told', async () => {
  const { loadPipeline } = await import('../../js/node.js')
  const nlp = await loadPipeline(englishModel)
  assert.equal(nlp.annotate(TEXT).toConllu(), expected)
  nlp.close()
  if (!WebAssembly.validate(bytes)) await assert.rejects(loadPipeline(englishModel, { relaxed: true }), { code: 'UNSUPPORTED' })
  const other = new WebAssembly.Module(readFileSync(join(root, 'dist/onenlp.wasm')))
  await assert.rejects(loadPipeline(englishModel, { relaxed: other }), { code: 'INVALID_ARGUMENT' })
  await assert.rejects(loadPipeline(englishModel, { relaxed: 'yes' }), { code: 'INVALID_ARGUMENT' })
})

test('an engine that computes other results is found out', () => {
  // Node 20 has relaxed SIMD behind a flag, and its dot product is wrong. Later versions know no such flag, and are right.
  const flags = process.version.startsWith('v20.') ? ['--experimental-wasm-relaxed-simd'] : []
  const script = here.path('wrong.mjs')
  writeFileSync(script, `
import { readFileSync } from 'node:fs'
import { loadPipeline } from ${url('js/node.js')}
const relaxed = new WebAssembly.Module(readFileSync(${JSON.stringify(join(root, 'dist/onenlp.relaxed.wasm'))}))
console.log(await loadPipeline(${JSON.stringify(englishModel)}, { relaxed }).then(() => 'right', ({ code }) => code))
`)
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, script], { encoding: 'utf8' })
  assert.equal(stdout, flags.length > 0 ? 'UNSUPPORTED\n' : 'right\n', stderr)
})

test('dist/onenlp.relaxed.wasm is the module that the package has within', () => {
  assert.deepEqual(new Uint8Array(readFileSync(join(root, 'dist/onenlp.relaxed.wasm'))), bytes)
})
