// What the three programs share: the queue, and where the parts of a corpus are written.

import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { Redis } from 'ioredis'

export const QUEUE = process.env.QUEUE ?? 'corpus'

/** A worker that has not been heard of for so long is taken for dead, and its part is given to another one. */
export const LOCK_MS = Number(process.env.QUEUE_LOCK_MS ?? 30_000)

/** BullMQ waits for a server that is away, so no command may give up. */
export const connect = () => new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', { maxRetriesPerRequest: null })

export const planOf = (results) => join(results, 'plan.json')
export const resultOf = (results, key) => join(results, `${key}.jsonl`)

/**
 * Writes a file that appears when it is complete and on the disk; whoever is killed leaves no half of it.
 *
 * @param {string} path
 * @param {Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>} pieces
 */
export async function writeWhole(path, pieces) {
  const temporary = `${path}.${process.pid}.part`
  const file = await open(temporary, 'w')
  try {
    for await (const piece of pieces) await file.appendFile(piece)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
