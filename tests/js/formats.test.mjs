// onenlp/formats: reading and writing as it comes, alignment.

import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'

import { align, convert, convertStream, readConllu, readJsonl, writeConllu, writeJsonl } from '../../js/formats/node.js'
import { Doc, loadPipeline } from '../../js/node.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { data, heapUsed, onenlpError, temporaryFolder, unless } from './helpers/runtime.mjs'

const folder = temporaryFolder()
let nlp

before(async () => {
  nlp = await loadPipeline(englishPipeline())
})
after(() => nlp.close())

const CONLLU = `# newdoc id = d
# sent_id = a
# mine = kept
1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tx=1
1\tde\tde\tADP\tX\t_\t3\tcase\t3:case\tGloss=of
2\tel\tel\tDET\tX\t_\t3\tdet\t_\t_
3\tmañana\tmañana\tNOUN\tX\tNumber=Sing\t0\troot\t_\tNER=B-DATE|SpaceAfter=No
3.1\tvoid\t_\t_\t_\t_\t_\t_\t3:dep\t_

1\t😀\t_\tX\t_\t_\t_\t_\t_\t_

`
const JSONL = `{"text": "Ada met 😀.", "id": 7, "entities": [[0, 3, "PER"]], "source": {"page": [1, 2.5]}}

{"text": "", "cats": {"none": 1}}
{"text": "Hi there", "tokens": [[0, 2], [3, 8]], "spans": {"greetings": [[0, 2, "SHORT"]]}}
`

async function all(iterable) {
  const list = []
  for await (const item of iterable) list.push(item)
  return list
}
const textOf = async (pieces) => Buffer.concat(await all(pieces)).toString()

