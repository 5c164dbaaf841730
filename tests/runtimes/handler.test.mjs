// The request handler of the examples: what it takes, what it answers, what it refuses.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { createHandler } from '../../examples/shared/handler.js'
import { preferred } from '../../examples/shared/negotiate.js'
import { loadPipeline } from '../../js/node.js'
import { englishPipeline } from '../js/helpers/english-pipeline.mjs'

const file = englishPipeline()
let nlp, handle, loads

before(async () => {
  nlp = await loadPipeline(file)
})
after(() => nlp.close())

const newHandler = (options) => {
  loads = 0
  return createHandler({ load: () => (loads++, loadPipeline(file)), maxBytes: 10_000, maxTokens: 1000, ...options })
}
handle = newHandler()

const ask = (path, { method = 'GET', type, accept, body, headers = {} } = {}, to = handle) =>
  to(new Request(`http://localhost${path}`, { method, body, duplex: 'half', headers: { ...headers, ...(type && { 'content-type': type }), ...(accept && { accept }) } }))
const post = (type, body, accept, to) => ask('/annotate', { method: 'POST', type, accept, body }, to)

async function assertRefused(response, status, detail, more = {}) {
  const problem = await response.json()
  assert.equal(response.status, status, JSON.stringify(problem))
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  assert.equal(problem.status, status)
  assert.match(problem.detail, detail)
  for (const [name, value] of Object.entries(more)) assert.equal(problem[name], value)
}

