// Graphs that the module does not know, in an engine: one of the test's own, onnxruntime-web, and onnxruntime-node where it
// is installed (its installation downloads, so the repository does not ask for it).

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'

import { createPool, loadPipeline } from '../../js/node.js'
import { onnxruntimeNode } from '../../js/onnx/node.js'
import { onnxruntimeWeb } from '../../js/onnx/web.js'
import { foreign } from './helpers/onnx.mjs'
import { onenlpError, root, temporaryFolder } from './helpers/runtime.mjs'

const fixtures = join(root, 'tests/fixtures/transformer')
const pipeline = join(fixtures, 'bert.onenlp')
const tokenizer = join(fixtures, 'bert.tokenizer.json')
const model = foreign(readFileSync(join(fixtures, 'bert.onnx')))
const folder = temporaryFolder()
const files = { 'bert.onnx': folder.write('foreign.onnx', model), 'bert.tokenizer.json': tokenizer }
const known = { 'bert.onnx': join(fixtures, 'bert.onnx'), 'bert.tokenizer.json': tokenizer }

// Sentences of different and of equal lengths, paragraphs of one and of several windows, one without words.
const long = Array.from({ length: 400 }, (_, i) => ['The', 'cats', 'sing', 'and', 'dogs', 'sang'][i * i % 6]).join(' ')
const text = `The cat sings, and the dogs sing.\n\nA bird was singing.\n\n${long}\n\n \n\nThe dog sang.\n\nA cat was singing.\n`

const isThere = (name) => {
  try {
    return Boolean(createRequire(import.meta.url).resolve(name))
  } catch {
    return false
  }
}

const plain = await loadPipeline(pipeline, { files: known })
const expected = plain.annotate(text)
const width = Number(plain.inspectText().match(/head0\.output\.weight.*?\[\d+, (\d+)\]/s)[1])

/** What the engines of onnxruntime say may differ in the last bits, so labels are compared. */
const sameLabels = (doc) => assert.equal(doc.toConllu(), expected.toConllu())

const real = {
  'onnxruntime-web': () => onnxruntimeWeb({ executionProviders: ['wasm'] }),
  'onnxruntime-node': () => onnxruntimeNode(),
}

for (const [name, engineOf] of Object.entries(real)) {
  test(`${name} gives what the module gives for the graph that it knows`, { skip: !isThere(name) && `${name} is not installed` }, async () => {
    if (name === 'onnxruntime-web') (await import(name)).env.wasm.numThreads = 1
    for (const source of [files, { ...files, 'bert.onnx': model }]) {
      const nlp = await loadPipeline(pipeline, { files: source, engine: engineOf() })
      sameLabels(await nlp.annotateAsync(text))
      const conllu = expected.toConllu()
      assert.equal((await nlp.annotateAsync({ conllu, keepColumns: false })).toConllu(), plain.annotate({ conllu, keepColumns: false }).toConllu())
      nlp.close()
    }
  })
}

/** An engine whose vectors depend on a piece and its place; it notes what it is asked. */
function ownEngine({ inputs = ['input_ids', 'attention_mask'], change = (outputs) => outputs, delay = () => null } = {}) {
  const seen = { opened: [], runs: [], released: 0, most: 0 }
  let now = 0
  const open = async ({ name, path, bytes }) => {
    seen.opened.push({ name, path, size: (await bytes()).length })
    return {
      inputNames: inputs,
      outputNames: ['pooled', 'token_embeddings'],
      async run(feeds) {
        seen.most = Math.max(seen.most, ++now)
        seen.runs.push(feeds)
        await delay()
        now--
        const { data, dims } = feeds.input_ids
        const values = Float32Array.from({ length: data.length * width }, (_, i) => Math.sin(Number(data[Math.floor(i / width)]) * 7 + (i % width)))
        return change({ token_embeddings: { data: values, dims: [...dims, width] } })
      },
      release: () => seen.released++,
    }
  }
  return { seen, engine: { open } }
}

