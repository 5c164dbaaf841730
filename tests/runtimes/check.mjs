// What must hold in every runtime: the same assertions, without any module of a runtime.

function same(actual, expected, what) {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value))
  if (a !== b) throw new Error(`${what}: ${a}, want ${b}`)
}

async function fails(action, code, what) {
  try {
    await (typeof action === 'function' ? action() : action)
  } catch (error) {
    return same([error.name, error.code], ['OnenlpError', code], what)
  }
  throw new Error(`${what}: nothing was thrown, want ${code}`)
}

async function listOf(iterable) {
  const list = []
  for await (const each of iterable) list.push(each)
  return list
}

const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

export const TEXT = 'Ada 😀 didn\'t meet Bob.\n\nShe left.'

// Long enough that there is something to cancel.
const LONG = 'The cat saw the dogs near a house. '.repeat(2000)

/**
 * @param {object} onenlp what `onenlp` exports
 * @param {object} formats what `onenlp/formats` exports
 * @param {Uint8Array} file a pipeline file
 * @param {{ pool: boolean, worker?: () => unknown, wasm?: unknown }} has whether there are workers; one that runs
 *     `onenlp/worker`; the module, where it has to be named
 * @returns {Promise<string>} the annotation as CoNLL-U, to be compared between the runtimes
 */
