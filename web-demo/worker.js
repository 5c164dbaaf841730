// Everything that takes time happens here, off the page's thread: loading a pipeline, annotating,
// whole files, comparing with gold annotation. One request is { id, method, args }; it is answered by
// { id, progress }... and { id, result } or { id, error }, and given up by { cancel: id }.

import { convert, evaluate, evaluateJsonl } from '../js/formats/index.js'
import { OnenlpError, loadPipeline } from '../js/index.js'
import { remember, remembered } from './remember.js'

// A worker's turn between two looks at its messages, in milliseconds.
const TURN = 25
const MEASURE = 1500
// So many documents whose entities differ are handed to the page.
const LINES_SHOWN = 200

/** @type {import('../js/core/pipeline.js').Pipeline | null} */
let nlp = null

function pipeline() {
  if (!nlp) throw new OnenlpError('CLOSED', 'no pipeline is loaded')
  return nlp
}

// Messages are tasks like these, and come in between.
const channel = new MessageChannel()
const waiting = []
channel.port1.onmessage = () => waiting.shift()()
const nextTurn = () => new Promise((resolve) => {
  waiting.push(resolve)
  channel.port2.postMessage(null)
})

/** Calls `step` until it returns false, letting messages in. */
async function inTurns(step, signal) {
  for (let since = performance.now(); step();) {
    if (performance.now() - since < TURN) continue
    await nextTurn()
    if (signal.aborted) throw new OnenlpError('CANCELLED', 'cancelled')
    since = performance.now()
  }
}

/** The annotation of an input in a format, in pieces. */
async function written(input, { signal, components, output = 'conllu', onProgress }) {
  const pieces = []
  const run = pipeline().write(input, { output, components, onProgress })
  try {
    await inTurns(() => {
      const { done, value } = run.next()
      if (!done) pieces.push(value)
      return !done
    }, signal)
  } finally {
    run.return()
  }
  return pieces
}

const joined = async (pieces) => new Uint8Array(await new Blob(pieces).arrayBuffer())

/** At most a few progress reports a second. */
function slowly(report) {
  let last = 0
  return (progress) => {
    const now = performance.now()
    if (now - last < 60) return
    last = now
    report(progress)
  }
}

const COLUMNS = { lemma: 2, upos: 3, xpos: 4, feats: 5, head: 6, deprel: 7, misc: 9 }

/** A document as JSON, with the columns that only its CoNLL-U has: MISC, and those that a file brought along. */
function jsonOf(doc) {
  const json = doc.toJSON()
  const rows = (doc.toConllu() ?? '').split('\n').filter((line) => /^\d+\t/.test(line)).map((line) => line.split('\t'))
  if (rows.length !== json.form.length) return json
  for (const [name, at] of Object.entries(COLUMNS)) {
    if (json[name]) continue
    const values = rows.map((row) => (row[at] === '_' ? null : name === 'head' ? Number(row[at]) : row[at]))
    if (values.some((value) => value !== null)) json[name] = values
  }
  return json
}

