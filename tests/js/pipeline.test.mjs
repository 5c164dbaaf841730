// loadPipeline, annotate and documents.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { after, before, describe, test } from 'node:test'

import * as portable from '../../js/index.js'
import { Doc, OnenlpError, loadPipeline } from '../../js/node.js'
import { createApi } from '../../js/core/api.js'
import { Instance } from '../../js/core/instance.js'
import { Pipeline } from '../../js/core/pipeline.js'
import { platform } from '../../js/platform/node.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { heapUsed, onenlpError, temporaryFolder, wasm } from './helpers/runtime.mjs'
import { hardTexts } from './helpers/texts.mjs'

const file = englishPipeline()
const folder = temporaryFolder()
let nlp

before(async () => {
  nlp = await loadPipeline(file)
})
after(() => nlp.close())

describe('loading', () => {
  const path = folder.write('en.onenlp', file)
  let server, base

  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/missing') return response.writeHead(404).end()
      if (request.url === '/slow') {
        response.writeHead(200, { 'content-length': file.length })
        return response.write(file.subarray(0, 100))
      }
      if (request.url === '/wasm') return response.writeHead(200, { 'content-type': 'text/plain' }).end(readFileSync(wasm))
      if (request.url === '/right.wasm') return response.writeHead(200, { 'content-type': 'application/wasm' }).end(readFileSync(wasm))
      if (request.url === '/chunked') return response.writeHead(200).end(file)
      response.writeHead(200, { 'content-length': file.length }).end(file)
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${server.address().port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const sources = {
    'a path': () => path,
    'a file URL': () => pathToFileURL(path),
    'a file URL as a string': () => pathToFileURL(path).href,
    'a URL': () => new URL('/en.onenlp', base),
    'a URL as a string': () => `${base}/en.onenlp`,
    'a Response': () => fetch(`${base}/en.onenlp`),
    'a Response without a length': () => fetch(`${base}/chunked`),
    'a Response in memory': () => new Response(file),
    'a Blob': () => new Blob([file.subarray(0, 99), file.subarray(99)]),
    'a ReadableStream': () => new Blob([file]).stream(),
    'a Buffer': () => file,
    'an ArrayBuffer': () => new Uint8Array(file).buffer,
    'a DataView into a larger buffer': () => {
      const larger = new Uint8Array(file.length + 20)
      larger.set(file, 7)
      return new DataView(larger.buffer, 7, file.length)
    },
    'a promise of bytes': () => Promise.resolve(file),
  }
  for (const [name, source] of Object.entries(sources)) {
    test(`from ${name}`, async () => {
      const seen = []
      const nlp = await loadPipeline(source(), { onProgress: (progress) => seen.push(progress) })
      assert.equal(nlp.metadata.name, 'english-test')
      assert.equal(seen[0].loaded, 0)
      assert.equal(seen.at(-1).loaded, file.length)
      assert.ok(seen.every(({ total }) => total === null || total === file.length))
      assert.ok(seen.every(({ source }) => ['network', 'memory', 'file'].includes(source)))
      nlp.close()
    })
  }

  test('a large file in many pieces arrives whole', async () => {
    const large = englishPipeline({ change: ({ encoders }) => { encoders[0].settings.normRows = 60000 } })
    assert.ok(large.length > 3 << 20)
    let at = 0
    const stream = new ReadableStream({
      pull(controller) {
        if (at < large.length) controller.enqueue(large.subarray(at, (at += 50_000)))
        else controller.close()
      },
    })
    for (const source of [folder.write('large.onenlp', large), stream]) {
      const seen = []
      const nlp = await loadPipeline(source, { onProgress: ({ loaded }) => seen.push(loaded) })
      assert.equal(seen.at(-1), large.length)
      assert.ok(seen.length > 3)
      assert.equal(nlp.annotate('Ada met Bob.').length, 4)
      nlp.close()
    }
  })

  test('with a module of one\'s own', async () => {
    const bytes = readFileSync(wasm)
    for (const own of [bytes, new WebAssembly.Module(bytes), wasm, pathToFileURL(wasm), new URL('/wasm', base),
      `${base}/right.wasm`, fetch(`${base}/wasm`), fetch(`${base}/right.wasm`), new Response(bytes)]) {
      const nlp = await loadPipeline(file, { wasm: own })
      assert.equal(nlp.language, 'en')
      nlp.close()
    }
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
    await assert.rejects(loadPipeline(file, { wasm: empty }), onenlpError('INVALID_ARGUMENT', /not onenlp\.wasm/))
    await assert.rejects(loadPipeline(file, { wasm: Uint8Array.of(1, 2, 3) }), onenlpError('INVALID_DATA', /does not compile/))
    await assert.rejects(loadPipeline(file, { wasm: 7 }), onenlpError('INVALID_ARGUMENT', /wasm must be/))
    await assert.rejects(loadPipeline(file, { wasm: fetch(`${base}/missing`) }), onenlpError('IO', /404/))
  })

  test('the portable entry takes the same, given a module', async () => {
    const nlp = await portable.loadPipeline(new Blob([file]), { wasm: readFileSync(wasm) })
    assert.equal(nlp.annotate('Hi.').length, 2)
    nlp.close()
  })

  test('what is no pipeline is an error that says where', async () => {
    await assert.rejects(loadPipeline(new Uint8Array()), onenlpError('INVALID_DATA'))
    await assert.rejects(loadPipeline(Buffer.from('x'.repeat(1000))), onenlpError('INVALID_DATA', /not a pipeline file/))
    await assert.rejects(loadPipeline(file.subarray(0, -1)), onenlpError('INVALID_DATA'))
    const version = Buffer.from(file)
    version[8] = 9
    await assert.rejects(loadPipeline(version), onenlpError('UNSUPPORTED', /version/))
    const kind = englishPipeline()
    kind.write('uaz', kind.indexOf('uax'))
    await assert.rejects(loadPipeline(kind), onenlpError('UNSUPPORTED', /Unsupported tokenizer kind/))
    for (const wrong of [undefined, null, 7, {}, [], () => {}]) {
      await assert.rejects(loadPipeline(wrong), onenlpError('INVALID_ARGUMENT', /a pipeline comes from/))
    }
    await assert.rejects(loadPipeline(folder.path('missing')), onenlpError('IO', /there is no such file/))
    await assert.rejects(loadPipeline(folder.path('.')), onenlpError('IO', /folder/))
    await assert.rejects(loadPipeline(`${base}/missing`), onenlpError('IO', /404/))
    await assert.rejects(loadPipeline('http://127.0.0.1:1/x'), onenlpError('IO', /cannot read/))
    await assert.rejects(loadPipeline(Promise.reject(new Error('mine'))), /mine/)
    await assert.rejects(loadPipeline(new ReadableStream({ start: (c) => c.error(new Error('broken')) })), onenlpError('IO', /broken/))
    await assert.rejects(loadPipeline(new ReadableStream({ start: (c) => (c.enqueue('text'), c.close()) })), onenlpError('INVALID_ARGUMENT'))
  })

  test('options of a wrong type are named before anything is done', async () => {
    const wrong = [null, 7, 'x', { signal: 'x' }, { signal: {} }, { onProgress: 7 }, { cache: 7 }, { cache: {} }, { sha256: 7 }, { maxMemory: null }]
    for (const options of wrong) {
      const untouched = { get then() { return assert.fail('the source was asked') } }
      const name = typeof options === 'object' && options !== null ? Object.keys(options)[0] : 'options'
      await assert.rejects(loadPipeline(untouched, options), onenlpError('INVALID_ARGUMENT', new RegExp(`^${name} must be`)))
    }
  })

  test('what was read already is named', async () => {
    const used = new Response(file)
    await used.arrayBuffer()
    await assert.rejects(loadPipeline(used), onenlpError('INVALID_ARGUMENT', /read already/))
    const { body } = new Response(file)
    body.getReader()
    await assert.rejects(loadPipeline(body), onenlpError('INVALID_ARGUMENT', /being read already/))
    const module = new Response(readFileSync(wasm))
    await module.arrayBuffer()
    await assert.rejects(loadPipeline(file, { wasm: module }), onenlpError('INVALID_ARGUMENT', /read already/))
  })

  test('a module that cannot be had is an error of reading, and is asked for again', async () => {
    await assert.rejects(loadPipeline(file, { wasm: 'http://127.0.0.1:1/x.wasm' }), onenlpError('IO', /127\.0\.0\.1/))
    let asked = 0
    const { loadPipeline: load } = createApi({ ...platform, wasm: () => (asked++ === 0 ? Promise.reject(new TypeError('offline')) : platform.wasm()) })
    await assert.rejects(load(file), onenlpError('IO', /onenlp\.wasm: offline/))
    ;(await load(file)).close()
    assert.equal(asked, 2)
    const { instantiate } = WebAssembly
    WebAssembly.instantiate = () => Promise.reject(new RangeError('no room'))
    try {
      await assert.rejects(loadPipeline(file), onenlpError('OUT_OF_MEMORY', /no room/))
    } finally {
      WebAssembly.instantiate = instantiate
    }
  })

  test('can be cancelled, at once', async () => {
    await assert.rejects(loadPipeline(file, { signal: AbortSignal.abort() }), onenlpError('CANCELLED'))
    const controller = new AbortController()
    const loading = loadPipeline(`${base}/slow`, {
      signal: controller.signal,
      onProgress: ({ loaded }) => loaded > 0 && controller.abort(new Error('enough')),
    })
    await assert.rejects(loading, (error) => onenlpError('CANCELLED')(error) && error.cause.message === 'enough')
    let cancelled
    const stream = new ReadableStream({ pull: () => new Promise(() => {}), cancel: () => { cancelled = true } })
    await assert.rejects(loadPipeline(stream, { signal: AbortSignal.timeout(20) }), onenlpError('CANCELLED'))
    await new Promise((resolve) => setTimeout(resolve, 10))
    assert.notEqual(cancelled, undefined)
  })

  test('a cache keeps what was checked, and nothing else', async () => {
    const kept = new Map()
    const cache = {
      match: async (url) => kept.get(url)?.clone(),
      put: async (url, response) => kept.set(url, response),
      delete: async (url) => kept.delete(url),
    }
    const url = `${base}/en.onenlp`
    const sha256 = createHash('sha256').update(file).digest('hex')
    const load = async (source, options) => {
      const kinds = new Set()
      const nlp = await loadPipeline(source, { cache, onProgress: ({ source }) => kinds.add(source), ...options })
      assert.equal(nlp.annotate('Ada met Bob.').length, 4)
      nlp.close()
      return [...kinds]
    }
    assert.deepEqual(await load(url, { sha256 }), ['network'])
    assert.deepEqual([...kept.keys()], [url])
    assert.deepEqual(await load(new URL(url), { sha256: sha256.toUpperCase() }), ['cache'])
    // Damaged in the cache: it is fetched again.
    kept.set(url, new Response(file.subarray(0, 1000)))
    assert.deepEqual(await load(url), ['cache', 'network'])
    assert.deepEqual(await load(url), ['cache'])
    // What is no pipeline, or another one, never gets in.
    await assert.rejects(loadPipeline(`${base}/wasm`, { cache }), onenlpError('INVALID_DATA'))
    await assert.rejects(loadPipeline(`${base}/chunked`, { cache, sha256: '0'.repeat(64) }), onenlpError('INVALID_DATA', /SHA-256/))
    await assert.rejects(loadPipeline(`${base}/missing`, { cache }), onenlpError('IO'))
    assert.deepEqual([...kept.keys()], [url])
    // Only what the network gives; and a cache that fails is none.
    assert.deepEqual(await load(path), ['file'])
    assert.deepEqual(await load(file), ['memory'])
    assert.equal(kept.size, 1)
    const broken = () => Promise.reject(new Error('quota'))
    assert.deepEqual(await load(url, { cache: { match: broken, put: broken, delete: broken } }), ['network'])
    assert.deepEqual(await load(url, { cache: true }), ['network'])
    await assert.rejects(loadPipeline(file, { sha256: 'abc' }), onenlpError('INVALID_ARGUMENT', /64/))
    await assert.rejects(loadPipeline(file, { sha256: '0'.repeat(64) }), onenlpError('INVALID_DATA', /SHA-256/))
  })

  test('a limit of memory holds', async () => {
    await assert.rejects(loadPipeline(file, { maxMemory: 20_000 }), onenlpError('OUT_OF_MEMORY'))
    const nlp = await loadPipeline(file, { maxMemory: 1 << 21 })
    assert.throws(() => nlp.annotate('word '.repeat(1 << 20)), onenlpError('OUT_OF_MEMORY'))
    assert.equal(nlp.annotate('It works still.').length, 4)
    nlp.close()
    for (const maxMemory of [0, -1, 1.5, 2 ** 32, '1', NaN]) {
      await assert.rejects(loadPipeline(file, { maxMemory }), onenlpError('INVALID_ARGUMENT', /maxMemory/))
    }
  })
})

describe('a pipeline', () => {
  test('tells what it is made of', () => {
    assert.equal(nlp.language, 'en')
    assert.deepEqual({ ...nlp.metadata }, { name: 'english-test', licence: 'MIT' })
    assert.deepEqual(nlp.components.map(({ name, kind }) => [name, kind]), [
      ['sentencizer', 'sentencizer'], ['tagger', 'tagger'], ['morphologizer', 'morphologizer'],
      ['lemmatizer', 'lemmatizer'], ['parser', 'parser']])
    assert.deepEqual(nlp.labels('tagger'), ['NN', 'NNS', 'VBD', 'DT', '.', 'IN'])
    assert.deepEqual(nlp.labels('sentencizer'), [])
    assert.throws(() => nlp.labels('nothing'), onenlpError('INVALID_ARGUMENT', /no component 'nothing'/))
    assert.equal(typeof nlp.inspect(), 'object')
    assert.match(nlp.inspectText(), /tokenizer: uax/)
  })

  test('annotates a text into columns and views', () => {
    const text = 'Ada 😀 didn\'t see cafés. They left.'
    const doc = nlp.annotate(text)
    assert.ok(doc instanceof Doc)
    assert.equal(doc.text, text)
    assert.deepEqual(doc.tokens.map(({ form }) => form), ['Ada', '😀', 'did', 'n\'t', 'see', 'cafés', '.', 'They', 'left', '.'])
    for (const token of doc.tokens) {
      assert.equal(token.text, text.slice(token.start, token.end))
      assert.ok(nlp.labels('tagger').includes(token.xpos))
      assert.match(token.upos, /^[A-Z]+$/)
      assert.ok(token.feats === null || token.feats.includes('='))
      assert.equal(typeof token.lemma, 'string')
      assert.equal(token.sentence.tokens[token.id - 1], token)
      assert.ok(token.head >= 0 && token.head <= token.sentence.tokens.length && token.head !== token.id)
      assert.equal(token.headToken?.id ?? 0, token.head)
      assert.equal(token.head === 0, token.deprel === 'root')
    }
    assert.deepEqual(doc.sentences.map(({ text }) => text), ['Ada 😀 didn\'t see cafés.', 'They left.'])
    assert.deepEqual(doc.sentences.map(({ start, end, first, last }) => [start, end, first, last]), [[0, 24, 0, 7], [25, 35, 7, 10]])
    assert.deepEqual(doc.ranges.map(({ form, start, end, first, last }) => [form, start, end, first, last]), [['didn\'t', 7, 13, 2, 4]])
    assert.equal(doc.ranges[0].text, 'didn\'t')
    assert.deepEqual(doc.entities, [])
    assert.deepEqual(doc.spans, {})
    assert.deepEqual(doc.cats, {})
  })

  test('runs only the components asked for', () => {
    const doc = nlp.annotate('They left. He stayed.', { components: ['tagger'] })
    assert.ok(doc.tokens.every(({ xpos, upos, lemma, head, deprel }) =>
      xpos !== null && upos === null && lemma === null && head === null && deprel === null))
    assert.equal(doc.sentences.length, 1)
    const all = nlp.annotate('They left. He stayed.')
    assert.equal(all.sentences.length, 2)
    assert.ok(all.tokens.every(({ upos, head }) => upos !== null && head !== null))
    assert.throws(() => nlp.annotate('x', { components: ['typo'] }), onenlpError('INVALID_ARGUMENT', /no component 'typo'.*tagger/))
    for (const options of [{ components: 'tagger' }, null, 7]) {
      assert.throws(() => nlp.annotate('x', options), onenlpError('INVALID_ARGUMENT'))
      assert.throws(() => nlp.write('x', options).next(), onenlpError('INVALID_ARGUMENT'))
    }
  })

  test('takes tokens as they are', () => {
    const doc = nlp.annotate({ tokens: [['It\'s', 'a.b', { form: 'New York', spaceAfter: false }, '!'], [{ form: 'don\'t', words: ['do', 'n\'t'] }]] })
    assert.equal(doc.text, 'It\'s a.b New York! don\'t')
    assert.deepEqual(doc.tokens.map(({ form }) => form), ['It\'s', 'a.b', 'New York', '!', 'do', 'n\'t'])
    assert.deepEqual(doc.tokens.map(({ start, end }) => doc.text.slice(start, end)), ['It\'s', 'a.b', 'New York', '!', 'do', 'n\'t'])
    assert.deepEqual(doc.sentences.map(({ text }) => text), ['It\'s a.b New York!', 'don\'t'])
    assert.equal(doc.ranges[0].form, 'don\'t')
    assert.ok(doc.tokens.every(({ upos }) => upos !== null))
    assert.deepEqual(nlp.annotate({ tokens: ['a', 'b'] }).sentences.map(({ text }) => text), ['a b'])
    assert.equal(nlp.annotate({ tokens: [] }).length, 0)
    for (const tokens of ['ab', [''], ['a\tb'], ['a\nb'], [['a'], []], [['a'], 'b'], [7], [null], [{ form: 'x', words: ['x'] }], [{ form: 'x', words: 'xy' }]]) {
      assert.throws(() => nlp.annotate({ tokens }), onenlpError('INVALID_ARGUMENT'), JSON.stringify(tokens))
    }
  })

  const conllu = '# sent_id = my-1\n# text = Ada saw du vin\n1\tAda\t_\tPROPN\t_\t_\t_\t_\t_\tmine=yes\n2\tsaw\t_\t_\t_\t_\t_\t_\t_\t_\n' +
    '3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n3\tde\t_\t_\t_\t_\t_\t_\t_\t_\n4\tle\t_\t_\t_\t_\t_\t_\t_\t_\n5\tvin\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\n'

  test('takes CoNLL-U and keeps what is its own', () => {
    for (const input of [conllu, Buffer.from(conllu)]) {
      const doc = nlp.annotate({ conllu: input })
      assert.equal(doc.text, 'Ada saw du vin')
      assert.deepEqual(doc.tokens.map(({ form }) => form), ['Ada', 'saw', 'de', 'le', 'vin'])
      assert.deepEqual(doc.tokens.map(({ text }) => text), ['Ada', 'saw', 'd', 'u', 'vin'])
      assert.deepEqual(doc.ranges.map(({ form, text }) => [form, text]), [['du', 'du']])
      const written = doc.toConllu()
      assert.match(written, /^# sent_id = my-1\n# text = Ada saw du vin\n1\tAda\t/)
      assert.match(written, /mine=yes/)
      assert.match(written, /^3-4\tdu\t/m)
    }
    const tagged = conllu.replace('3\tde\t_\t_', '3\tde\tde\tADP')
    const kept = nlp.annotate({ conllu: tagged }, { components: [] })
    assert.equal(kept.toConllu(), tagged)
    assert.deepEqual(kept.tokens.map(({ upos }) => upos), ['PROPN', null, 'ADP', null, null])
    assert.deepEqual(kept.toJSON().lemma, [null, null, 'de', null, null])
    assert.equal(kept.tokens[0].xpos, null)
    // Components that run replace what is theirs, and nothing else.
    const both = nlp.annotate({ conllu: tagged }, { components: ['tagger'] })
    assert.deepEqual(both.tokens.map(({ upos }) => upos), kept.tokens.map(({ upos }) => upos))
    assert.ok(both.tokens.every(({ xpos }) => xpos !== null))
    assert.ok(nlp.annotate({ conllu: tagged }).tokens.every(({ upos, lemma }) => upos !== null && lemma !== null))
    const emptied = nlp.annotate({ conllu: tagged, keepColumns: false }, { components: ['tagger'] })
    assert.ok(emptied.tokens.every(({ upos, lemma, xpos }) => upos === null && lemma === null && xpos !== null))
    assert.throws(() => nlp.annotate({ conllu: '1\tAda\n' }), onenlpError('DATA_FORMAT', /line 1/, 1))
    assert.throws(() => nlp.annotate({ conllu: `${conllu}1\tx` }), onenlpError('DATA_FORMAT', /line 10/, 10))
  })

  test('a document of several units reads on', () => {
    const sentence = 'The cat saw the dogs near a house. '
    const doc = nlp.annotate(`${sentence.repeat(100)}\n\n${sentence}`)
    assert.equal(doc.sentences.length, 101)
    assert.ok(doc.sentences.every(({ text }) => text === sentence.trim()))
    assert.equal(doc.length, 101 * 9)
    assert.equal(doc.tokens.at(-1).index, doc.length - 1)
    assert.equal(doc.toConllu().match(/^# sent_id/gm).length, 101)
  })

  test('more strings than the module keeps in one table', () => {
    // 60 paragraphs of 200 different words, some of which come again later, in a table that was started anew.
    const word = (i) => `w${(i % 9000).toString(36)}\u00e9x`
    const text = Array.from({ length: 60 }, (_, p) => Array.from({ length: 200 }, (_, i) => word(p * 200 + i)).join(' ')).join('\n\n')
    const doc = nlp.annotate(text)
    assert.equal(doc.length, 60 * 200)
    assert.equal(new Set(doc.data.strings).size, doc.data.strings.length)
    assert.equal(doc.toConllu(), Buffer.concat([...nlp.write(text, { output: 'conllu' })]).toString())
  })

  for (const [name, text] of Object.entries(hardTexts)) {
    test(`all ways of one text agree: ${name}`, async () => {
      const doc = nlp.annotate(text)
      const write = (input, output) => Buffer.concat([...nlp.write(input, { output })]).toString()
      assert.equal(doc.toConllu(), write(text, 'conllu'))
      const json = JSON.parse(write(text, 'json'))
      // What UTF-8 cannot hold comes out of C as U+FFFD; the columns keep the caller's text.
      assert.deepEqual(JSON.parse(JSON.stringify(doc)), { ...json, text, form: doc.tokens.map(({ form }) => form) })
      const wellFormed = (string) => Buffer.from(string).toString()
      assert.deepEqual(json.form, doc.tokens.map(({ form }) => wellFormed(form)))
      const async = await nlp.annotateAsync(text)
      assert.deepEqual(async.data, doc.data)
      const bytes = nlp.annotate(Buffer.from(text))
      assert.equal(bytes.toConllu(), doc.toConllu())
      // Plain data crosses to other threads and is the same document there.
      assert.deepEqual(new Doc(structuredClone(doc.data)).toJSON(), doc.toJSON())
      const { text: whole } = doc
      for (const { start, end, form, text: slice } of doc.tokens) assert.equal(slice, whole.slice(start, end), form)
      if (doc.length > 0) {
        const again = nlp.annotate({ conllu: doc.toConllu() })
        assert.deepEqual(again.tokens.map(({ form, sentence }) => [form, sentence.first]),
          doc.tokens.map(({ form, sentence }) => [wellFormed(form), sentence.first]))
      }
    })
  }

  test('wrong inputs are INVALID_ARGUMENT', async () => {
    for (const input of [undefined, null, 7, true, [], {}, new Date(), { text: 1 }, { conllu: 1 }, { text: 'a', conllu: 'b' }, Symbol('x')]) {
      assert.throws(() => nlp.annotate(input), onenlpError('INVALID_ARGUMENT', /annotate takes/))
      await assert.rejects(nlp.annotateAsync(input), onenlpError('INVALID_ARGUMENT'))
      assert.throws(() => [...nlp.write(input)], onenlpError('INVALID_ARGUMENT'))
    }
    assert.throws(() => [...nlp.write('x', { output: 'xml' })], onenlpError('INVALID_ARGUMENT', /want one of conllu/))
    assert.throws(() => nlp.annotate(Uint8Array.of(0x41, 0xff)), onenlpError('INVALID_UTF8', /byte 1/, 1))
    assert.equal(nlp.annotate('It works still.').length, 4)
  })

  test('annotateAsync lets others run, tells how far it is and can be cancelled', async () => {
    const text = 'The cat saw the dogs near a house. '.repeat(4000)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const seen = []
    const doc = await nlp.annotateAsync(text, { onProgress: (progress) => seen.push(progress) })
    clearInterval(timer)
    assert.ok(turns > 3, `${turns} turns`)
    assert.equal(doc.length, 36000)
    assert.ok(seen.every(({ done }, i) => i === 0 || done >= seen[i - 1].done))
    assert.deepEqual(seen.at(-1), { done: text.length, total: text.length, words: 36000 })

    const controller = new AbortController()
    const cancelled = nlp.annotateAsync(text, { signal: controller.signal, onProgress: ({ words }) => words > 2000 && controller.abort() })
    await assert.rejects(cancelled, onenlpError('CANCELLED'))
    await assert.rejects(nlp.annotateAsync(text, { signal: AbortSignal.abort() }), onenlpError('CANCELLED'))
    await assert.rejects(nlp.annotateAsync(text, { onProgress() { throw new Error('mine') } }), /^Error: mine$/)
    assert.equal(nlp.annotate('It works still.').length, 4)
  })

  test('texts may overlap in time', async () => {
    const text = (i) => `Number ${i} saw the dogs. `.repeat(2000 + i)
    const docs = await Promise.all([0, 1, 2, 3].map((i) => nlp.annotateAsync(text(i))))
    docs.forEach((doc, i) => {
      assert.equal(doc.text, text(i))
      assert.deepEqual(doc.data, nlp.annotate(text(i)).data)
    })
    nlp.annotate(text(0))
    const used = nlp.memoryUsed
    const half = nlp.write(text(0))
    half.next()
    assert.ok(nlp.memoryUsed > used)
    half.return()
    assert.ok(nlp.memoryUsed <= used)
  })

  test('pipe annotates what an iterable gives, in order, when it is asked for', async () => {
    let asked = 0
    async function* texts() {
      for (const text of ['One cat.', 'Two cats.', 'Three cats.']) {
        asked++
        yield text
      }
    }
    const seen = []
    for await (const doc of nlp.pipe(texts(), { components: ['tagger'] })) {
      seen.push(doc.text)
      assert.equal(asked, seen.length)
    }
    assert.deepEqual(seen, ['One cat.', 'Two cats.', 'Three cats.'])
    const list = []
    for await (const doc of nlp.pipe(['a', { tokens: ['b'] }])) list.push(doc.text)
    assert.deepEqual(list, ['a', 'b'])
    for (const inputs of [undefined, null, 7, 'a text', {}]) {
      await assert.rejects(nlp.pipe(inputs).next(), onenlpError('INVALID_ARGUMENT', /iterable/))
    }
    for (const options of [null, { signal: 7 }, { onProgress: {} }]) {
      await assert.rejects(nlp.pipe(['x'], options).next(), onenlpError('INVALID_ARGUMENT'))
      await assert.rejects(nlp.annotateAsync('x', options), onenlpError('INVALID_ARGUMENT'))
    }
  })
})

describe('closing', () => {
  test('is harmless twice, and everything after it throws CLOSED', async () => {
    const nlp = await loadPipeline(file)
    const doc = nlp.annotate('Ada met Bob.')
    const half = nlp.write('a b c\n\n'.repeat(100))
    half.next()
    const late = nlp.annotateAsync('The cat saw the dogs. '.repeat(4000))
    assert.equal(nlp.closed, false)
    nlp.close()
    nlp.close()
    assert.equal(nlp.closed, true)
    assert.throws(() => nlp.annotate('x'), onenlpError('CLOSED'))
    assert.throws(() => half.next(), onenlpError('CLOSED'))
    await assert.rejects(late, onenlpError('CLOSED'))
    await assert.rejects(nlp.annotateAsync('x'), onenlpError('CLOSED'))
    assert.throws(() => nlp.inspect(), onenlpError('CLOSED'))
    assert.throws(() => nlp.labels('tagger'), onenlpError('CLOSED'))
    assert.throws(() => nlp.memoryUsed, onenlpError('CLOSED'))
    // Documents are plain values: they stay.
    assert.equal(doc.tokens[0].form, 'Ada')
    assert.match(doc.toConllu(), /1\tAda/)
  })

  test('what is forgotten is collected: pipelines, and texts that are half written', async () => {
    const collected = []
    const registry = new FinalizationRegistry((what) => collected.push(what))
    const turn = () => new Promise((resolve) => setTimeout(resolve, 1))
    let nlp = await loadPipeline(file)
    registry.register(nlp, 'a pipeline')
    nlp.annotate('x')
    const used = nlp.memoryUsed
    const forget = () => {
      const half = nlp.write('The cat saw the dogs.\n\n'.repeat(1000))
      half.next()
      registry.register(half, 'a text')
    }
    forget()
    assert.ok(nlp.memoryUsed > used)
    for (let i = 0; i < 50 && !collected.includes('a text'); i++) {
      heapUsed()
      await turn()
    }
    assert.deepEqual(collected, ['a text'])
    assert.ok(nlp.memoryUsed <= used)
    nlp = null
    for (let i = 0; i < 50 && collected.length < 2; i++) {
      heapUsed()
      await turn()
    }
    assert.deepEqual(collected, ['a text', 'a pipeline'])
  })

  test('is what Symbol.dispose does', async () => {
    if (typeof Symbol.dispose !== 'symbol') return assert.ok(true)
    const nlp = await loadPipeline(file)
    nlp[Symbol.dispose]()
    assert.throws(() => nlp.annotate('x'), onenlpError('CLOSED'))
  })

  test('after a trap, too', async () => {
    const instance = await Instance.create(new WebAssembly.Module(readFileSync(wasm)))
    const nlp = new Pipeline(instance, instance.allocBytes(file), file.length)
    const half = nlp.write('a b c\n\n'.repeat(100))
    half.next()
    assert.throws(() => instance.call('onenlp_next', 0xfffffff0, 0), onenlpError('INTERNAL'))
    assert.throws(() => nlp.annotate('x'), onenlpError('INTERNAL'))
    assert.throws(() => half.next(), onenlpError('INTERNAL'))
    nlp.close()
    assert.throws(() => nlp.annotate('x'), onenlpError('CLOSED'))
  })
})

test('OnenlpError is one class', () => {
  const error = new OnenlpError('LIMIT', 'too much', { position: 3 })
  assert.ok(error instanceof Error && error instanceof OnenlpError && error instanceof portable.OnenlpError)
  assert.equal(String(error), 'OnenlpError: too much')
  assert.deepEqual({ ...error }, { code: 'LIMIT', position: 3 })
  assert.deepEqual(error.toJSON(), { name: 'OnenlpError', code: 'LIMIT', message: 'too much', position: 3 })
  assert.match(error.help, /#limit$/)
  assert.equal(new Error('x') instanceof OnenlpError, false)
  assert.equal(null instanceof OnenlpError, false)
})