export async function check(onenlp, formats, file, { pool: hasPool, worker, wasm }) {
  const { Doc, OnenlpError, createPool, loadPipeline } = onenlp
  const sha256 = hexOf(await crypto.subtle.digest('SHA-256', file))
  const seen = []
  const nlp = await loadPipeline(file, { wasm, sha256, onProgress: (progress) => seen.push(progress) })
  same(seen[0], { loaded: 0, total: file.length, source: 'memory' }, 'first progress')
  same(seen.at(-1), { loaded: file.length, total: file.length, source: 'memory' }, 'last progress')
  same([nlp.language, nlp.metadata.licence], ['en', 'MIT'], 'about')
  same(nlp.inspect().config.language, 'en', 'inspect')

  const doc = nlp.annotate(TEXT)
  same(doc.tokens.map(({ form }) => form), ['Ada', '😀', 'did', 'n\'t', 'meet', 'Bob', '.', 'She', 'left', '.'], 'forms')
  same(doc.tokens.map(({ start, end }) => TEXT.slice(start, end)), doc.tokens.map(({ text }) => text), 'offsets')
  same(doc.tokens.every(({ lemma, upos, xpos, head, deprel }) => lemma && upos && xpos && head !== null && deprel), true, 'columns')
  same(doc.sentences.map(({ text }) => text), ['Ada 😀 didn\'t meet Bob.', 'She left.'], 'sentences')
  same(doc.ranges.map(({ form }) => form), ['didn\'t'], 'ranges')
  same(JSON.parse(JSON.stringify(doc)).text, TEXT, 'JSON')
  same(new Doc(structuredClone(doc.data)).toConllu(), doc.toConllu(), 'columns that were copied')
  same(nlp.annotate({ conllu: doc.toConllu() }).length, 10, 'CoNLL-U')
  same(nlp.annotate({ tokens: [['It', 'works', '.']] }).tokens.map(({ form }) => form), ['It', 'works', '.'], 'tokens')
  same(nlp.annotate(TEXT, { components: ['tagger'] }).tokens[0].head, null, 'components')
  const progress = []
  same((await nlp.annotateAsync(TEXT, { onProgress: ({ words }) => progress.push(words) })).toConllu(), doc.toConllu(), 'annotateAsync')
  same(progress.at(-1), 10, 'progress of annotateAsync')
  same((await listOf(nlp.pipe(['One.', 'Two.']))).map(({ text }) => text), ['One.', 'Two.'], 'pipe')
  const written = [...nlp.write(TEXT)].map((bytes) => new TextDecoder().decode(bytes)).join('')
  same(written, doc.toConllu(), 'write')

  const fromResponse = await loadPipeline(new Response(file), { wasm })
  same(fromResponse.annotate(TEXT).toConllu(), doc.toConllu(), 'from a Response')
  fromResponse.close()
  const fromStream = await loadPipeline(new Blob([file]).stream(), { wasm, maxMemory: 1 << 23 })
  same(fromStream.annotate(TEXT).toConllu(), doc.toConllu(), 'from a stream')
  await fails(() => fromStream.annotate('word '.repeat(1 << 20)), 'OUT_OF_MEMORY', 'maxMemory')
  same(fromStream.annotate(TEXT).toConllu(), doc.toConllu(), 'after OUT_OF_MEMORY')
  fromStream.close()

  same(await formats.convert(doc.toConllu(), { to: 'text', wasm }), TEXT, 'convert')
  same((await formats.evaluate(doc.toConllu(), doc.toConllu(), { wasm })).LAS.f1, 1, 'evaluate')

  const sentences = await listOf(formats.readConllu(new Blob([doc.toConllu()]), { wasm }))
  same(sentences.map(({ form }) => form.length), [7, 3], 'readConllu')
  same(await new Blob(await listOf(formats.writeConllu(sentences, { wasm }))).text(), doc.toConllu(), 'writeConllu')
  same((await listOf(formats.readJsonl('{"text": "Ada met Bob."}', { wasm }))).map(({ text }) => text), ['Ada met Bob.'], 'readJsonl')
  same((await formats.align({ text: 'Go !', tokens: [[0, 2], [3, 4]] }, { text: 'Go!', tokens: [[0, 2], [2, 3]] }, { wasm })).toReference, [0, 1], 'align')

  await fails(loadPipeline(new Uint8Array(10), { wasm }), 'INVALID_DATA', 'a file that is none')
  await fails(loadPipeline(file, { wasm, sha256: '0'.repeat(64) }), 'INVALID_DATA', 'another SHA-256')
  await fails(loadPipeline(file, { wasm, signal: AbortSignal.abort() }), 'CANCELLED', 'a signal')
  await fails(loadPipeline(7, { wasm }), 'INVALID_ARGUMENT', 'a source that is none')
  await fails(formats.convert('x', { wasm }), 'DATA_FORMAT', 'CoNLL-U that is none')
  await fails(() => nlp.annotate(Uint8Array.of(65, 255)), 'INVALID_UTF8', 'bytes that are no text')
  const controller = new AbortController()
  await fails(nlp.annotateAsync(LONG, { signal: controller.signal, onProgress: () => controller.abort() }), 'CANCELLED', 'annotateAsync')
  const { position, help } = await formats.convert('1\tx\n', { wasm }).catch((error) => error)
  same([position, help], [1, 'onenlp/docs/javascript.md#data-format'], 'what an error tells')

  if (hasPool) {
    await checkPool(await createPool(file, { size: 2, wasm, worker }), doc)
  } else {
    await fails(createPool(file), 'NO_WORKERS', 'pool')
  }

  nlp.close()
  nlp.close()
  await fails(() => nlp.annotate('x'), 'CLOSED', 'after close')
  same(doc.tokens[0].form, 'Ada', 'a document after close')
  same(new OnenlpError('LIMIT', 'x') instanceof Error, true, 'the class')
  return doc.toConllu()
}

async function checkPool(pool, doc) {
  const texts = [TEXT, 'Two.', 'Three.', 'Four.', 'Five.', 'Six.']
  same((await listOf(pool.pipe(texts))).map(({ text }) => text), texts, 'pool')
  same((await pool.annotate(TEXT)).toConllu(), doc.toConllu(), 'pool.annotate')
  const errors = []
  const others = await listOf(pool.pipe(['One.', 7, 'Two.'], { onError: ({ code }, index) => errors.push([index, code]) }))
  same([others.map(({ text }) => text), errors], [['One.', 'Two.'], [[1, 'INVALID_ARGUMENT']]], 'an error of one document')
  await fails(pool.annotate(Uint8Array.of(65, 255)), 'INVALID_UTF8', 'an error of a worker')
  const controller = new AbortController()
  await fails(pool.annotate(LONG, { signal: controller.signal, onProgress: () => controller.abort() }), 'CANCELLED', 'pool.annotate')
  same((await pool.annotate('It works.')).text, 'It works.', 'after an error')
  const late = pool.annotate(LONG)
  const closing = pool.close()
  await fails(late, 'CLOSED', 'what was not done')
  await closing
  await pool.close()
  await fails(pool.annotate('x'), 'CLOSED', 'a closed pool')
}