const load = (engine, options) => loadPipeline(pipeline, { files, engine, ...options })

test('without an engine the graph is refused, as it was', async () => {
  await assert.rejects(loadPipeline(pipeline, { files }), onenlpError('UNSUPPORTED', /bert\.onnx: ONNX: the graph is no BERT/))
})

test('a graph that is known needs no engine', async () => {
  const { engine, seen } = ownEngine()
  const nlp = await loadPipeline(pipeline, { files: known, engine })
  sameLabels(nlp.annotate(text))
  assert.deepEqual(seen.opened, [])
  nlp.close()
})

test('what an engine is given', async () => {
  const { engine, seen } = ownEngine({ inputs: ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'] })
  const nlp = await load(engine)
  assert.deepEqual(seen.opened, [{ name: 'bert.onnx', path: files['bert.onnx'], size: model.length }])
  seen.runs.length = 0
  await nlp.annotateAsync(text)
  assert.ok(seen.runs.length >= 5, `${seen.runs.length} runs`)
  for (const { input_ids, attention_mask, token_type_ids, position_ids } of seen.runs) {
    const [sequences, length] = input_ids.dims
    assert.equal(input_ids.data.length, sequences * length)
    assert.ok(attention_mask.data.every((value) => value === 1n))
    assert.ok(token_type_ids.data.every((value) => value === 0n))
    assert.ok(position_ids.data.every((value, i) => value === BigInt(i % length)))
    // Each sequence has the special tokens of its own.
    for (let i = 0; i < sequences; i++) {
      assert.equal(input_ids.data[i * length], seen.runs[0].input_ids.data[0])
      assert.equal(input_ids.data[(i + 1) * length - 1], seen.runs[0].input_ids.data.at(-1))
    }
  }
  assert.ok(seen.runs.some(({ input_ids }) => input_ids.dims[0] > 1), 'windows of one length go together')
  nlp.close()
})

test('texts at once give what they give one after another, and runs do not overlap', async () => {
  const { engine, seen } = ownEngine({ delay: () => new Promise((resolve) => setTimeout(resolve, 1)) })
  const nlp = await load(engine)
  const texts = [text, 'A bird sings.', `${text}\n\nThe end.`, 'The cat sings, and the dogs sing.']
  const alone = []
  for (const each of texts) alone.push((await nlp.annotateAsync(each)).toJSON())
  const together = await Promise.all(texts.map((each) => nlp.annotateAsync(each)))
  assert.deepEqual(together.map((doc) => doc.toJSON()), alone)
  assert.equal(seen.most, 1)
  const piped = []
  for await (const doc of nlp.pipe(texts)) piped.push(doc.toJSON())
  assert.deepEqual(piped, alone)
  nlp.close()
})

test('what cannot wait says so, and the pipeline stays usable', async () => {
  const { engine } = ownEngine()
  const nlp = await load(engine)
  const before = (await nlp.annotateAsync(text)).toConllu()
  assert.throws(() => nlp.annotate(text), onenlpError('UNSUPPORTED', /bert\.onnx runs in an engine: only annotateAsync/))
  assert.throws(() => [...nlp.write(text)], onenlpError('UNSUPPORTED', /only annotateAsync/))
  assert.throws(() => nlp.evaluateJsonl('{"text": "A cat."}\n'), onenlpError('UNSUPPORTED', /has not computed/))
  assert.equal((await nlp.annotateAsync(text)).toConllu(), before)
  nlp.close()
  await assert.rejects(createPool(pipeline, { files, engine }), onenlpError('INVALID_ARGUMENT', /engine/))
  await assert.rejects(load({}), onenlpError('INVALID_ARGUMENT', /engine must be an OnnxEngine/))
})

test('engines that fail', async () => {
  const failing = { now: false }
  const { engine } = ownEngine({ change: (outputs) => (failing.now ? Promise.reject(new Error('no memory')) : outputs) })
  const nlp = await load(engine)
  failing.now = true
  await assert.rejects(nlp.annotateAsync(text), onenlpError('INTERNAL', /the engine of bert\.onnx failed: no memory/))
  failing.now = false
  assert.ok((await nlp.annotateAsync(text)).length > 0)
  nlp.close()
  const wrong = [
    [{ change: () => ({}) }, 'UNSUPPORTED', /token_embeddings must be 32-bit floats/],
    [{ change: ({ token_embeddings: { data, dims } }) => ({ token_embeddings: { data: Float64Array.from(data), dims } }) }, 'UNSUPPORTED', /32-bit/],
    [{ change: ({ token_embeddings: { data, dims } }) => ({ token_embeddings: { data, dims: dims.slice(1) } }) }, 'UNSUPPORTED', /\[sequences/],
    [{ inputs: ['input_ids', 'past_key_values'] }, 'UNSUPPORTED', /bert\.onnx asks for past_key_values/],
    [{ change: ({ token_embeddings: { data, dims } }) => ({ token_embeddings: { data: data.slice(0, dims[1] * 3), dims: [1, dims[1], 3] } }) }, 'INVALID_DATA', /head0\.output\.weight/],
  ]
  for (const [options, code, message] of wrong) {
    const { engine, seen } = ownEngine(options)
    await assert.rejects(load(engine), onenlpError(code, message))
    assert.equal(seen.released, 1, String(message))
  }
  await assert.rejects(load({ open: () => Promise.reject(new Error('not a model')) }), onenlpError('INTERNAL', /not a model/))
})

test('cancelling and closing while an engine works', async () => {
  const gate = { open: null }
  const { engine, seen } = ownEngine({ delay: () => (gate.open ? gate.open.promise : null) })
  const close = () => {
    let resolve
    const promise = new Promise((done) => (resolve = done))
    gate.open = { promise, resolve }
  }
  const nlp = await load(engine)
  close()
  const controller = new AbortController()
  const cancelled = nlp.annotateAsync(text, { signal: controller.signal })
  controller.abort()
  gate.open.resolve()
  await assert.rejects(cancelled, onenlpError('CANCELLED'))
  close()
  const closed = nlp.annotateAsync(text)
  nlp.close()
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(seen.released, 0, 'a session that works is not released')
  gate.open.resolve()
  await assert.rejects(closed, onenlpError('CLOSED'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(seen.released, 1)
})

test('onnxruntime-node is given the path of a file, else its bytes', async () => {
  const seen = []
  class Tensor {
    constructor(type, data, dims) {
      Object.assign(this, { type, data, dims })
    }
  }
  const session = {
    inputNames: ['input_ids'], outputNames: ['last_hidden_state'], release: async () => seen.push('released'),
    run: async ({ input_ids }) => {
      assert.ok(input_ids instanceof Tensor && input_ids.type === 'int64')
      const values = new Float32Array(input_ids.data.length * width)
      return { last_hidden_state: { data: null, getData: async () => values, dims: [...input_ids.dims, width] } }
    },
  }
  const ort = { default: { Tensor, InferenceSession: { create: async (content, options) => (seen.push([content, options]), session) } } }
  for (const source of [files['bert.onnx'], model]) {
    const nlp = await load(onnxruntimeNode({ ort, logSeverityLevel: 3 }), { files: { ...files, 'bert.onnx': source } })
    assert.ok((await nlp.annotateAsync(text)).length > 0)
    nlp.close()
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
  const [[path, options], , [bytes]] = seen
  assert.equal(path, files['bert.onnx'])
  assert.deepEqual(options, { logSeverityLevel: 3 })
  assert.deepEqual(Buffer.from(bytes), model)
  assert.equal(seen.filter((each) => each === 'released').length, 2)
})
