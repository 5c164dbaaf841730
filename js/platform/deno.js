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

function openAt(path) {
  let file
  try {
    file = Deno.openSync(isUrl(path) ? new URL(path) : path)
  } catch (cause) {
    const reason = cause instanceof Deno.errors.NotFound ? 'there is no such file' : cause.message
    throw new OnenlpError('IO', `cannot read ${path}: ${reason}`, { cause })
  }
  return {
    size: file.statSync().size,
    read(offset, into) {
      file.seekSync(offset, Deno.SeekMode.Start)
      for (let done = 0; done < into.length;) {
        const got = file.readSync(into.subarray(done))
        if (got === null) throw new Error('the file has become shorter')
        done += got
      }
    },
    close: () => file.close(),
  }
}

const readModule = (url) => (url.protocol === 'file:' ? Deno.readFile(url) : fetch(url))

export const platform = {
  async wasm() {
    return readModule(new URL('../../dist/onenlp.wasm', import.meta.url))
  },
  async transformerWasm() {
    return readModule(new URL('../../dist/onenlp.transformer.wasm', import.meta.url))
  },
  openAt,
  open(value, { signal }) {
    if (!isUrl(value)) return openFile(value)
    const url = new URL(value)
    return url.protocol === 'file:' ? openFile(url) : fetch(url, { signal })
  },
  createWorker: () => portOfWebWorker(new Worker(new URL('../pool/worker.js', import.meta.url), { type: 'module' })),
  parallelism: () => navigator.hardwareConcurrency || 1,
}