/** The content cut in pieces, also within characters. */
function* cut(content, size) {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('reading', () => {
  test('sentences have the text and the columns', async () => {
    const [first, second, ...others] = await all(readConllu(CONLLU))
    assert.deepEqual(others, [])
    assert.equal(first.text, 'del mañana')
    assert.deepEqual(first.tokens, [[0, 2], [2, 3], [4, 10]])
    assert.deepEqual(first.form, ['de', 'el', 'mañana'])
    assert.deepEqual(first.upos, ['ADP', 'DET', 'NOUN'])
    assert.deepEqual(first.head, [3, 3, 0])
    assert.deepEqual(first.deps, ['3:case', null, null])
    assert.deepEqual(first.entities, [[4, 10, 'DATE']])
    assert.deepEqual(first.comments, ['# newdoc id = d', '# sent_id = a', '# mine = kept'])
    assert.deepEqual([second.text, second.head, second.lemma], ['😀', [null], [null]])
  })

  test('documents have tokens, and their other members stay', async () => {
    assert.deepEqual(await all(readJsonl(JSONL)), [
      { text: 'Ada met 😀.', tokens: [[0, 3], [4, 7], [8, 10], [10, 11]], entities: [[0, 3, 'PER']], id: 7, source: { page: [1, 2.5] } },
      { text: '', tokens: [], cats: { none: 1 } },
      { text: 'Hi there', tokens: [[0, 2], [3, 8]], spans: { greetings: [[0, 2, 'SHORT']] } },
    ])
  })

  test('content of every kind', async () => {
    const want = await all(readConllu(CONLLU))
    const bytes = new TextEncoder().encode(CONLLU)
    const path = folder.write('file.conllu', CONLLU)
    const halves = [CONLLU.slice(0, CONLLU.indexOf('😀') + 1), CONLLU.slice(CONLLU.indexOf('😀') + 1)]
    const contents = {
      'bytes': bytes, 'ArrayBuffer': bytes.buffer, 'DataView': new DataView(bytes.buffer), 'Buffer': Buffer.from(CONLLU), 'Blob': new Blob([CONLLU]),
      'Response': new Response(CONLLU), 'a promise': Promise.resolve(new Response(CONLLU)), 'ReadableStream': new Blob([CONLLU]).stream(),
      'a stream of strings': ReadableStream.from(halves), 'a Node stream': createReadStream(path, { highWaterMark: 7 }),
      'a Node stream of strings': Readable.from(halves), 'strings': halves, 'strings and bytes': [CONLLU.slice(0, 50), Buffer.from(CONLLU.slice(50))],
      'a generator': cut(CONLLU, 1), 'empty pieces': ['', CONLLU, '', Buffer.alloc(0)],
    }
    for (const [name, content] of Object.entries(contents)) assert.deepEqual(await all(readConllu(content)), want, name)
    for (let size = 1; size < 40; size++) assert.deepEqual(await all(readConllu(cut(CONLLU, size))), want)
    const documents = await all(readJsonl(JSONL))
    for (let size = 1; size < 40; size++) assert.deepEqual(await all(readJsonl(cut(JSONL, size))), documents)
    assert.deepEqual(await all(readConllu('')), [])
    assert.deepEqual(await all(readJsonl(new Response(null))), [])
    const [broken] = await all(readJsonl(['{"text": "\ud83d', Buffer.from('"}')]))
    assert.equal(broken.text, '\ufffd')
  })

  test('what is no content', async () => {
    for (const content of [7, null, undefined, {}, [7], true]) {
      await assert.rejects(all(readConllu(content)), onenlpError('INVALID_ARGUMENT'))
    }
    await assert.rejects(all(readConllu(new Response('', { status: 404 }))), onenlpError('IO', /status 404/))
    const used = new Response(CONLLU)
    await used.text()
    await assert.rejects(all(readConllu(used)), onenlpError('INVALID_ARGUMENT', /was read already/))
    await assert.rejects(all(readConllu(Promise.reject(new Error('gone')))), onenlpError('IO', /gone/))
    await assert.rejects(all(readJsonl('', { misaligned: 'both' })), onenlpError('INVALID_ARGUMENT'))
    await assert.rejects(all(convertStream('', { to: 'xml' })), onenlpError('INVALID_ARGUMENT', /to is 'xml'/))
    await assert.rejects(all(readConllu('', 7)), onenlpError('INVALID_ARGUMENT'))
  })

  test('an error has the line of the whole, and comes behind what was right', async () => {
    const wrong = `${CONLLU.repeat(3000)}1\tx\n`
    const line = CONLLU.split('\n').slice(0, -1).length * 3000 + 1
    for (const content of [wrong, cut(wrong, 997)]) {
      let count = 0
      await assert.rejects(async () => {
        for await (const { text } of readConllu(content)) count += text.length > 0
      }, onenlpError('DATA_FORMAT', new RegExp(`^line ${line}: the line has 2 columns`), line))
      assert.equal(count, 6000)
    }
    await assert.rejects(all(readJsonl(`${JSONL}{"text": "ab", "entities": [[0, 1, "X"]]}`)), onenlpError('DATA_FORMAT', /^line 5: entities\[0\]/, 5))
    const [skipped] = await all(readJsonl('{"text": "ab c", "entities": [[0, 1, "X"], [3, 4, "Y"]]}', { misaligned: 'skip' }))
    assert.deepEqual(skipped.entities, [[3, 4, 'Y']])
  })

  test('an error of the source, and an abort', async () => {
    const failing = async function* () {
      yield CONLLU
      throw new Error('the disk is gone')
    }
    const seen = []
    await assert.rejects(async () => {
      for await (const sentence of readConllu(failing())) seen.push(sentence)
    }, onenlpError('IO', /the disk is gone/))
    assert.equal(seen.length, 2)
    const controller = new AbortController()
    const never = new ReadableStream({ start: (stream) => stream.enqueue(CONLLU) })
    await assert.rejects(async () => {
      for await (const sentence of readConllu(never, { signal: controller.signal })) setTimeout(() => controller.abort(), 5, sentence)
    }, onenlpError('CANCELLED'))
    await assert.rejects(all(writeConllu([], { signal: AbortSignal.abort() })), onenlpError('CANCELLED'))
  })

  test('nothing is read ahead, and leaving the loop ends the source', async () => {
    let asked = 0
    let ended = false
    const source = async function* () {
      try {
        for (;;) {
          asked++
          yield CONLLU
        }
      } finally {
        ended = true
      }
    }
    let count = 0
    for await (const sentence of readConllu(source())) {
      assert.ok(sentence)
      assert.ok(asked * 2 - count <= 2, `${asked} pieces for ${count} sentences`)
      if (++count === 9) break
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal(ended, true)
    let cancelled = false
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(CONLLU)),
      cancel: () => { cancelled = true },
    }, { highWaterMark: 0 })
    for await (const sentence of readConllu(stream)) if (sentence) break
    await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal(cancelled, true)
  })

  test('memory does not grow with the content', async () => {
    const piece = CONLLU.repeat(Math.ceil((1 << 18) / CONLLU.length))
    const content = async function* () {
      for (let i = 0; i < 20; i++) yield piece
    }
    const before = heapUsed()
    let most = 0
    let count = 0
    for await (const sentence of readConllu(content())) {
      if (++count % 5000 === 0 && sentence) most = Math.max(most, heapUsed() - before)
    }
    assert.ok(count > 20_000)
    assert.ok(most < 4 << 20, `${most} bytes`)
  })

  test('a reader that is forgotten gives its memory in the module back', async () => {
    const piece = CONLLU.repeat(Math.ceil(60_000 / CONLLU.length))
    const used = async () => {
      heapUsed()
      await new Promise((resolve) => setTimeout(resolve, 1))
      return process.memoryUsage().external
    }
    const before = await used()
    for (let round = 0; round < 8; round++) {
      for (let i = 0; i < 40; i++) await readConllu(piece).next()
      await used()
    }
    const grown = (await used()) - before
    assert.ok(grown < 24 << 20, `${grown} bytes`)
  })
})