describe('what is asked for in Accept', () => {
  const types = ['text/plain', 'application/json']
  for (const [accept, want] of [
    [null, 'text/plain'], ['', 'text/plain'], ['*/*', 'text/plain'], ['application/json', 'application/json'],
    ['APPLICATION/JSON;Q=1', 'application/json'], ['text/*, application/json;q=0.9', 'text/plain'],
    ['text/plain;q=0.5, application/json', 'application/json'], ['*/*, text/plain;q=0', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/plain'], ['application/*;q=0.1', 'application/json'],
    ['text/html', null], ['application/json;q=0', null], ['application/json;q=nothing', null], [',;,', null],
  ]) {
    test(String(accept), () => assert.equal(preferred(accept, types), want))
  }
})

describe('POST /annotate', () => {
  const TEXT = 'Ada 😀 didn\'t meet Bob.\n\nShe left.'

  test('text becomes CoNLL-U', async () => {
    for (const accept of [undefined, '*/*', 'text/plain', 'text/x-conllu']) {
      const response = await post('text/plain; charset=UTF-8', TEXT, accept)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), `${accept === 'text/x-conllu' ? accept : 'text/plain'}; charset=utf-8`)
      assert.equal(response.headers.get('vary'), 'Accept')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(await response.text(), nlp.annotate(TEXT).toConllu())
    }
  })

  test('or JSON, or JSON Lines', async () => {
    const want = JSON.parse(JSON.stringify(nlp.annotate(TEXT)))
    assert.deepEqual(await (await post('text/plain', TEXT, 'application/json')).json(), want)
    const lines = await (await post('text/plain', TEXT, 'application/jsonl')).text()
    assert.ok(lines.endsWith('\n'))
    assert.deepEqual(JSON.parse(lines), want)
  })

  test('so do CoNLL-U, JSON and a form', async () => {
    const conllu = nlp.annotate('It works.').toConllu()
    const want = JSON.parse(JSON.stringify(nlp.annotate({ conllu })))
    assert.deepEqual(await (await post('text/x-conllu', conllu, 'application/json')).json(), want)
    assert.deepEqual(await (await post('application/json', JSON.stringify({ conllu }))).json(), want)
    assert.equal(await (await post('application/json', '{"text": "Go!"}', 'text/plain')).text(), nlp.annotate('Go!').toConllu())
    const tokens = await (await post('application/json', '{"tokens": [["It", "works"]], "components": ["tagger"]}')).json()
    assert.deepEqual([tokens.form, tokens.head], [['It', 'works'], undefined])
    const form = (fields, accept) => post('application/x-www-form-urlencoded', new URLSearchParams(fields), accept)
    assert.equal(await (await form({ text: 'Go!\r\n\r\nNow.' })).text(), nlp.annotate('Go!\n\nNow.').toConllu())
    assert.equal((await (await form({ text: 'Go!', as: 'application/json' }, 'text/html')).json()).text, 'Go!')
  })

  test('JSON Lines are many documents', async () => {
    const body = '{"text": "One."}\n{"text": "Two."}\n'
    for (const type of ['application/jsonl', 'application/x-ndjson']) {
      const docs = (await (await post(type, body)).text()).trim().split('\n').map((line) => JSON.parse(line))
      assert.deepEqual(docs.map(({ text, upos }) => [text, upos.length]), [['One.', 2], ['Two.', 2]])
    }
    assert.equal((await (await post('application/jsonl', body, 'text/plain')).text()).match(/^# newdoc/gm).length, 2)
    await assertRefused(await post('application/jsonl', body, 'application/json'), 406, /application\/jsonl/)
    await assertRefused(await post('application/jsonl', '{"text": "One."}\n{}\n'), 400, /line 2/, { code: 'DATA_FORMAT', position: 2 })
  })

  test('an empty text has no sentences', async () => {
    assert.equal(await (await post('text/plain', '')).text(), '')
  })

  test('the pipeline is loaded once', async () => {
    const to = newHandler()
    await ask('/', {}, to)
    assert.equal(loads, 0)
    for (let i = 0; i < 3; i++) await post('text/plain', 'x', undefined, to)
    assert.equal(loads, 1)
  })

  test('and anew when it has failed', async () => {
    const broken = { ...nlp, closed: false, close() { this.closed = true }, annotateAsync: async () => { throw Object.assign(new Error('trap'), { name: 'OnenlpError', code: 'INTERNAL' }) } }
    const given = [broken, nlp]
    const to = createHandler({ load: async () => given.shift() })
    const { error } = console
    console.error = () => {}
    try {
      await assertRefused(await post('text/plain', 'x', undefined, to), 500, /^the server failed/, { code: 'INTERNAL' })
    } finally {
      console.error = error
    }
    assert.equal(broken.closed, true)
    assert.equal((await post('text/plain', 'x', undefined, to)).status, 200)
  })

  test('400: what breaks a rule', async () => {
    await assertRefused(await post('text/plain', Uint8Array.of(65, 255)), 400, /UTF-8/, { code: 'INVALID_UTF8', position: 1 })
    await assertRefused(await post('text/x-conllu', '1\tx\n'), 400, /line 1/, { code: 'DATA_FORMAT', position: 1 })
    await assertRefused(await post('application/json', '{"text": '), 400, /JSON/)
    await assertRefused(await post('application/json', Uint8Array.of(34, 255, 34)), 400, /UTF-8/)
    for (const body of ['7', 'null', '[]', '{}', '"text"', '{"text": "a", "tokens": ["a"]}', '{"jsonl": "x"}', '{"txt": "a"}']) {
      await assertRefused(await post('application/json', body), 400, /must be an object with/)
    }
    for (const body of ['{"text": 7}', '{"tokens": "ab"}', '{"tokens": [7]}', '{"text": "a", "components": ["typo"]}', '{"text": "a", "components": "tagger"}']) {
      await assertRefused(await post('application/json', body), 400, /./, { code: 'INVALID_ARGUMENT' })
    }
    await assertRefused(await post('application/x-www-form-urlencoded', 'Ada met Bob.'), 400, /no field "text"/)
  })

  test('406: nothing that is accepted can be answered', async () => {
    for (const accept of ['text/html', 'application/xml, image/*', 'application/json;q=0']) {
      await assertRefused(await post('text/plain', 'x', accept), 406, /text\/plain, .*application\/json/)
    }
  })

  test('413: more bytes than the limit, whether they are announced or not', async () => {
    await assertRefused(await post('text/plain', 'x'.repeat(10_001)), 413, /more than 10000 bytes/)
    // Announced as so much that it is not worth waiting for.
    await assertRefused(await ask('/annotate', { method: 'POST', type: 'text/plain', body: 'x', headers: { 'content-length': '1000000' } }), 413, /more than 10000 bytes/)
    let given = 0
    const stream = () => new ReadableStream({
      pull(controller) {
        given++
        controller.enqueue(new Uint8Array(4000).fill(120))
      },
    })
    await assertRefused(await post('text/plain', stream()), 413, /more than 10000 bytes/)
    assert.ok(given > 38 && given < 45, `${given} pieces were taken`)
    assert.equal((await post('text/plain', 'x'.repeat(10_000))).status, 200)
  })

  test('413: more tokens than the limit, before they are all annotated', async () => {
    const to = newHandler({ maxTokens: 100, maxBytes: 1 << 20 })
    const words = 'a '.repeat(101)
    await assertRefused(await post('text/plain', words, undefined, to), 413, /more than 100 tokens/)
    await assertRefused(await post('application/json', JSON.stringify({ text: words }), undefined, to), 413, /more than 100 tokens/)
    await assertRefused(await post('application/jsonl', '{"text": "a a a a a a a a a a"}\n'.repeat(11), undefined, to), 413, /more than 100 tokens/)
    assert.equal((await post('text/plain', 'a '.repeat(100), undefined, to)).status, 200)
    // Given tokens are counted before anything is done: a sentence is annotated in one go.
    const untouched = createHandler({ load: () => assert.fail('loaded'), maxTokens: 100 })
    const lines = Array.from({ length: 101 }, (_, i) => `${i + 1}\ta\t_\t_\t_\t_\t_\t_\t_\t_\n`).join('')
    const sentence = new Array(101).fill('a')
    await assertRefused(await post('text/x-conllu', `# 1\n${lines}\n`, undefined, untouched), 413, /more than 100 tokens/)
    for (const input of [{ conllu: `${lines}\n` }, { tokens: [sentence] }, { tokens: sentence }, { tokens: [{ form: 'x', words: sentence }] }]) {
      await assertRefused(await post('application/json', JSON.stringify(input), undefined, untouched), 413, /more than 100 tokens/)
    }
    assert.equal((await post('application/json', JSON.stringify({ tokens: [sentence.slice(1)] }), undefined, to)).status, 200)
  })

  test('415: what is not taken', async () => {
    const types = ['application/xml', 'text/html', 'multipart/form-data; boundary=x', 'toString', '']
    for (const type of types) {
      const response = await ask('/annotate', { method: 'POST', body: new TextEncoder().encode('x'), headers: { 'content-type': type } })
      assert.match(response.headers.get('accept-post'), /text\/plain.*application\/json/)
      await assertRefused(response, 415, /taken are/)
    }
    await assertRefused(await post('text/plain; charset=iso-8859-1', 'x'), 415, /charset is iso-8859-1/)
    await assertRefused(await ask('/annotate', { method: 'POST', type: 'text/plain', body: 'x', headers: { 'content-encoding': 'gzip' } }), 415, /compressed/)
  })

  test('a request that is given up is not worked on', async () => {
    const controller = new AbortController()
    const request = new Request('http://localhost/annotate', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' }, signal: controller.signal })
    const to = createHandler({
      load: async () => ({
        closed: false,
        annotateAsync: (_, { signal }) => new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(Object.assign(new Error('cancelled'), { name: 'OnenlpError', code: 'CANCELLED' })))
          controller.abort()
        }),
      }),
    })
    assert.equal((await to(request)).status, 499)
    const lines = new AbortController()
    const many = new Request('http://localhost/annotate', { method: 'POST', body: '{"text": "x"}\n'.repeat(50), headers: { 'content-type': 'application/jsonl' }, signal: lines.signal })
    setTimeout(() => lines.abort(), 5)
    assert.equal((await createHandler({ load: async () => nlp })(many)).status, 499)
  })
})

