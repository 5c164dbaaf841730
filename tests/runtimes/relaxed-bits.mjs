// Runs kernel_bits.wasm (tests/unit/nn/kernel_bits.c) with relaxed SIMD in any runtime: lines "<row> <hash>". It prints
// and ends, so two functions of WASI are enough.

import { relax } from '../../js/core/relaxed.js'

/** @param {BufferSource} bytes @param {boolean} [relaxed] @returns {Promise<string>} what it printed */
export async function kernelBits(bytes, relaxed = true) {
  let output = ''
  const ended = {}
  const module = await WebAssembly.compile(bytes)
  const words = (at, count) => new Uint32Array(memory.buffer, at, count)
  const functions = {
    fd_write(descriptor, pieces, count, written) {
      let size = 0
      for (const [i, start] of words(pieces, 2 * count).entries()) {
        if (i % 2 === 1) continue
        const length = words(pieces + 4 * i + 4, 1)[0]
        output += new TextDecoder().decode(new Uint8Array(memory.buffer, start, length).slice())
        size += length
      }
      words(written, 1)[0] = size
      return 0
    },
    proc_exit(code) {
      output += code === 0 ? '' : `exit code ${code}`
      throw ended
    },
  }
  const imports = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = functions[name] ?? (() => 0)
  const { exports } = await WebAssembly.instantiate(module, imports)
  const { memory } = exports
  relax(exports, relaxed)
  try {
    exports._start()
  } catch (error) {
    if (error !== ended) throw error
  }
  return output
}