describe('writing', () => {
  test('sentences come out as they were', async () => {
    assert.equal(await textOf(writeConllu(readConllu(CONLLU))), CONLLU)
    assert.equal(await textOf(writeConllu(readJsonl(writeJsonl(readConllu(CONLLU))))), CONLLU)
    const lines = await textOf(writeJsonl(readJsonl(JSONL)))
    assert.equal(await textOf(writeJsonl(readJsonl(lines))), lines)
  })

  test('a change is written', async () => {
    const change = async function* () {
      for await (const sentence of readConllu(CONLLU)) yield { ...sentence, upos: sentence.upos.map(() => 'X'), comments: [] }
    }
    const written = await textOf(writeConllu(change()))
    assert.match(written, /^3\tmañana\tmañana\tX\tX/m)
    assert.doesNotMatch(written, /^#/m)
  })

  test('a treebank file, byte for byte', { skip: unless(join(data, 'ud/UD_English-EWT/dev.conllu')) }, async () => {
    const path = join(data, 'ud/UD_English-EWT/dev.conllu')
    assert.equal(await textOf(writeConllu(readConllu(createReadStream(path)))), readFileSync(path, 'utf8'))
    for (const to of ['text', 'treebank-text', 'jsonl']) {
      assert.equal(await textOf(convertStream(createReadStream(path), { to })), await convert(readFileSync(path), { to }), to)
    }
  })

  test('annotations, as Doc and as JSON', async () => {
    const texts = ['Ada didn\'t meet  Bob. She left.\nIt\'s Ada\'s.', '', 'One more: café 😀.']
    const docs = texts.map((text) => nlp.annotate(text))
    const written = await textOf(writeConllu(docs))
    assert.match(written, /^# newdoc\n# newpar\n# sent_id = 1\n/)
    const ids = [...written.matchAll(/^# sent_id = (.*)$/gm)].map(([, id]) => Number(id))
    assert.deepEqual(ids, ids.map((_, i) => i + 1))
    assert.equal(written.match(/^# newdoc$/gm).length, 2)
    assert.equal(written.replace(/^# (sent_id|newdoc).*\n/gm, ''), docs.map((doc) => doc.toConllu()).join('').replace(/^# sent_id.*\n/gm, ''))
    const json = docs.map((doc) => JSON.parse(JSON.stringify(doc)))
    assert.equal(await textOf(writeConllu(json)), written)
    assert.deepEqual(await all(readJsonl(writeJsonl(docs))), json)
    assert.equal((await textOf(writeJsonl(docs))).split('\n').length, 4)
    // Given tokens bring their own lines.
    assert.equal(await textOf(writeConllu([nlp.annotate({ conllu: CONLLU }, { components: [] })])), CONLLU)
    assert.equal(await textOf(writeConllu([{ text: 'Hi there.' }])), await convert('{"text": "Hi there."}', { from: 'jsonl' }))
  })

  test('ranges, entities and shared forms in JSON', async () => {
    const conllu = `1-2\tà\t_\t_\t_\t_\t_\t_\t_\t_
1\ta\ta\tADP\t_\t_\t3\tcase\t_\t_
2\ta\to\tDET\t_\t_\t3\tdet\t_\t_
3\tMaria\t_\tPROPN\t_\t_\t0\troot\t_\tNER=B-PER
4\tSilva\t_\tPROPN\t_\t_\t3\tflat\t_\tSpaceAfter=No|NER=I-PER

`
    const json = nlp.annotate({ conllu }, { components: [] }).toJSON()
    const written = await textOf(writeConllu([json]))
    assert.equal(written.replace(/^#.*\n/gm, ''), conllu)
  })

  test('what cannot be written tells the document and its member', async () => {
    const good = { text: 'a b', tokens: [[0, 1], [2, 3]], form: ['a', 'b'] }
    const wrong = {
      'must be an object': [7, null, 'text', [1]],
      '"text" is missing': [{}],
      'overlaps': [{ text: 'ab', entities: [[0, 2, 'X'], [0, 2, 'Y']] }],
      '"lemma" has 1 elements, "form" has 2': [{ ...good, lemma: ['a'] }],
      '"lemma": want strings': [{ ...good, lemma: ['a', 7] }],
      '"head": want 0': [{ ...good, head: [3, 0] }, { ...good, sentences: [[0, 1], [1, 2]], head: [0, 2] }],
      '"head": word 0 is its own head': [{ ...good, head: [1, 0] }],
      '"sentences"': [{ ...good, sentences: [[0, 1]] }, { ...good, sentences: [[1, 2]] }, { ...good, sentences: [[0, 3]] }, { ...good, sentences: 7 }],
      '"ranges"': [{ ...good, ranges: [[0, 3, 'x']] }, { ...good, ranges: [[0, 1]] }, { ...good, ranges: {} }],
      '"word_token"': [{ ...good, word_token: [0, 2] }, { ...good, word_token: 7 }],
      '"form"': [{ ...good, form: ['a', ''] }, { ...good, form: ['a'] }],
      'want strings or null': [{ ...good, lemma: [1, 2], upos: [null, null], xpos: [null, null], feats: [null, null], head: [null, null],
        deprel: [null, null], deps: [null, null], misc: [null, null] }],
    }
    for (const [message, documents] of Object.entries(wrong)) {
      for (const document of documents) {
        const code = message === 'must be an object' ? 'INVALID_ARGUMENT' : 'DATA_FORMAT'
        const check = onenlpError(code, new RegExp(code === 'DATA_FORMAT' ? `^document 2: .*${message}` : message), code === 'DATA_FORMAT' ? 2 : undefined)
        await assert.rejects(all(writeConllu([good, document])), check, message)
      }
    }
    await assert.rejects(all(writeJsonl([{ text: 'a' }, { text: 'ab', tokens: [[0, 3]] }])), onenlpError('DATA_FORMAT', /^document 2: tokens/, 2))
    await assert.rejects(all(writeJsonl(7)), onenlpError('INVALID_ARGUMENT'))
    const circle = { text: 'a' }
    circle.circle = circle
    for (const document of [circle, { text: 'a', id: 7n }]) {
      await assert.rejects(all(writeJsonl([document])), onenlpError('INVALID_ARGUMENT', /cannot be written as JSON/))
      await assert.rejects(align(document, 'x'), onenlpError('INVALID_ARGUMENT', /cannot be written as JSON/))
    }
  })
})

describe('alignment', () => {
  const reference = `1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tsee\tsee\tVERB\t_\t_\t0\troot\t_\t_
4\tNew\tNew\tPROPN\t_\t_\t3\tobj\t_\tNER=B-LOC
5\tYork\tYork\tPROPN\t_\t_\t4\tflat\t_\tNER=I-LOC|SpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

`
  test('reference values for predicted tokens', async () => {
    const predicted = { text: 'DON\'T see  New York .', tokens: [[0, 5], [6, 9], [11, 14], [15, 19], [20, 21]] }
    const [sentence] = await all(readConllu(reference))
    for (const gold of [reference, Buffer.from(reference), sentence, nlp.annotate({ conllu: reference }, { components: [] })]) {
      const alignment = await align(predicted, gold)
      assert.deepEqual(alignment.toReference, [null, 2, 3, 4, 5])
      assert.deepEqual(alignment.toPredicted, [0, 0, 1, 2, 3, 4])
      assert.deepEqual(alignment.overlaps, [[0, 2], [2, 3], [3, 4], [4, 5], [5, 6]])
      assert.deepEqual(alignment.get(sentence.upos), [null, 'VERB', 'PROPN', 'PROPN', 'PUNCT'])
      assert.deepEqual(alignment.head, [null, 1, 1, 2, 1])
      assert.deepEqual(alignment.entities, [[2, 4, 'LOC']])
      assert.equal(alignment.spans, undefined)
    }
    const doc = nlp.annotate('don\'t see New York.')
    assert.ok(doc instanceof Doc)
    assert.deepEqual((await align(doc, reference)).toReference, [0, 1, 2, 3, 4, 5])
  })

  test('texts that differ', async () => {
    await assert.rejects(align({ text: 'ab' }, { text: 'a c' }), onenlpError('INVALID_ARGUMENT', /differ at 1 and 2/, 1))
    await assert.rejects(align('x', reference), onenlpError('DATA_FORMAT', /^predicted: line 1: /))
    await assert.rejects(align(7, reference), onenlpError('INVALID_ARGUMENT'))
  })
})

test('the same by require()', async () => {
  const formats = createRequire(import.meta.url)('../../js/formats/node.cjs')
  const esm = await import('../../js/formats/node.js')
  assert.deepEqual(Object.keys(formats).sort(), Object.keys(esm).sort())
  const written = []
  for await (const bytes of formats.writeConllu(formats.readConllu(CONLLU))) written.push(bytes)
  assert.equal(Buffer.concat(written).toString(), CONLLU)
  assert.deepEqual((await formats.align({ text: 'a' }, { text: 'A' })).toReference, [0])
})
