// What must hold in every runtime: the same assertions, without any module of a runtime.

function same(actual, expected, what) {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value))
  if (a !== b) throw new Error(`${what}: ${a}, want ${b}`)
}

async function fails(promise, code, what) {
  try {
    await promise
  } catch (error) {
    return same([error.name, error.code], ['OnenlpError', code], what)
  }
  throw new Error(`${what}: nothing was thrown, want ${code}`)
}

const TEXT = 'Ada 😀 didn\'t meet Bob.\n\nShe left.'

/**
 * @param {object} onenlp what `onenlp` exports
 * @param {object} formats what `onenlp/formats` exports
 * @param {Uint8Array} file a pipeline file
 * @param {{ pool: boolean }} has whether there are workers
 * @returns {Promise<string>} the annotation as CoNLL-U, to be compared between the runtimes
 */
export async function check(onenlp, formats, file, has) {
  const { OnenlpError, createPool, loadPipeline } = onenlp
  const seen = []
  const nlp = await loadPipeline(file, { onProgress: ({ loaded, source }) => seen.push([loaded, source]) })
  same(seen.at(-1), [file.length, 'memory'], 'progress')
  same([nlp.language, nlp.metadata.licence], ['en', 'MIT'], 'about')

  const doc = nlp.annotate(TEXT)
  same(doc.tokens.map(({ form }) => form), ['Ada', '😀', 'did', 'n\'t', 'meet', 'Bob', '.', 'She', 'left', '.'], 'forms')
  same(doc.tokens.map(({ start, end }) => TEXT.slice(start, end)), doc.tokens.map(({ text }) => text), 'offsets')
  same(doc.sentences.length, 2, 'sentences')
  same(doc.ranges.map(({ form }) => form), ['didn\'t'], 'ranges')
  same(JSON.parse(JSON.stringify(doc)).text, TEXT, 'JSON')
  same((await nlp.annotateAsync(TEXT)).toConllu(), doc.toConllu(), 'annotateAsync')
  same(nlp.annotate({ conllu: doc.toConllu() }).length, 10, 'CoNLL-U')
  const piped = []
  for await (const { text } of nlp.pipe(['One.', 'Two.'])) piped.push(text)
  same(piped, ['One.', 'Two.'], 'pipe')

  const blob = await loadPipeline(new Response(file))
  same(blob.annotate(TEXT).toConllu(), doc.toConllu(), 'from a Response')
  blob.close()
  same(await formats.convert(doc.toConllu(), { to: 'text' }), TEXT, 'formats')

  await fails(loadPipeline(new Uint8Array(10)), 'INVALID_DATA', 'a file that is none')
  await fails(loadPipeline(file, { signal: AbortSignal.abort() }), 'CANCELLED', 'a signal')
  await fails(formats.convert('x'), 'DATA_FORMAT', 'CoNLL-U that is none')
  if (has.pool) {
    const pool = await createPool(file, { size: 2 })
    const texts = []
    for await (const each of pool.pipe([TEXT, 'Two.', 'Three.', 'Four.'])) texts.push(each.text)
    same(texts, [TEXT, 'Two.', 'Three.', 'Four.'], 'pool')
    same((await pool.annotate(TEXT)).toConllu(), doc.toConllu(), 'pool.annotate')
    await fails(pool.annotate(7), 'INVALID_ARGUMENT', 'pool')
    await pool.close()
  } else {
    await fails(createPool(file), 'NO_WORKERS', 'pool')
  }

  nlp.close()
  nlp.close()
  await fails((async () => nlp.annotate('x'))(), 'CLOSED', 'after close')
  same(doc.tokens[0].form, 'Ada', 'a document after close')
  same(new OnenlpError('LIMIT', 'x') instanceof Error, true, 'the class')
  return doc.toConllu()
}
