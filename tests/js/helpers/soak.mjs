// Many different sentences through one module, or through the workers of a pool, and what memory does meanwhile.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { Instance } from '../../../js/core/instance.js'
import { Pipeline } from '../../../js/core/pipeline.js'
import { createPool } from '../../../js/node.js'
import { data, heapUsed, wasm } from './runtime.mjs'
import { randomNumbers } from './texts.mjs'

const BATCH = 25  // sentences a text: the texts are short, as those of a chat or a form are
const LETTERS = 'etaoinshrdlucmfwypvbgkjqxzéüñøбвд日本한😀'

/** The raw novels of the data folder, white space made one blank; a few words of our own where there are none. */
function prose() {
  const raw = join(data, 'raw')
  if (!existsSync(raw)) return 'The cat saw a dog in Paris and did not stay there, (but Ada ran). '.repeat(50)
  return readdirSync(raw).filter((name) => name.endsWith('.txt')).sort()
    .map((name) => readFileSync(join(raw, name), 'utf8').replace(/\s+/g, ' ')).join(' ')
}

/** An endless stream of texts of BATCH sentences, each with words that no other sentence has. */
export function* texts(seed = 1) {
  const random = randomNumbers(seed)
  const below = (n) => Math.floor(random() * n)
  const novels = prose()
  const letters = [...LETTERS]
  for (let number = 0; ; ) {
    const sentences = []
    for (let i = 0; i < BATCH; i++, number++) {
      const made = Array.from({ length: 2 + below(9) }, () => letters[below(letters.length)]).join('')
      const start = novels.indexOf(' ', below(novels.length - 100)) + 1
      const middle = novels.slice(start, novels.indexOf(' ', start + 8 + below(30)))
      sentences.push(`${made} ${middle} ${number.toString(36)}.`)
    }
    yield sentences.join('\n\n')
  }
}

const MB = 1 << 20

/** Says what is measured twenty times; returns the measurements of which the first follows the warm-up, a fifth of all. */
function sampler(name, count, measure, say) {
  const samples = []
  const every = count / 20
  let next = every
  const start = performance.now()
  return {
    samples,
    look(done) {
      if (done < next) return
      next += every
      const sample = measure()
      const shown = Object.entries(sample).map(([key, value]) => `${key} ${(value / MB).toFixed(2)} MB`).join(', ')
      say(`${name}: ${done} sentences, ${((performance.now() - start) / 1000).toFixed(0)} s, ${shown}`)
      if (done >= count / 5) samples.push(sample)
    },
  }
}

/** One module. The samples hold the bytes used in it, its memory, the heap of JavaScript and the resident set. */
export async function soakModule({ file, count, say = () => {} }) {
  const instance = await Instance.create(new WebAssembly.Module(readFileSync(wasm)))
  const nlp = new Pipeline(instance, instance.allocBytes(file), file.length)
  const { samples, look } = sampler('module', count, () => ({
    used: nlp.memoryUsed, module: instance.memorySize, heap: heapUsed(), resident: process.memoryUsage.rss(),
  }), say)
  let done = 0
  let sentences = 0
  for (const text of texts()) {
    const doc = nlp.annotate(text)
    sentences += doc.sentences.length
    done += BATCH
    look(done)
    if (done >= count) break
  }
  nlp.close()
  return { samples, sentences, left: instance.call('onenlp_memory_used') }
}

/** The workers of a pool, whose memory is part of the process's. */
export async function soakPool({ file, count, size = 2, say = () => {} }) {
  const pool = await createPool(file, { size })
  const { samples, look } = sampler(`pool of ${size}`, count, () => ({ heap: heapUsed(), resident: process.memoryUsage.rss() }), say)
  let done = 0
  let sentences = 0
  function* some() {
    for (const text of texts(2)) {
      yield text
      if ((done += BATCH) >= count) return
    }
  }
  let received = 0
  for await (const doc of pool.pipe(some())) {
    sentences += doc.sentences.length
    received += BATCH
    look(received)
  }
  await pool.close()
  return { samples, sentences }
}

/** How much the largest of the second half of the samples is above the largest of the first half. */
export function growth(samples, key) {
  const largest = (part) => Math.max(...part.map((sample) => sample[key]))
  const half = Math.floor(samples.length / 2)
  return largest(samples.slice(half)) - largest(samples.slice(0, half))
}
