// node fill.mjs CORPUS.jsonl RESULTS: cuts the corpus into parts of whole lines and puts them into the queue. Doing it
// again adds nothing that is there already, so an interrupted run is just started again.

import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'

import { Queue } from 'bullmq'

import { QUEUE, connect, planOf, writeWhole } from './settings.mjs'

const PART = Number(process.env.QUEUE_PART_BYTES ?? 1 << 20)
const LF = 10

/** Where each part starts and ends, and how many lines stand before it. */
async function* partsOf(path) {
  let offset = 0
  let start = 0
  let lines = 0
  let before = 0
  for await (const chunk of createReadStream(path)) {
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
      lines++
      const end = offset + at + 1
      if (end - start < PART) continue
      yield { start, end, before }
      start = end
      before = lines
    }
    offset += chunk.length
  }
  if (offset > start) yield { start, end: offset, before }
}

const [corpus, results] = process.argv.slice(2).map((path) => resolve(path))
if (!results) {
  console.error('usage: node fill.mjs CORPUS.jsonl RESULTS')
  process.exit(2)
}
mkdirSync(results, { recursive: true })

// The plan is made once: it says which parts there are, and in which order.
if (!existsSync(planOf(results))) {
  const parts = []
  for await (const part of partsOf(corpus)) parts.push({ key: `part-${String(parts.length).padStart(6, '0')}`, ...part })
  const plan = { corpus, size: (await stat(corpus)).size, partBytes: PART, parts }
  await writeWhole(planOf(results), [JSON.stringify(plan)])
}
const plan = JSON.parse(await readFile(planOf(results), 'utf8'))
if (plan.corpus !== corpus || plan.size !== (await stat(corpus)).size) {
  console.error(`${results} belongs to ${basename(plan.corpus)} with ${plan.size} bytes; take another folder`)
  process.exit(1)
}

const queue = new Queue(QUEUE, { connection: connect() })
for (let at = 0; at < plan.parts.length; at += 1000) {
  await queue.addBulk(plan.parts.slice(at, at + 1000).map(({ key, ...part }) => ({
    name: 'annotate',
    data: { corpus, results, key, ...part },
    // The same key is the same job. A part that fails is tried again: its machine may have been the reason.
    opts: { jobId: key, attempts: 3, backoff: { type: 'exponential', delay: 1000 } },
  })))
}
console.log(`${plan.parts.length} parts`)
await queue.close()
process.exit(0)
