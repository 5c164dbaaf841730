// The arithmetic of inference is the same to the last bit natively and in WebAssembly, in every row of
// kernels: one program (tests/unit/nn/kernel_bits.c) prints hashes of what it computes in both.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { binaryFolder, build } from '../../tools/steps.mjs'

const parse = (output) => Object.fromEntries(output.trim().split('\n').map((line) => line.split(' ')))

function runNative() {
  build('release', ['kernel_bits'])
  const { status, stdout } = spawnSync(join(binaryFolder('release'), 'kernel_bits'), { encoding: 'utf8' })
  return { status, rows: parse(stdout) }
}

async function runWasm() {
  build('wasm', ['kernel_bits'])
  process.removeAllListeners('warning')  // that WASI is experimental
  const { WASI } = await import('node:wasi')
  const folder = mkdtempSync(join(tmpdir(), 'onenlp-'))
  try {
    const file = join(folder, 'stdout')
    const out = openSync(file, 'w')
    const wasi = new WASI({ version: 'preview1', returnOnExit: true, stdout: out })
    const module = await WebAssembly.compile(readFileSync(join(binaryFolder('wasm'), 'kernel_bits.wasm')))
    const instance = await WebAssembly.instantiate(module, {
      ...wasi.getImportObject(),
      env: { emscripten_notify_memory_growth() {} },
    })
    const status = wasi.start(instance)
    closeSync(out)
    return { status, rows: parse(readFileSync(file, 'utf8')) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('native and wasm kernels compute the same bits', async () => {
  const native = runNative()
  const wasm = await runWasm()
  assert.equal(native.status, 0)
  assert.equal(wasm.status, 0)
  assert.deepEqual(Object.keys(wasm.rows), ['scalar', 'simd128'])
  assert.ok(Object.keys(native.rows).length >= 2)
  assert.equal(new Set([...Object.values(native.rows), ...Object.values(wasm.rows)]).size, 1,
    JSON.stringify({ native: native.rows, wasm: wasm.rows }))
})
