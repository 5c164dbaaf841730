// node worker.mjs PIPELINE: annotates parts until it is told to stop. Start as many as there are processors, on as many
// machines as see the corpus and the folder of results.

import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'

import { Worker } from 'bullmq'
import { loadPipeline } from 'onenlp'

import { LOCK_MS, QUEUE, connect, resultOf, writeWhole } from './settings.mjs'

const nlp = await loadPipeline(process.argv[2] ?? (await import('onenlp-model-en')).url)

async function readPart({ corpus, start, end }) {
  const file = await open(corpus)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    if (bytesRead !== end - start) throw new Error(`${corpus} ends before byte ${end}`)
    return buffer
  } finally {
    await file.close()
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** One line for each document. */
async function* annotate(jsonl) {
  for (const piece of nlp.write({ jsonl }, { output: 'jsonl' })) {
    yield piece
    // Annotating blocks: between two documents BullMQ must have its turn, to say that this worker is alive.
    await nextTurn()
  }
}

async function work({ data }) {
  const { key, before, results } = data
  const result = resultOf(results, key)
  // A part may come twice: its worker was killed when it was done but had not said so, or was taken for dead.
  if (existsSync(result)) return console.log(`was done ${key}`)
  console.log(`started ${key}`)
  try {
    await writeWhole(result, annotate(await readPart(data)))
  } catch (error) {
    // Lines of a part are lines of the corpus.
    if (error.code === 'DATA_FORMAT') error.message = error.message.replace(/^line \d+/, `line ${error.position + before}`)
    throw error
  }
  console.log(`done ${key}`)
}

const worker = new Worker(QUEUE, work, {
  connection: connect(),
  // One part at a time: annotating takes a whole processor.
  concurrency: 1,
  lockDuration: LOCK_MS,
  stalledInterval: LOCK_MS / 2,
  maxStalledCount: 10,
})
worker.on('failed', (job, error) => console.error(`failed ${job?.id}: ${error.message}`))
worker.on('error', (error) => console.error(`queue: ${error.message}`))

for (const signal of ['SIGINT', 'SIGTERM']) {
  // The part at hand is finished first; a second signal ends it at once, which does no harm either.
  process.once(signal, async () => {
    await worker.close()
    process.exit(0)
  })
}
