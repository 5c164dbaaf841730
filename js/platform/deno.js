// Deno: files are read with Deno's own functions.

import { OnenlpError } from '../core/errors.js'
import { portOfWebWorker } from '../pool/pool.js'
import { isUrl, piecesOf } from '../core/source.js'

async function openFile(path) {
  let file
  try {
    file = await Deno.open(path)
  } catch (cause) {
    const reason = cause instanceof Deno.errors.NotFound ? 'there is no such file' : cause.message
    throw new OnenlpError('IO', `cannot read ${path}: ${reason}`, { cause })
  }
  const { size, isFile, isDirectory } = await file.stat()
  if (isDirectory) {
    file.close()
    throw new OnenlpError('IO', `cannot read ${path}: it is a folder`)
  }
  return { total: isFile ? size : null, pieces: piecesOf(file.readable), kind: 'file' }
}

export const platform = {
  async wasm() {
    const url = new URL('../../dist/onenlp.wasm', import.meta.url)
    return url.protocol === 'file:' ? Deno.readFile(url) : fetch(url)
  },
  open(value, { signal }) {
    if (!isUrl(value)) return openFile(value)
    const url = new URL(value)
    return url.protocol === 'file:' ? openFile(url) : fetch(url, { signal })
  },
  createWorker: () => portOfWebWorker(new Worker(new URL('../pool/worker.js', import.meta.url), { type: 'module' })),
  parallelism: () => navigator.hardwareConcurrency || 1,
}
