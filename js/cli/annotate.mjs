// onenlp annotate: texts, CoNLL-U or JSON Lines in, annotations out.

import { existsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'

import { errorFromJSON } from '../core/errors.js'
import { renumbered } from '../formats/renumber.js'
import { UsageError, choice, count, readArgs } from './args.mjs'
import { blocksOf } from './blocks.mjs'
import { Output, modelsOption, openPipeline, readInputFile, sayError, withoutByteOrderMark } from './files.mjs'
import { onInterrupt } from './interrupt.mjs'
import { Progress } from './progress.mjs'
import { Workers } from './workers.mjs'

const MAX_JOBS = 256

const command = {
  usage: 'annotate [OPTION...] [INPUT...]',
  description:
    'Annotates each INPUT and writes the annotations to standard output. An INPUT is a file, \'-\' for standard ' +
    'input, or a text; without any, standard input is read. Text is UTF-8; an empty line ends a paragraph. CoNLL-U ' +
    'keeps its tokens, sentences, comments and MISC; the pipeline\'s columns are filled in. A line of JSON Lines is a ' +
    'text of its own. An input that fails is ' +
    'told on standard error, and the next one follows.',
  options: {
    model: { short: 'm', value: 'FILE', help: 'The pipeline file (in a checkout by default models/en.onenlp).' },
    models: modelsOption,
    output: { short: 'o', value: 'FORMAT', help: 'conllu (the default), json (an object for each input, with all columns) or jsonl (the same with text, tokens, entities, spans and cats alone).' },
    input: { short: 'i', value: 'FORMAT', help: 'auto (the default: files named *.conllu are CoNLL-U, *.jsonl JSON Lines, everything else is text), text, conllu or jsonl.' },
    text: { short: 't', help: 'Each INPUT is a text, whatever it looks like.' },
    out: { value: 'FILE', help: 'Write to this file instead of standard output; it appears when it is complete.' },
    components: { short: 'c', value: 'NAMES', help: 'Run only these components, by name, separated by commas.' },
    jobs: { short: 'j', value: 'N', help: 'Worker threads, 1 by default; 0 for one a processor. The output does not depend on it. They share out inputs, paragraphs of a text (for conllu) and lines of JSON Lines.' },
    quiet: { short: 'q', help: 'No progress bar (there is none anyway unless standard error is a terminal).' },
  },
}

/** What an operand is: { name, text } or { name } for a file. */
function readOperand(operand, textOnly) {
  if (textOnly) return { name: null, text: operand }
  if (operand === '-' || existsSync(operand)) return { name: operand }
  // A file name with a slip in it must not become a text.
  if (!/\s/.test(operand) && /\/|\\|\.[a-z]\w{0,7}$/i.test(operand)) return { name: operand }
  return { name: null, text: operand }
}

/** The bytes of an input, and what they are. */
async function contentOf({ name, text }, kind) {
  if (text !== undefined) return { bytes: Buffer.from(text), kind: kind === 'auto' ? 'text' : kind }
  const [, ending] = name.match(/\.(conll|conllu|jsonl)$/) ?? []
  const found = ending === undefined ? 'text' : ending === 'jsonl' ? 'jsonl' : 'conllu'
  return { bytes: withoutByteOrderMark(await readInputFile(name)), kind: kind === 'auto' ? found : kind }
}

/** The sum of the inputs' sizes, 0 where it is not known. */
function sizeOf(inputs) {
  let total = 0
  for (const { name, text } of inputs) {
    if (name === '-') return 0
    total += text === undefined ? statSync(name, { throwIfNoEntry: false })?.size ?? 0 : Buffer.byteLength(text)
  }
  return total
}

/** Says what is wrong with an input; `bytes` is null where it could not be read. */
const sayInputError = (error, input, bytes) => sayError(error, error.code === 'IO' ? null : input.name, bytes)

/** One input after another, in this thread. */
async function annotateHere(nlp, inputs, { kind, output, components }, out, progress) {
  let code = 0
  for (const input of inputs) {
    if (out.closed) break
    let bytes = null
    try {
      const content = await contentOf(input, kind)
      bytes = content.bytes
      let last = { total: 0, words: 0 }
      const onProgress = (now) => progress.update((last = now))
      const asked = content.kind === 'text' ? bytes : { [content.kind]: bytes }
      for (const piece of nlp.write(asked, { output, components, onProgress })) {
        await out.write(piece)
        if (out.closed) break
      }
      progress.next(last)
    } catch (error) {
      progress.clear()
      code = sayInputError(error, input, bytes)
    }
  }
  return code
}

/** Lines of a block are lines of its input. */
function ofInput(json, line) {
  if (json.code !== 'DATA_FORMAT' || line === 0) return errorFromJSON(json)
  const position = json.position + line
  return errorFromJSON({ ...json, position, message: json.message.replace(/^line \d+/, `line ${position}`) })
}

const sentencesIn = (conllu) => (conllu.match(/^# sent_id = /gm) ?? []).length

/** Blocks of all inputs on all workers; their output in order. */
async function annotateByWorkers(workers, inputs, { kind, output }, out, progress) {
  let code = 0
  const running = []

  const writeNext = async () => {
    const { input, block, result } = running.shift()
    const { pieces, words, error } = await result.catch((error) => ({ pieces: [], words: 0, error: error.toJSON() }))
    if (input.failed || out.closed) return
    for (const piece of pieces) {
      // Sentences that are made (and not given) are numbered from 1 on in each block.
      if (output !== 'conllu' || block.kind === 'conllu') {
        await out.write(piece)
        continue
      }
      const conllu = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
      await out.write(Buffer.from(renumbered(conllu, input.sentences), 'latin1'))
      input.counted += sentencesIn(conllu)
    }
    input.sentences = input.counted
    progress.next({ total: block.bytes.length, words })
    progress.update({ done: 0, words: 0 })
    if (!error) return
    input.failed = true
    progress.clear()
    code = sayInputError(ofInput(error, block.line), input, input.bytes)
  }

  for (const operand of inputs) {
    if (out.closed) break
    const input = { ...operand, bytes: null, sentences: 0, counted: 0, failed: false }
    try {
      const content = await contentOf(input, kind)
      input.bytes = content.bytes
      for (const block of blocksOf(input.bytes, content.kind, output)) {
        if (input.failed || out.closed) break
        running.push({ input, block, result: workers.run(block) })
        if (running.length >= workers.count * 2) await writeNext()
      }
    } catch (error) {
      while (running.length > 0) await writeNext()
      progress.clear()
      code = sayInputError(error, input, input.bytes)
    }
  }
  while (running.length > 0 && !out.closed) await writeNext()
  return code
}

export async function run(args) {
  const read = readArgs(command, args)
  if (!read) return 0
  const { values, operands } = read
  const output = choice('output', values.output ?? 'conllu', ['conllu', 'json', 'jsonl'])
  const kind = choice('input', values.input ?? 'auto', ['auto', 'text', 'conllu', 'jsonl'])
  const jobs = count('jobs', values.jobs ?? '1', MAX_JOBS) || Math.min(availableParallelism(), MAX_JOBS)
  const components = values.components?.split(',').filter((name) => name !== '')
  const inputs = (operands.length > 0 ? operands : ['-']).map((operand) => readOperand(operand, values.text && operands.length > 0))

  // JSON is written at a text's end, and until then this thread would not hear of Ctrl-C, with a file to take away.
  const byWorkers = jobs > 1 || (values.out !== undefined && output !== 'conllu')

  const { models } = values
  const opened = await openPipeline(values.model, { keepBytes: byWorkers, models })
  if (!opened) return 1
  const { nlp, file, bytes } = opened
  const unknown = components?.find((name) => !nlp.components.some((component) => component.name === name))
  if (unknown !== undefined) {
    throw new UsageError(`the pipeline has no component '${unknown}'; it has ${nlp.components.map(({ name }) => name).join(' ')}`)
  }

  const options = { kind, output, components }
  const out = new Output(values.out)
  const progress = new Progress(sizeOf(inputs), values.quiet)
  const workers = byWorkers ? new Workers(jobs, { file, bytes, models, output, components }) : null
  const release = byWorkers || values.out !== undefined ? onInterrupt(() => {
    progress.clear()
    out.discard()
  }) : () => {}
  let code
  try {
    code = workers ? await annotateByWorkers(workers, inputs, options, out, progress)
      : await annotateHere(nlp, inputs, options, out, progress)
    progress.clear()
    await out.end(code === 0)
  } catch (error) {
    progress.clear()
    code = sayError(error)
    out.discard()
  } finally {
    release()
    await workers?.close()
  }
  nlp.close()
  return code
}
