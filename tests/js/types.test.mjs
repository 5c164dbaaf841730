// The types, by the TypeScript compiler in its strictest mode.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { root, temporaryFolder, unless } from './helpers/runtime.mjs'

const tsc = join(root, 'node_modules/typescript/bin/tsc')
const folder = temporaryFolder()

const strict = {
  strict: true, noEmit: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false, target: 'es2022', types: [],
}

/** Compiles programs in a folder in which the package is installed; returns what tsc says. */
function compile(name, programs, options) {
  mkdirSync(folder.path(`${name}/node_modules`), { recursive: true })
  symlinkSync(root, folder.path(`${name}/node_modules/onenlp`))
  symlinkSync(join(root, 'packages/onenlp-model-en'), folder.path(`${name}/node_modules/onenlp-model-en`))
  for (const [file, text] of Object.entries(programs)) writeFileSync(folder.path(`${name}/${file}`), text)
  writeFileSync(folder.path(`${name}/tsconfig.json`), JSON.stringify({ compilerOptions: { ...strict, ...options }, include: ['*'] }))
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder.path(name), '--pretty', 'false'], { encoding: 'utf8' })
  return stdout
}

async function programs(...files) {
  const { readFile } = await import('node:fs/promises')
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(new URL(`types/${file}`, import.meta.url), 'utf8')])))
}

const dom = ['es2022', 'dom', 'dom.iterable', 'esnext.disposable']

test('programs for browsers and bundlers compile', { skip: unless(tsc) }, async () => {
  assert.equal(compile('bundler', await programs('right.mts', 'render.mts', 'wrong.mts'), { module: 'esnext', moduleResolution: 'bundler', lib: dom }), '')
})

test('programs for Node compile, both kinds', { skip: unless(tsc) }, async () => {
  assert.equal(compile('node', await programs('right.mts', 'render.mts', 'right.cts', 'wrong.mts'), { module: 'nodenext', lib: dom }), '')
})

test('no library is needed beyond the language\'s own', { skip: unless(tsc) }, async () => {
  const text = 'import { loadPipeline } from \'onenlp\'\nexport const nlp = await loadPipeline(new Uint8Array())\nexport const lemma: string | null = nlp.annotate(\'x\').tokens[0]!.lemma\n'
  assert.equal(compile('bare', { 'bare.mts': text }, { module: 'nodenext', lib: ['es2022'] }), '')
})

test('a wrong program is found', { skip: unless(tsc) }, () => {
  const text = 'import { loadPipeline } from \'onenlp\'\nloadPipeline(7)\n'
  assert.match(compile('found', { 'found.mts': text }, { module: 'nodenext', lib: ['es2022'] }), /found\.mts\(2,14\): error TS2345/)
})

test('the package of a pipeline has types, for both kinds of programs', { skip: unless(tsc) }, () => {
  const use = '\nexport const facts: [URL, string, number, \'en\'] = [model.url, model.sha256, model.size, model.language]\n'
  const programs = { 'model.mts': `import * as model from 'onenlp-model-en'${use}`, 'model.cts': `import model = require('onenlp-model-en')${use}` }
  assert.equal(compile('model', programs, { module: 'nodenext', lib: dom }), '')
})
