// node collect.mjs RESULTS OUT.jsonl: waits for all parts and puts them together, in the order of the corpus.

import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

import { Queue } from 'bullmq'

import { QUEUE, connect, planOf, resultOf, writeWhole } from './settings.mjs'

const [results, out] = process.argv.slice(2)
if (!out) {
  console.error('usage: node collect.mjs RESULTS OUT.jsonl')
  process.exit(2)
}
const { parts } = JSON.parse(await readFile(planOf(results), 'utf8'))
const queue = new Queue(QUEUE, { connection: connect() })

// What is done is what has a result, whatever the queue says.
let missing = parts
while ((missing = missing.filter(({ key }) => !existsSync(resultOf(results, key)))).length > 0) {
  const failed = new Map((await queue.getFailed()).map((job) => [job.id, job]))
  const lost = missing.filter(({ key }) => failed.has(key))
  // Only when nothing else can be done any more: the others are worth having.
  if (lost.length === missing.length) {
    for (const { key } of lost) console.error(`${key}: ${failed.get(key).failedReason}`)
    process.exit(1)
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
}

async function* inOrder() {
  for (const { key } of parts) yield* createReadStream(resultOf(results, key))
}
await writeWhole(out, inOrder())
console.log(`${parts.length} parts in ${out}`)
await queue.close()
process.exit(0)
