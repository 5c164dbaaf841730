// The arithmetic of inference is the same to the last bit natively and in WebAssembly, in every row of
// kernels: one program (tests/unit/nn/kernel_bits.c) prints hashes of what it computes in both.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { binaryFolder, build } from '../../tools/steps.mjs'
import { englishModel, root, unless } from './helpers/runtime.mjs'
import { runWasi } from './helpers/wasi.mjs'

/** What a program prints natively and in WebAssembly, with a file as its standard input. */
async function outputsOf(name, input) {
  build('release', [name])
  build('wasm', [name])
  const native = spawnSync(join(binaryFolder('release'), name), { input: input && readFileSync(input), encoding: 'utf8' })
  const wasm = await runWasi(join(binaryFolder('wasm'), `${name}.wasm`), input)
  assert.equal(native.status, 0, native.stderr)
  assert.equal(wasm.status, 0)
  return { native: native.stdout, wasm: wasm.stdout }
}

const parse = (output) => Object.fromEntries(output.trim().split('\n').map((line) => line.split(' ')))

test('native and wasm kernels compute the same bits', async () => {
  const { native, wasm } = await outputsOf('kernel_bits')
  const rows = { native: parse(native), wasm: parse(wasm) }
  assert.deepEqual(Object.keys(rows.wasm), ['scalar', 'simd128'])
  assert.ok(Object.keys(rows.native).length >= 2)
  const hashes = new Set([...Object.values(rows.native), ...Object.values(rows.wasm)])
  assert.equal(hashes.size, 1, JSON.stringify(rows))
})

test('natively and in wasm characters are and become the same', async () => {
  const { native, wasm } = await outputsOf('text_bits')
  assert.deepEqual(parse(wasm), parse(native))
  assert.equal(new Set(Object.values(parse(native))).size, 5)
})

// The same for whole pipelines: token vectors and logits over a sample (tests/unit/pipeline/pipeline_bits.c).
const pipelines = {
  'the English pipeline': englishModel,
  'every setting, Turkish': join(root, 'tests/fixtures/format/full.onenlp'),
}

for (const [name, path] of Object.entries(pipelines)) {
  test(`${name}: the same vectors and logits`, { skip: unless(path) }, async () => {
    const { native, wasm } = await outputsOf('pipeline_bits', path)
    const rows = `${native}${wasm}`.trim().split('\n').map((line) => line.split(' '))
    assert.ok(rows.some(([row]) => row === 'simd128') && rows.length >= 4)
    const [, tokens, vectors, logits] = rows[0]
    assert.ok(Number(tokens) > 50)
    assert.notEqual(vectors, logits)
    for (const row of rows) assert.deepEqual(row.slice(1), [tokens, vectors, logits], row[0])
  })
}
