// Adversarial inputs at a quarter, a half and a whole megabyte: processor time must grow as the size does.
//
//   node bench/linear.mjs [MEGABYTES]
//
// Times are processor time of the module in Node, so that other work on the machine matters little. The pipeline has
// heads of every sort, narrow (8 numbers a word), so that what is measured is the work around them.

import { pathToFileURL } from 'node:url'

import { convert } from '../js/formats/node.js'
import { loadPipeline } from '../js/node.js'
import { pipelineFile } from './pipeline-file.mjs'

const WIDTH = 8

const encoders = [{ kind: 'hash-embedding', settings: { width: WIDTH, buckets: 64, seed: 1 } }]
const encoderParameters = [['encoder0.embed.weight', [64, WIDTH]], ['encoder0.project.weight', [WIDTH, WIDTH]], ['encoder0.project.bias', [WIDTH]]]
const linear = (name, out, into = WIDTH) => [[`${name}.weight`, [out, into]], [`${name}.bias`, [out]]]
const base = { format: 'onenlp-pipeline', version: 1, language: 'en', tokenizer: { kind: 'uax', data: 'english' }, encoders }
const head = (kind, config) => ({ name: kind, type: 'head', kind, encoder: 0, config })

function wholePipeline() {
  const config = {
    ...base,
    components: [
      { name: 'sentencizer', type: 'builtin', settings: { data: 'english' } },
      head('morphologizer', { labels: ['POS=X', 'POS=NOUN|Number=Sing'] }),
      head('lemmatizer', { labels: ['lM0,0()()', 'rM0,1()(S1:s0:)'] }),
      head('parser', { arcWidth: 4, labelWidth: 4, labels: ['root', 'dep'] }),
      head('ner', { labels: ['A'] }),
      head('textcat', { multi_label: true, hidden: 0, labels: ['a', 'b'] }),
      head('spancat', { spans_key: 's', sizes: [1, 2], threshold: 1, hidden: 0, labels: ['a'] }),
    ],
  }
  return pipelineFile(config, [
    ...encoderParameters, ...linear('head0.output', 2), ...linear('head1.output', 2),
    ...linear('head2.arc_dep', 4), ...linear('head2.arc_head', 4), ...linear('head2.arc', 4, 4), ['head2.arc_root', [4]],
    ...linear('head2.label_dep', 4), ...linear('head2.label_head', 4), ['head2.label_root', [4]],
    ['head2.label_bilinear.weight', [8, 4]], ...linear('head2.label_linear', 2, 8),
    ...linear('head3.output', 5), ...linear('head4.output', 2), ...linear('head5.output', 1, 3 * WIDTH)])
}

/** A pipeline of one head with these labels. */
const labelled = (kind, labels, more = {}) =>
  pipelineFile({ ...base, components: [head(kind, { ...more, labels })] }, [...encoderParameters, ...linear('head0.output', labels.length)])

/** A tree of 64 levels whose innermost node is not like that of any other number. */
function deepTree(number) {
  const inner = `S8:${String(number).padStart(8, '0')}0:`
  let tree = inner
  for (let depth = 63, length = 8; depth > 0; depth--, length++) tree = `M${length},1(${tree})(S1:a0:)`
  return `r${tree}`
}

const nested = (open, close, depth, inside) => open.repeat(depth) + inside + close.repeat(depth)

/** Repeats a text up to so many bytes. */
function filled(piece, bytes) {
  const size = Buffer.byteLength(piece)
  return piece.repeat(Math.max(1, Math.floor(bytes / size)))
}

/** Name: a function that takes a number of bytes and returns the work to be timed. */
export async function linearCases() {
  const nlp = await loadPipeline(wholePipeline())
  const text = (piece) => (bytes) => {
    const input = filled(piece, bytes)
    return () => nlp.annotate(input).toConllu()
  }
  const load = (make) => (bytes) => {
    const file = make(bytes)
    return async () => (await loadPipeline(file)).close()
  }
  const column = '\t_\t_\t_\t_\t_\t_\t_\t_\n'
  return {
    'one letter': text('a'),
    'combining marks': text('\u0301'),
    'opening brackets': text('('),
    'pairs of brackets': text('[]'),
    'emoji joined by ZWJ': text('👩\u200d👩\u200d👧\u200d'),
    'flags': text('🇬🇷'),
    'one endless token of letters, digits and signs': text('a1_b.c-'),
    'an endless address': text('http://a.b/c?d=e&'),
    'newlines': text('\n'),
    'blanks': text(' '),
    'full stops': text('.'),
    'apostrophes': text("'"),
    'abbreviations': text('U.S.'),
    'a paragraph without a sentence mark': text('we went on and saw more of it '),
    'empty lines between letters': text('a\n\n'),
    'CoNLL-U, sentences of 100,000 words': (bytes) => {
      const rows = Math.floor(bytes / 24)
      let conllu = ''
      for (let i = 0; i < rows; i++) conllu += `${(i % 100_000) + 1}\ta${column}${i % 100_000 === 99_999 ? '\n' : ''}`
      return () => convert(conllu, { from: 'conllu', to: 'jsonl' })
    },
    'JSON Lines, one line of tokens': (bytes) => {
      const n = Math.floor(bytes / 20)
      const tokens = Array.from({ length: n }, (_, i) => [2 * i, 2 * i + 1])
      const line = `${JSON.stringify({ text: 'a '.repeat(n), tokens })}\n`
      return () => convert(line, { from: 'jsonl', to: 'conllu' })
    },
    'JSON Lines, nested 16 deep': (bytes) => {
      const line = `{"text": "a", "x": [${filled(`${nested('[', ']', 14, '0')}, `, bytes)}0]}\n`
      return () => convert(line, { from: 'jsonl', to: 'conllu' })
    },
    'a config nested 32 deep': load((bytes) => {
      const config = JSON.stringify({ ...base, components: [] }).slice(0, -1)
      return pipelineFile(`${config}, "x": [${filled(`${nested('[', ']', 30, '0')}, `, bytes)}0]}`, encoderParameters)
    }),
    '10,000 labels at 1 MB': load((bytes) => {
      const count = Math.round((bytes / (1 << 20)) * 10_000)
      return labelled('tagger', Array.from({ length: count }, (_, i) => `label${'x'.repeat(90)}${i}`), { column: 'Tag' })
    }),
    'lemma classes 64 deep': load((bytes) => {
      const size = deepTree(0).length + 3
      return labelled('lemmatizer', Array.from({ length: Math.floor(bytes / size) }, (_, i) => deepTree(i)))
    }),
  }
}

/** Milliseconds of processor time, the least of `repeats` runs. */
export async function processorTime(work, repeats = 2) {
  let least = Infinity
  for (let i = 0; i < repeats; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const megabyte = Number(process.argv[2] ?? 1) * (1 << 20)
  console.log('| input | 1/4 MB | 1/2 MB | 1 MB | 1 MB / 1/4 MB |')
  console.log('|---|---|---|---|---|')
  for (const [name, make] of Object.entries(await linearCases())) {
    await make(megabyte / 64)()  // compiled code
    const times = []
    for (const size of [4, 2, 1]) times.push(await processorTime(make(megabyte / size)))
    console.log(`| ${[name, ...times.map((time) => `${time.toFixed(0)} ms`), (times[2] / times[0]).toFixed(1)].join(' | ')} |`)
  }
}
