// Node and Bun: files and worker threads.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

import { OnenlpError } from '../core/errors.js'
import { isUrl } from '../core/source.js'
import { portOfThread } from '../pool/pool.js'

const PIECE = 1 << 20

const REASONS = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'no permission' }

/** An error of the file system as ours. */
export function readError(path, cause) {
  return new OnenlpError('IO', `cannot read ${path}: ${REASONS[cause.code] ?? cause.message}`, { cause })
}

/** A file, piece by piece; it is opened when the first piece is asked for. */
async function openFile(path, signal) {
  const info = await stat(path).catch((cause) => Promise.reject(readError(path, cause)))
  if (info.isDirectory()) throw readError(path, { code: 'EISDIR' })
  return {
    // A pipe or a device has no size.
    total: info.isFile() ? info.size : null,
    kind: 'file',
    pieces: (async function* () {
      const file = await open(path)
      try {
        const buffer = new Uint8Array(PIECE)
        for (;;) {
          signal?.throwIfAborted()
          const { bytesRead } = await file.read(buffer, 0, PIECE, null)
          if (bytesRead === 0) return
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await file.close()
      }
    })(),
  }
}

/** Closes the files of pipelines that nobody closed. */
const forgotten = new FinalizationRegistry((descriptor) => closeSync(descriptor))

/** @param {string} path or a file: URL @returns {import('../core/files.js').OpenFile} */
export function openAt(path) {
  let descriptor
  let info
  try {
    descriptor = openSync(isUrl(path) ? fileURLToPath(path) : path)
    info = fstatSync(descriptor)
  } catch (cause) {
    throw readError(path, cause)
  }
  if (!info.isFile()) {
    closeSync(descriptor)
    throw readError(path, info.isDirectory() ? { code: 'EISDIR' } : new Error('it is no file'))
  }
  const file = {
    size: info.size,
    read(offset, into) {
      for (let done = 0; done < into.length;) {
        const got = readSync(descriptor, into, done, into.length - done, offset + done)
        if (got === 0) throw new Error('the file has become shorter')
        done += got
      }
    },
    close() {
      forgotten.unregister(file)
      closeSync(descriptor)
    },
  }
  forgotten.register(file, descriptor, file)
  return file
}

export const platform = {
  transformerWasm: () => readFile(new URL('../../dist/onenlp.transformer.wasm', import.meta.url)),
  openAt,
  workersOpenFiles: true,
  wasm: () => readFile(new URL('../../dist/onenlp.wasm', import.meta.url)),
  open(value, { signal }) {
    if (!isUrl(value)) return openFile(value, signal)
    const url = new URL(value)
    return url.protocol === 'file:' ? openFile(fileURLToPath(url), signal) : fetch(url, { signal })
  },
  createWorker: () => portOfThread(new Worker(new URL('../pool/worker.node.js', import.meta.url))),
  parallelism: availableParallelism,
}
