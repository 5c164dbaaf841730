// onenlp annotate: texts or CoNLL-U in, annotations out.

import { existsSync, statSync } from 'node:fs'

import { UsageError, choice, readArgs } from './args.mjs'
import { Output, openPipeline, readInputFile, sayError, withoutByteOrderMark } from './files.mjs'
import { Progress } from './progress.mjs'

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
    output: { short: 'o', value: 'FORMAT', help: 'conllu (the default), json (an object for each input, with all columns) or jsonl (the same with text, tokens, entities, spans and cats alone).' },
    input: { short: 'i', value: 'FORMAT', help: 'auto (the default: files named *.conllu are CoNLL-U, *.jsonl JSON Lines, everything else is text), text, conllu or jsonl.' },
    text: { short: 't', help: 'Each INPUT is a text, whatever it looks like.' },
    out: { value: 'FILE', help: 'Write to this file instead of standard output; it appears when it is complete.' },
    components: { short: 'c', value: 'NAMES', help: 'Run only these components, by name, separated by commas.' },
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

/** The input as Pipeline.write takes it, and its bytes. */
async function contentOf({ name, text }, kind) {
  const bytes = text === undefined ? withoutByteOrderMark(await readInputFile(name)) : Buffer.from(text)
  const [, ending] = kind === 'auto' && text === undefined ? name.match(/\.(conllu|jsonl)$/) ?? [] : [null, kind]
  return { bytes, content: ending === 'conllu' || ending === 'jsonl' ? { [ending]: bytes } : bytes }
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

export async function run(args) {
  const read = readArgs(command, args)
  if (!read) return 0
  const { values, operands } = read
  const output = choice('output', values.output ?? 'conllu', ['conllu', 'json', 'jsonl'])
  const kind = choice('input', values.input ?? 'auto', ['auto', 'text', 'conllu', 'jsonl'])
  const components = values.components?.split(',').filter((name) => name !== '')
  const inputs = (operands.length > 0 ? operands : ['-']).map((operand) => readOperand(operand, values.text && operands.length > 0))

  const nlp = await openPipeline(values.model)
  if (!nlp) return 1
  const unknown = components?.find((name) => !nlp.components.some((component) => component.name === name))
  if (unknown !== undefined) {
    throw new UsageError(`the pipeline has no component '${unknown}'; it has ${nlp.components.map(({ name }) => name).join(' ')}`)
  }

  const out = new Output(values.out)
  const progress = new Progress(sizeOf(inputs), values.quiet)
  let code = 0
  try {
    for (const input of inputs) {
      if (out.closed) break
      let bytes = null
      try {
        const read = await contentOf(input, kind)
        bytes = read.bytes
        let last = { total: 0, words: 0 }
        const onProgress = (now) => progress.update((last = now))
        for (const piece of nlp.write(read.content, { output, components, onProgress })) {
          await out.write(piece)
          if (out.closed) break
        }
        progress.next(last)
      } catch (error) {
        progress.clear()
        code = sayError(error, error.code === 'IO' ? null : input.name, bytes)
      }
    }
    progress.clear()
    await out.end(code === 0)
  } catch (error) {
    code = sayError(error)
  }
  nlp.close()
  return code
}
