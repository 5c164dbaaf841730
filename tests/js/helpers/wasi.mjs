// Runs a WASI command (a WebAssembly module with `_start`) and returns what it printed and its exit code.
// `input`: a file for its standard input.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function runWasi(path, input) {
  process.removeAllListeners('warning')  // that node:wasi is experimental
  const { WASI } = await import('node:wasi')
  const folder = mkdtempSync(join(tmpdir(), 'onenlp-'))
  try {
    const file = join(folder, 'stdout')
    const out = openSync(file, 'w')
    const stdin = input ? openSync(input) : undefined
    const wasi = new WASI({ version: 'preview1', returnOnExit: true, stdin, stdout: out })
    const module = await WebAssembly.compile(readFileSync(path))
    const instance = await WebAssembly.instantiate(module, {
      ...wasi.getImportObject(),
      env: { emscripten_notify_memory_growth() {} },
    })
    const status = wasi.start(instance)
    closeSync(out)
    if (input) closeSync(stdin)
    return { status, stdout: readFileSync(file, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