const methods = {
  async load({ url, file, keep }, { signal, onProgress }) {
    const start = performance.now()
    const source = url ? new URL(url, import.meta.url).href : file
    const cached = url ? await remembered(source).catch(() => null) : null
    const report = slowly((progress) => onProgress(cached ? { ...progress, source: 'cache' } : progress))
    const loaded = await loadPipeline(cached ?? source, { signal, onProgress: report })
    const seconds = (performance.now() - start) / 1000
    nlp?.close()
    nlp = loaded
    let kept = false
    if (keep) kept = await remember(source, file ?? null).catch(() => false)
    const { size, values } = loaded.inspect()
    return {
      language: loaded.language,
      metadata: { ...loaded.metadata },
      components: loaded.components.map(({ name, kind }) => ({ name, kind, labels: loaded.labels(name) })),
      size, values, seconds, kept,
      memory: loaded.memoryUsed,
      module: performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.wasm'))?.decodedBodySize || null,
    }
  },

  async annotate({ text, components }, { signal }) {
    const start = performance.now()
    const doc = await pipeline().annotateAsync(text, { signal, components })
    const ms = performance.now() - start
    return { json: jsonOf(doc), conllu: doc.toConllu(), ms, words: doc.length, memory: pipeline().memoryUsed }
  },

  /** The annotation that a file has already. */
  async look({ file, format }, { signal, onProgress }) {
    if (format === 'jsonl') {
      for (const line of (await file.text()).split('\n')) if (line.trim() !== '') return { json: readLine(line, 1), conllu: '' }
      throw new OnenlpError('DATA_FORMAT', 'the file has no line', { position: 1 })
    }
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (format === 'text') return { text: new TextDecoder().decode(bytes) }
    const doc = await pipeline().annotateAsync({ conllu: bytes }, { components: [], signal, onProgress: slowly(onProgress) })
    return { json: jsonOf(doc), conllu: doc.toConllu() }
  },

  async annotateFile({ file, format, output, components }, { signal, onProgress }) {
    const report = slowly(onProgress)
    const start = performance.now()
    const bytes = new Uint8Array(await file.arrayBuffer())
    let words = 0
    const pieces = await written(format === 'text' ? bytes : { [format]: bytes }, { signal, components, output, onProgress: (now) => {
      words = now.words
      report(now)
    } })
    return { blob: new Blob(pieces, { type: 'text/plain' }), words, ms: performance.now() - start }
  },

  /** What the pipeline makes of a gold file, beside the gold annotation, with scores. */
  async compare({ file, tokens, components }, { signal, onProgress }) {
    const gold = new Uint8Array(await file.arrayBuffer())
    const report = slowly(onProgress)
    const start = performance.now()
    const input = tokens === 'gold' ? { conllu: gold, keepColumns: false } : await convert(gold, { to: 'treebank-text' })
    let words = 0
    const system = await joined(await written(input, { signal, components, onProgress: (now) => {
      words = now.words
      report(now)
    } }))
    const ms = performance.now() - start
    const scores = await evaluate(gold, system)
    const asJson = async (conllu) => jsonOf(await pipeline().annotateAsync({ conllu }, { components: [], signal }))
    return { scores, gold: await asJson(gold), predicted: await asJson(system), system: new Blob([system]), words, ms }
  },

  /** The same for JSON Lines: entities, categories and spans. */
  async compareLines({ file, components }, { signal, onProgress }) {
    const gold = new Uint8Array(await file.arrayBuffer())
    const report = slowly(onProgress)
    const start = performance.now()
    let words = 0
    const system = await joined(await written({ jsonl: gold }, { signal, components, output: 'jsonl', onProgress: (now) => {
      words = now.words
      report(now)
    } }))
    const ms = performance.now() - start
    const scores = await evaluateJsonl(gold, system)
    const linesOf = (bytes) => new TextDecoder().decode(bytes).split('\n').filter((line) => line.trim() !== '')
    const predicted = linesOf(system)
    const triples = (list) => JSON.stringify((list ?? []).toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
    const differing = []
    let count = 0
    // Every line was read and checked by then.
    for (const [i, line] of linesOf(gold).entries()) {
      const pair = [JSON.parse(line), JSON.parse(predicted[i])]
      if (!pair[0].entities || triples(pair[0].entities) === triples(pair[1].entities)) continue
      count++
      if (differing.length < LINES_SHOWN) differing.push({ number: i + 1, pair })
    }
    return { scores, differing, count, documents: predicted.length, system: new Blob([system]), words, ms }
  },

  /** Sustained speed: the same text again and again. */
  async measure({ text, components }, { signal }) {
    pipeline().annotate(text, { components })
    let words = 0
    let runs = 0
    const start = performance.now()
    await inTurns(() => {
      words += pipeline().annotate(text, { components }).length
      runs++
      return performance.now() - start < MEASURE
    }, signal)
    const ms = performance.now() - start
    return { words, runs, ms, memory: pipeline().memoryUsed }
  },
}

function readLine(line, number) {
  let value
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new OnenlpError('DATA_FORMAT', `line ${number}: ${cause.message}`, { position: number })
  }
  if (typeof value?.text !== 'string') throw new OnenlpError('DATA_FORMAT', `line ${number}: there is no text`, { position: number })
  return value
}

const running = new Map()

onmessage = async ({ data }) => {
  if (data.cancel !== undefined) return running.get(data.cancel)?.abort()
  const { id, method, args } = data
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const onProgress = (progress) => postMessage({ id, progress })
    const result = await methods[method](args, { signal: controller.signal, onProgress })
    postMessage({ id, result })
  } catch (error) {
    const { code = 'INTERNAL', message = String(error), position = null } = error ?? {}
    postMessage({ id, error: { code, message, position } })
  } finally {
    running.delete(id)
  }
}