describe('the other paths', () => {
  test('GET / tells how to use it', async () => {
    const text = await ask('/', { accept: '*/*' })
    assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.match(await text.text(), /curl http:\/\/localhost\/annotate[^]*At most 10000 bytes and 1000 tokens/)
    const page = await ask('/', { accept: 'text/html,*/*;q=0.8' })
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(await page.text(), /<form method="post" action="\/annotate">/)
    await assertRefused(await ask('/', { accept: 'image/png' }), 406, /text\/html/)
  })

  test('GET /health', async () => {
    const health = await (await ask('/health')).json()
    assert.deepEqual([health.status, health.name, health.language], ['ok', 'english-test', 'en'])
    assert.ok(health.components.includes('tagger'))
    const { error } = console
    console.error = () => {}
    try {
      await assertRefused(await ask('/health', {}, createHandler({ load: async () => { throw new Error('secret') } })), 500, /^the server failed/)
    } finally {
      console.error = error
    }
  })

  test('404 and 405', async () => {
    await assertRefused(await ask('/annotation'), 404, /nothing at \/annotation/)
    await assertRefused(await ask('/toString'), 404, /nothing/)
    for (const [path, method, allow] of [['/annotate', 'GET', 'POST'], ['/annotate', 'PUT', 'POST'], ['/', 'POST', 'GET, HEAD'], ['/health', 'DELETE', 'GET, HEAD']]) {
      const response = await ask(path, { method })
      assert.equal(response.headers.get('allow'), allow)
      await assertRefused(response, 405, new RegExp(`takes ${allow}`))
    }
    const head = await ask('/', { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
  })
})
