// A worker thread of `annotate -j`: it loads the pipeline, and writes what it is sent.

import { parentPort, workerData } from 'node:worker_threads'

import { OnenlpError } from '../core/errors.js'
import { encoderFilesAt, loadPipeline } from './files.mjs'

const { file, bytes, models, output, components } = workerData
const loaded = loadPipeline(bytes, { files: encoderFilesAt(file, models) })
// It was loaded once already; a failure is told with each block.
loaded.catch(() => {})

/** What annotating a block gives; what came before an error is there. */
async function annotate({ kind, bytes }) {
  const pieces = []
  let words = 0
  let error = null
  try {
    const nlp = await loaded
    const content = kind === 'text' ? bytes : { [kind]: bytes }
    const onProgress = (now) => (words = now.words)
    for (const piece of nlp.write(content, { output, components, onProgress })) pieces.push(piece)
  } catch (cause) {
    if (!(cause instanceof OnenlpError)) throw cause
    error = cause.toJSON()
  }
  return { pieces, words, error }
}

parentPort.on('message', async ({ block }) => {
  const result = await annotate(block)
  parentPort.postMessage({ result }, result.pieces.map(({ buffer }) => buffer))
})
