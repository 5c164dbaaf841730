// Many calls, and many pipelines, in one process: what memory does meanwhile.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { Instance } from '../../../js/core/instance.js'
import { Pipeline } from '../../../js/core/pipeline.js'
import { loadPipeline } from '../../../js/node.js'
import { heapUsed, onenlpError, wasm } from './runtime.mjs'

const TEXTS = ['Ada met Bob in Paris.', 'They didn\'t stay long, did they?', 'x'.repeat(300), 'Été 😀.']

/**
 * Calls annotate `count` times after a warm-up of a tenth, among them some that fail, are cancelled, or are left halfway.
 *
 * @returns {Promise<{ before: object, after: object, left: number }>} bytes used in the module, its memory, the heap of
 *     JavaScript and the resident set; what is left in the module after close
 */
export async function callMany(file, count) {
  const instance = await Instance.create(new WebAssembly.Module(readFileSync(wasm)))
  const nlp = new Pipeline(instance, instance.allocBytes(file), file.length)
  const leave = () => {
    for (const piece of nlp.write('One.\n\nTwo.\n\nThree.')) if (piece) break
  }
  const measure = () => {
    // A text that is left takes the room along that is else kept for the next one, with what it holds for later use.
    leave()
    return { used: nlp.memoryUsed, module: instance.memorySize, heap: heapUsed(), resident: process.memoryUsage.rss() }
  }
  const round = async (n) => {
    for (let i = 0; i < n; i++) {
      const doc = nlp.annotate(`${TEXTS[i % TEXTS.length]} ${i}`)
      if (i % 97 === 0) doc.toConllu()
      if (i % 98 === 0) await nlp.annotateAsync(TEXTS[1])
      if (i % 99 === 0) nlp.annotate({ tokens: [['It', 'works', '.']] })
      if (i % 100 === 0) assert.throws(() => nlp.annotate(Uint8Array.of(0xff)), onenlpError('INVALID_UTF8'))
      if (i % 101 === 0) assert.throws(() => nlp.annotate({ conllu: 'x' }), onenlpError('DATA_FORMAT'))
      if (i % 102 === 0) leave()
      if (i % 103 === 0) await assert.rejects(nlp.annotateAsync('x', { signal: AbortSignal.abort() }), onenlpError('CANCELLED'))
    }
  }
  await round(count / 10)
  const before = measure()
  await round(count)
  const after = measure()
  nlp.close()
  return { before, after, left: instance.call('onenlp_memory_used') }
}

/**
 * Loads `count` pipelines after a warm-up of a tenth, annotates with each, and closes them, except every tenth, which is
 * left to the collector.
 *
 * @returns {Promise<{ before: object, after: object }>} the heap of JavaScript and the resident set
 */
export async function loadMany(file, count) {
  const measure = () => ({ heap: heapUsed(), resident: process.memoryUsage.rss() })
  const round = async (n) => {
    for (let i = 0; i < n; i++) {
      const nlp = await loadPipeline(file)
      nlp.annotate(TEXTS[0])
      if (i % 10 !== 0) nlp.close()
      // A file that is none, and one that is given up: their modules must go as well.
      if (i % 20 === 0) await assert.rejects(loadPipeline(file.subarray(0, -1)), onenlpError('INVALID_DATA'))
      if (i % 20 === 1) await assert.rejects(loadPipeline(file, { signal: AbortSignal.abort() }), onenlpError('CANCELLED'))
    }
  }
  await round(count / 10)
  const before = measure()
  await round(count)
  return { before, after: measure() }
}
