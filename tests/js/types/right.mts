// Every public name in a strict program. Compiled, never run.

import { Doc, OnenlpError, Pipeline, Pool, createPool, loadPipeline } from 'onenlp'
import type {
  AnnotateOptions, AnnotateProgress, AsyncAnnotateOptions, CacheStore, Component, DocData, DocJSON, EncoderFile, EncoderFiles, ErrorCode, GivenToken, Input, LoadOptions,
  LoadProgress, OnnxEngine, OnnxInput, OnnxModel, OnnxSession, PipelineSource, PoolOptions, Range, Sentence, Span, Token, WasmSource, WorkerThread, WriteOptions,
} from 'onenlp'
import {
  align, convert, convertStream, evaluate, evaluateJsonl, readConllu, readJsonl, writeConllu, writeJsonl,
} from 'onenlp/formats'
import type {
  Alignment, ConlluSentence, Content, FormatOptions, InputFormat, JsonDocument, Labelled, Metric, OutputFormat, ReadJsonlOptions, Score,
  StreamOptions, WritableDocument,
} from 'onenlp/formats'

import { onnxruntimeNode } from 'onenlp/onnxruntime-node'
import { onnxruntimeWeb } from 'onenlp/onnxruntime-web'
import type { OnnxruntimeOptions } from 'onenlp/onnxruntime-web'

const onProgress = ({ loaded, total, source }: LoadProgress) => console.log(loaded, total ?? 'unknown', source === 'network')
const load: LoadOptions = { onProgress, signal: new AbortController().signal, wasm: new Uint8Array(), maxMemory: 1 << 28, relaxed: false, sha256: '00', cache: true }
const store: CacheStore = {
  match: async () => undefined,
  put: async (url, response) => console.log(url, response.status),
  delete: async () => true,
}
const caching: LoadOptions[] = [{ cache: 'mine' }, { cache: await caches.open('mine') }, { cache: store }]
const sources: PipelineSource[] = [
  'en.onenlp', new URL('https://example.org/en.onenlp'), fetch('x'), new Response(), new Blob(), new ReadableStream<Uint8Array>(),
  new Uint8Array(), new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), Promise.resolve(new Uint8Array()),
]
const model: EncoderFile = fetch('minilm.onnx')
const files: EncoderFiles[] = [
  { 'minilm.onnx': model }, new Map([['minilm.onnx', model]]), (name, { beside }) => (beside ? null : new URL(name, 'https://example.org/')),
]
const ones = ({ data, dims }: OnnxInput) => ({ data: new Float32Array(data.length), dims: [...dims, 1] })
const session: OnnxSession = {
  inputNames: ['input_ids'], outputNames: ['last_hidden_state'], run: async ({ input_ids }) => ({ last_hidden_state: ones(input_ids!) }), release() {},
}
const own: OnnxEngine = { open: async ({ name, path, bytes }: OnnxModel) => (console.log(name, path ?? (await bytes()).length), session) }
const engineOptions: OnnxruntimeOptions = { ort: {}, executionProviders: ['wasm'] }
const engines: LoadOptions[] = [{ engine: own }, { engine: onnxruntimeWeb(engineOptions) }, { engine: onnxruntimeNode() }]
const modules: WasmSource[] = [fetch('x'), 'onenlp.wasm', new URL('https://example.org/'), new ArrayBuffer(8)]

