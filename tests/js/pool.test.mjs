// Pools of workers.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Worker as Thread } from 'node:worker_threads'

import { createPool, loadPipeline } from '../../js/node.js'
import { createApi } from '../../js/core/api.js'
import { platform } from '../../js/platform/node.js'
import { platform as portable } from '../../js/platform/portable.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { onenlpError, temporaryFolder } from './helpers/runtime.mjs'

const file = englishPipeline()
const folder = temporaryFolder()
let nlp, pool

before(async () => {
  nlp = await loadPipeline(file)
  pool = await createPool(file, { size: 2 })
})
after(async () => {
  nlp.close()
  await pool.close()
})

/** A pool whose workers can be ended from outside, and how many were started. */
async function fragilePool(size, change = () => {}) {
  const workers = []
  const { createPool } = createApi({
    ...platform,
    createWorker() {
      const port = platform.createWorker()
      workers.push(port)
      change(port, workers.length)
      return port
    },
  })
  return { pool: await createPool(file, { size }), workers }
}

describe('a pool', () => {
  test('annotates as the pipeline does', async () => {
    assert.deepEqual([pool.size, pool.language, pool.metadata.name], [2, 'en', 'english-test'])
    assert.deepEqual(pool.components, nlp.components.map((component) => ({ ...component })))
    for (const input of ['Ada didn\'t stay. She left.', { text: 'Hi.' }, { tokens: [['a', 'b']] }, Buffer.from('Été'), { conllu: nlp.annotate('Go!').toConllu() }]) {
      assert.deepEqual((await pool.annotate(input)).data, nlp.annotate(input).data)
    }
    const components = ['tagger']
    assert.deepEqual((await pool.annotate('It is.', { components })).data, nlp.annotate('It is.', { components }).data)
  })

  test('works on many documents at once and keeps their order', async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `Number ${i} saw the dogs. `.repeat(1 + (i * 7) % 40))
    let taken = 0, given = 0, ahead = 0
    function* inputs() {
      for (const text of texts) {
        taken++
        ahead = Math.max(ahead, taken - given)
        yield text
      }
    }
    for await (const doc of pool.pipe(inputs())) assert.equal(doc.text, texts[given++])
    assert.equal(given, texts.length)
    assert.ok(ahead > 2 && ahead <= 5, `${ahead} inputs were taken ahead`)
    const docs = await Promise.all(texts.map((text) => pool.annotate(text)))
    docs.forEach((doc, i) => assert.equal(doc.text, texts[i]))
  })

  test('an error of one document is its own', async () => {
    await assert.rejects(pool.annotate(7), onenlpError('INVALID_ARGUMENT'))
    await assert.rejects(pool.annotate(Uint8Array.of(65, 255)), onenlpError('INVALID_UTF8', /byte 1/, 1))
    await assert.rejects(pool.annotate('x', { components: ['typo'] }), onenlpError('INVALID_ARGUMENT', /typo/))
    const inputs = ['a', { conllu: '1\tx\n' }, 'b', 7, 'c']
    const errors = [], texts = []
    for await (const doc of pool.pipe(inputs, { onError: (error, index) => errors.push([index, error.code]) })) texts.push(doc.text)
    assert.deepEqual(texts, ['a', 'b', 'c'])
    assert.deepEqual(errors, [[1, 'DATA_FORMAT'], [3, 'INVALID_ARGUMENT']])
    await assert.rejects(async () => {
      for await (const doc of pool.pipe(inputs)) assert.equal(doc.text, 'a')
    }, onenlpError('DATA_FORMAT'))
    assert.equal((await pool.annotate('It works still.')).length, 4)
  })

  test('tells progress and can be cancelled', async () => {
    const text = 'The cat saw the dogs near a house. '.repeat(3000)
    const seen = []
    await pool.annotate(text, { onProgress: (progress) => seen.push(progress.words) })
    assert.equal(seen.at(-1), 27000)
    const controller = new AbortController()
    const cancelled = pool.annotate(text, { signal: controller.signal, onProgress: () => controller.abort() })
    await assert.rejects(cancelled, onenlpError('CANCELLED'))
    await assert.rejects(pool.annotate('x', { signal: AbortSignal.abort() }), onenlpError('CANCELLED'))
    // One that still waits for a worker.
    const waiting = new AbortController()
    const all = [text, text, text].map((input) => pool.annotate(input, { signal: waiting.signal }))
    waiting.abort()
    for (const doc of all) await assert.rejects(doc, onenlpError('CANCELLED'))
    let ended = false
    const inputs = (function* () {
      try {
        for (;;) yield text
      } finally {
        ended = true
      }
    })()
    const stop = new AbortController()
    await assert.rejects(async () => {
      for await (const doc of pool.pipe(inputs, { signal: stop.signal })) if (doc) stop.abort()
    }, onenlpError('CANCELLED'))
    assert.equal(ended, true)
    assert.equal((await pool.annotate('It works still.')).length, 4)
  })

  test('leaving pipe early ends the input', async () => {
    let ended = false
    const inputs = (function* () {
      try {
        for (let i = 0; ; i++) yield `Text ${i}.`
      } finally {
        ended = true
      }
    })()
    for await (const doc of pool.pipe(inputs)) if (doc.text === 'Text 5.') break
    assert.equal(ended, true)
  })

  test('replaces a worker that stops, and reports its document', async () => {
    const { pool, workers } = await fragilePool(2)
    const text = 'The cat saw the dogs near a house. '.repeat(5000)
    const docs = [pool.annotate(text), pool.annotate('Short.'), pool.annotate('Another.')]
    docs[0].catch(() => {})
    await docs[2]
    workers[0].terminate()
    await assert.rejects(docs[0], onenlpError('INTERNAL', /a worker stopped/))
    const later = await Promise.all(Array.from({ length: 6 }, (_, i) => pool.annotate(`Text ${i}.`)))
    later.forEach((doc, i) => assert.equal(doc.text, `Text ${i}.`))
    assert.equal(workers.length, 3)
    await pool.close()
  })

  test('replaces a worker whose module has trapped', async () => {
    const trapping = folder.write('trapping.mjs', `
import { Instance } from '${new URL('../../js/core/instance.js', import.meta.url)}'
const { allocString } = Instance.prototype
Instance.prototype.allocString = function (string) {
  if (string === 'trap') this.call('onenlp_next', 0xfffffff0, 0)
  return allocString.call(this, string)
}
await import('${new URL('../../js/pool/worker.node.js', import.meta.url)}')
`)
    let started = 0
    const pool = await createPool(file, { size: 1, worker: () => (started++, new Thread(trapping)) })
    const errors = [], texts = []
    for await (const doc of pool.pipe(['One.', 'trap', 'Two.'], { onError: (error, index) => errors.push([index, error.code, error.message]) })) texts.push(doc.text)
    assert.deepEqual(texts, ['One.', 'Two.'])
    assert.equal(errors.length, 1)
    assert.match(errors[0].join(), /^1,INTERNAL,a worker stopped: the WebAssembly module stopped in onenlp_next/)
    assert.equal(started, 2)
    await pool.close()
  })

  test('gives up when workers do not even start', async () => {
    await assert.rejects(fragilePool(2, (port, count) => {
      if (count === 1) return
      port.terminate()
      throw new Error('no more threads')
    }), onenlpError('INTERNAL', /no more threads/))
    await assert.rejects(fragilePool(2, (port) => port.terminate()), onenlpError('INTERNAL', /a worker stopped/))
    const { pool, workers } = await fragilePool(1, (port, count) => count > 1 && port.terminate())
    const doc = pool.annotate('x '.repeat(50_000))
    doc.catch(() => {})
    workers[0].terminate()
    await assert.rejects(doc, onenlpError('INTERNAL'))
    await assert.rejects(pool.annotate('x'), onenlpError('INTERNAL', /a worker stopped/))
    await pool.close()
  })

  test('closes cleanly', async () => {
    const pool = await createPool(file, { size: 1 })
    const docs = ['a '.repeat(50_000), 'b', 'c'].map((text) => pool.annotate(text))
    docs.forEach((doc) => doc.catch(() => {}))
    await pool.close()
    await pool.close()
    assert.equal(pool.closed, true)
    for (const doc of docs) await assert.rejects(doc, onenlpError('CLOSED'))
    await assert.rejects(pool.annotate('x'), onenlpError('CLOSED'))
  })

  test('wrong sources and options', async () => {
    await assert.rejects(createPool(Buffer.from('nothing'), { size: 1 }), onenlpError('INVALID_DATA', /./, 0))
    await assert.rejects(createPool(file, { size: 1, maxMemory: 10_000 }), onenlpError('OUT_OF_MEMORY'))
    await assert.rejects(createPool(file, { signal: AbortSignal.abort() }), onenlpError('CANCELLED'))
    for (const size of [0, -1, 1.5, '2', NaN, 10_000]) await assert.rejects(createPool(file, { size }), onenlpError('INVALID_ARGUMENT', /size/))
    for (const options of [null, 7, 'x', { signal: {} }, { onProgress: 'x' }, { worker: 7 }, { worker: () => 7 }]) {
      await assert.rejects(createPool(file, options), onenlpError('INVALID_ARGUMENT'))
      if (!options?.worker) await assert.rejects(pool.annotate('x', options), onenlpError('INVALID_ARGUMENT'))
      if (!options?.onProgress && !options?.worker) {
        await assert.rejects(pool.pipe(['x'], options).next(), onenlpError('INVALID_ARGUMENT'))
      }
    }
    await assert.rejects(pool.annotate('x', { components: 'tagger' }), onenlpError('INVALID_ARGUMENT', /components/))
    await assert.rejects(pool.pipe(['x'], { onError: 7 }).next(), onenlpError('INVALID_ARGUMENT', /onError/))
    for (const inputs of [undefined, null, 7, 'a text', {}]) {
      await assert.rejects(pool.pipe(inputs).next(), onenlpError('INVALID_ARGUMENT', /iterable/))
    }
  })

  test('where there are no workers, nothing is fetched', async () => {
    // Node has no Web Worker: what the portable entry finds there.
    assert.equal(typeof Worker, 'undefined')
    const open = () => assert.fail('fetched')
    const { createPool } = createApi({ ...portable, open })
    await assert.rejects(createPool('https://example.org/x'), onenlpError('NO_WORKERS'))
  })

  test('works with workers of one\'s own', async () => {
    const own = await createPool(file, { size: 1, worker: () => new Thread(new URL(import.meta.resolve('onenlp/worker'))) })
    assert.deepEqual((await own.annotate('It is.')).data, nlp.annotate('It is.').data)
    await own.close()
  })

  test('a document that is done does not wait for the next input', async () => {
    let give
    const later = new Promise((resolve) => { give = resolve })
    async function* inputs() {
      yield 'First.'
      await later
      yield 'Second.'
    }
    const docs = pool.pipe(inputs())
    assert.equal((await docs.next()).value.text, 'First.')
    give()
    assert.equal((await docs.next()).value.text, 'Second.')
    assert.equal((await docs.next()).done, true)
  })

  test('an input that never comes can be cancelled', async () => {
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }
    await assert.rejects(pool.pipe(never, { signal: AbortSignal.timeout(20) }).next(), onenlpError('CANCELLED'))
    await assert.rejects(nlp.pipe(never, { signal: AbortSignal.timeout(20) }).next(), onenlpError('CANCELLED'))
  })

  test('what onProgress throws ends its document alone', async () => {
    const text = 'The cat saw the dogs near a house. '.repeat(2000)
    const onProgress = () => { throw new RangeError('mine') }
    await assert.rejects(pool.annotate(text, { onProgress }), /^RangeError: mine/)
    await assert.rejects(nlp.annotateAsync(text, { onProgress }), /^RangeError: mine/)
    assert.equal((await pool.annotate('It works still.')).length, 4)
  })
})
