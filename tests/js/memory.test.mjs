// Memory stays flat, in the module and outside of it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { Instance } from '../../js/core/instance.js'
import { Pipeline } from '../../js/core/pipeline.js'
import { loadPipeline } from '../../js/node.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { heapUsed, onenlpError, wasm } from './helpers/runtime.mjs'
import { growth, soakPool } from './helpers/soak.mjs'

const file = englishPipeline()

describe('memory', () => {
  test('is flat over 10,000 texts', async (t) => {
    const instance = await Instance.create(new WebAssembly.Module(readFileSync(wasm)))
    const nlp = new Pipeline(instance, instance.allocBytes(file), file.length)
    const texts = ['Ada met Bob in Paris.', 'They didn\'t stay long, did they?', 'x'.repeat(300), 'Été 😀.']
    const round = (n) => {
      for (let i = 0; i < n; i++) {
        nlp.annotate(`${texts[i % texts.length]} ${i}`)
        if (i % 100 === 0) assert.throws(() => nlp.annotate(Uint8Array.of(0xff)), onenlpError('INVALID_UTF8'))
        if (i % 101 === 0) assert.throws(() => nlp.annotate({ conllu: 'x' }), onenlpError('DATA_FORMAT'))
      }
    }
    round(1000)
    const before = { used: nlp.memoryUsed, wasm: instance.memorySize, heap: heapUsed() }
    round(10_000)
    const after = { used: nlp.memoryUsed, wasm: instance.memorySize, heap: heapUsed() }
    t.diagnostic(`module ${after.used} of ${after.wasm} bytes, heap ${before.heap} to ${after.heap}`)
    assert.equal(after.used, before.used)
    assert.equal(after.wasm, before.wasm)
    assert.ok(after.heap - before.heap < 1 << 20, `${after.heap - before.heap} bytes`)
    nlp.close()
    assert.ok(instance.call('onenlp_memory_used') < 10_000)
  })

  // The run of two million sentences is tests/long/soak.test.mjs.
  test('is flat over 20,000 different sentences in a pool', async (t) => {
    const { samples, sentences } = await soakPool({ file, count: 20_000 })
    assert.ok(sentences >= 20_000)
    t.diagnostic(`heap ${samples[0].heap} to ${samples.at(-2).heap} bytes`)
    assert.ok(growth(samples, 'heap') < 1 << 19, `${growth(samples, 'heap')} bytes`)
  })

  test('is flat over 500 pipelines', async () => {
    for (let i = 0; i < 50; i++) (await loadPipeline(file)).close()
    const before = { rss: process.memoryUsage.rss(), heap: heapUsed() }
    for (let i = 0; i < 500; i++) {
      const nlp = await loadPipeline(file)
      if (i % 10 !== 0) nlp.close()  // the others are left to the collector
    }
    const after = { heap: heapUsed(), rss: process.memoryUsage.rss() }
    assert.ok(after.heap - before.heap < 2 << 20, `heap ${after.heap - before.heap}`)
    assert.ok(after.rss - before.rss < 200 << 20, `resident ${after.rss - before.rss}`)
  })
})