async function program(): Promise<void> {
  using nlp: Pipeline = await loadPipeline(sources[0]!, { ...load, ...engines[0], wasm: modules[0], files: files[0] })
  const text: string = `${nlp.language} ${nlp.metadata['name'] ?? ''} ${nlp.closed} ${nlp.memoryUsed}`
  const component: Component | undefined = nlp.components[0]
  const labels: string[] = nlp.labels(component?.name ?? 'tagger')
  console.log(text, labels, nlp.inspect()['config'], nlp.inspectText(), nlp.inspectText('JSON'))
  nlp.verifyFiles()

  const token: GivenToken = { form: "don't", spaceAfter: false, words: ['do', "n't"] }
  const inputs: Input[] = ['text', new Uint8Array(), { text: 'text' }, { tokens: ['a', token] }, { tokens: [['a'], [token]] },
    { conllu: '', keepColumns: false }]
  const options: AnnotateOptions = { components: ['tagger'] }
  const doc: Doc = nlp.annotate(inputs[0]!, options)
  const progress = ({ done, total, words }: AnnotateProgress) => console.log(done / total, words)
  const slow: AsyncAnnotateOptions = { ...options, signal: AbortSignal.timeout(1000), onProgress: progress }
  const later: Doc = await nlp.annotateAsync('text', slow)
  for await (const each of nlp.pipe(inputs, options)) console.log(each.length)
  const write: WriteOptions = { output: 'jsonl', onProgress: progress }
  console.log(nlp.evaluateJsonl('{}', { goldTokens: true })['entities'], nlp.evaluateJsonlText('', 'TABLE'))
  for (const bytes of nlp.write({ jsonl: '{}' })) console.log(bytes)
  for (const bytes of nlp.write('text', write)) console.log(bytes.length)

  const first: Token = doc.tokens[0]!
  const strings: (string | null)[] = [first.form, first.text, first.lemma, first.upos, first.xpos, first.feats, first.deprel]
  const numbers: (number | null)[] = [first.index, first.id, first.start, first.end, first.head]
  const head: Token | null = first.headToken
  const sentence: Sentence = head?.sentence ?? doc.sentences[doc.sentenceIndexOf(0)]!
  const range: Range | undefined = doc.ranges[0]
  const spans: Span[] = [...doc.entities, ...(doc.spans['events'] ?? [])]
  console.log(strings, numbers, sentence.tokens, sentence.first, sentence.last, range?.form, spans.map(({ label, score, text }) => [label, score, text]))
  console.log(Object.entries(doc.cats).map(([label, score]) => `${label} ${score ?? '-'}`), later.toConllu(), doc.text)
  const json: DocJSON = doc.toJSON()
  const data: DocData = structuredClone(doc.data)
  console.log(json.upos?.[0], json.entities?.[0]?.[2], new Doc(data).data.start[0], data.entities?.score[0], data.units?.last[0])
  nlp.close()

  const { cache, sha256, ...poolLoad } = load
  console.log(caching, cache, sha256)
  const poolOptions: PoolOptions = { ...poolLoad, size: 2, worker: () => new Worker('x') }
  const thread: WorkerThread = { postMessage: () => {}, on: () => {}, terminate: () => {} }
  const threadOptions: PoolOptions = { worker: () => thread }
  console.log(threadOptions.worker)
  await using pool: Pool = await createPool('en.onenlp', poolOptions)
  console.log(pool.size, pool.language, pool.metadata, pool.components, pool.closed, (await pool.annotate('x', slow)).length)
  for await (const each of pool.pipe(['a', 'b'], { onError: (error: OnenlpError, index: number) => console.log(error.code, index) })) {
    console.log(each.text)
  }
  await pool.close()

  const formats: FormatOptions = { wasm: new ArrayBuffer(8) }
  const converted: string = await convert('', { ...formats, from: 'conllu', to: 'text' })
  console.log((await evaluateJsonl('', await convert('', { from: 'jsonl', to: 'jsonl' })))['entities'])
  const scores: Record<Metric, Score | null> = await evaluate(converted, new Uint8Array(), formats)
  console.log(scores.UPOS?.f1, scores.LAS?.alignedAccuracy, scores.LAS?.gold, scores.LAS?.system, scores.LAS?.correct, scores.LAS?.aligned)

  const from: InputFormat = 'jsonl'
  const to: OutputFormat = 'treebank-text'
  const streaming: StreamOptions = { ...formats, signal: AbortSignal.timeout(1000) }
  const contents: Content[] = [
    'text', new Uint8Array(), new ArrayBuffer(8), new Blob(), new Response(), fetch('x'), new ReadableStream<Uint8Array>(), ['a', new Uint8Array()],
  ]
  for await (const bytes of convertStream(contents[0]!, { ...streaming, from, to })) console.log(bytes.length)
  const skip: ReadJsonlOptions = { ...streaming, misaligned: 'skip' }
  async function* change(): AsyncGenerator<WritableDocument> {
    for await (const { text, tokens, entities = [], cats, spans, ...others } of readJsonl(contents[1]!, skip)) {
      const labelled: Labelled[] = [...entities, [0, 1, 'X'], ...Object.values(spans ?? {}).flat()]
      const document: JsonDocument = { text, tokens, entities: labelled, cats: { ...cats, mine: 1 }, id: others['id'] }
      yield document
    }
    yield { text: 'only a text' }
    yield doc
    yield doc.toJSON()
  }
  for await (const bytes of writeJsonl(change(), streaming)) console.log(bytes)
  const sentences: ConlluSentence[] = []
  for await (const sentence of readConllu(contents[2]!, streaming)) sentences.push(sentence)
  for (const { form, lemma, upos, xpos, feats, head, deprel, deps, misc, comments, range_lines, empty_lines } of sentences) {
    console.log(form[0]?.length, lemma[0] ?? upos[0] ?? xpos[0] ?? feats[0] ?? deprel[0] ?? deps[0] ?? misc[0], head[0])
    console.log(comments?.length, range_lines?.length, empty_lines?.length)
  }
  for await (const bytes of writeConllu(sentences)) console.log(bytes)
  const alignment: Alignment = await align(doc, sentences[0]!, formats)
  console.log(alignment.toReference, alignment.toPredicted[0], alignment.overlaps[0]?.[1], alignment.head, alignment.entities?.[0]?.[2])
  console.log(alignment.spans?.['events'], alignment.get(sentences[0]!.upos)[0]?.length)
}

program().catch((error: unknown) => {
  if (!(error instanceof OnenlpError)) throw error
  const code: ErrorCode = error.code
  console.error(code, error.position, error.message, error.help, error.toJSON())
})
console.log(new OnenlpError('LIMIT', 'mine', { position: 1, cause: null }).name)
