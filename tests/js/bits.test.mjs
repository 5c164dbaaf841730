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

const parse = (output) => Object.fromEntries(output.trim().split('\n').map((line) => line.split(' ')))

test('native and wasm kernels compute the same bits', async () => {
  build('release', ['kernel_bits'])
  build('wasm', ['kernel_bits'])
  const native = spawnSync(join(binaryFolder('release'), 'kernel_bits'), { encoding: 'utf8' })
  const wasm = await runWasi(join(binaryFolder('wasm'), 'kernel_bits.wasm'))
  assert.equal(native.status, 0)
  assert.equal(wasm.status, 0)
  const rows = { native: parse(native.stdout), wasm: parse(wasm.stdout) }
  assert.deepEqual(Object.keys(rows.wasm), ['scalar', 'simd128'])
  assert.ok(Object.keys(rows.native).length >= 2)
  const hashes = new Set([...Object.values(rows.native), ...Object.values(rows.wasm)])
  assert.equal(hashes.size, 1, JSON.stringify(rows))
})

test('natively and in wasm characters are and become the same', async () => {
  build('release', ['text_bits'])
  build('wasm', ['text_bits'])
  const native = spawnSync(join(binaryFolder('release'), 'text_bits'), { encoding: 'utf8' })
  const wasm = await runWasi(join(binaryFolder('wasm'), 'text_bits.wasm'))
  assert.equal(native.status, 0)
  assert.equal(wasm.status, 0)
  assert.deepEqual(parse(wasm.stdout), parse(native.stdout))
  assert.equal(new Set(Object.values(parse(native.stdout))).size, 5)
})

// The same for whole pipelines: token vectors and logits over a sample (tests/unit/pipeline/pipeline_bits.c).
const pipelines = {
  'the English pipeline': englishModel,
  'every setting, Turkish': join(root, 'tests/fixtures/format/full.onenlp'),
}

for (const [name, path] of Object.entries(pipelines)) {
  test(`${name}: the same vectors and logits`, { skip: unless(path) }, async () => {
    build('release', ['pipeline_bits'])
    build('wasm', ['pipeline_bits'])
    const native = spawnSync(join(binaryFolder('release'), 'pipeline_bits'), { input: readFileSync(path), encoding: 'utf8' })
    const wasm = await runWasi(join(binaryFolder('wasm'), 'pipeline_bits.wasm'), path)
    assert.equal(native.status, 0, native.stderr)
    assert.equal(wasm.status, 0)
    const rows = `${native.stdout}${wasm.stdout}`.trim().split('\n').map((line) => line.split(' '))
    assert.ok(rows.some(([row]) => row === 'simd128') && rows.length >= 4)
    const [, tokens, vectors, logits] = rows[0]
    assert.ok(Number(tokens) > 50)
    assert.notEqual(vectors, logits)
    for (const row of rows) assert.deepEqual(row.slice(1), [tokens, vectors, logits], row[0])
  })
}
