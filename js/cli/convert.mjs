// onenlp convert: one format to another, one storage of a pipeline to another.

import { compact } from '../core/formats.js'
import { convertPieces } from '../formats/stream.js'
import { UsageError, choice, readArgs } from './args.mjs'
import { Output, createInstance, readInputFile, readInputPieces, sayError } from './files.mjs'
import { onInterrupt } from './interrupt.mjs'

const command = {
  usage: 'convert [OPTION...] [FILE...]',
  description:
    'Reads each FILE (standard input where there is none, or for \'-\') and writes it in another format to standard ' +
    'output, sentence by sentence, so that it may be of any size. An error names the file, the line and what is wrong ' +
    'there.',
  options: {
    from: { short: 'f', value: 'FORMAT', help: 'conllu or jsonl; by default what the file\'s name ends in, else conllu.' },
    to: { short: 't', value: 'FORMAT', help: 'conllu (the default: checked, and written back as it was), jsonl (a sentence a line), text (the text as the file describes it, nothing added, so that the output of \'onenlp annotate\' gives its input back) or treebank-text (a blank between sentences and an empty line between paragraphs, as for an evaluation from raw text).' },
    compact: { short: 'c', value: 'TYPE', help: 'The one FILE is a pipeline: write it with its matrices as f16, as i8 (a byte and a scale per row), or as f32 again.' },
    out: { value: 'FILE', help: 'Write to this file instead of standard output; it appears when it is complete.' },
  },
}

export async function run(args) {
  const read = readArgs(command, args)
  if (!read) return 0
  const { values, operands } = read
  const from = values.from === undefined ? null : choice('from', values.from, ['conllu', 'jsonl'])
  const to = choice('to', values.to ?? 'conllu', ['conllu', 'jsonl', 'text', 'treebank-text'])
  const storage = values.compact === undefined ? null : choice('compact', values.compact, ['f32', 'f16', 'i8'])
  const paths = operands.length > 0 ? operands : ['-']
  if (storage && paths.length !== 1) throw new UsageError('--compact wants one pipeline file')
  if (storage && (values.from ?? values.to) !== undefined) throw new UsageError('--compact goes with no other format')
  const instance = await createInstance()
  const out = new Output(values.out)
  const release = onInterrupt(() => out.discard())
  let code = 0
  try {
    for (const path of paths) {
      if (out.closed) break
      try {
        if (storage) {
          await out.write(compact(instance, await readInputFile(path), storage))
          continue
        }
        const formats = { from: from ?? (path.endsWith('.jsonl') ? 'jsonl' : 'conllu'), to }
        for await (const bytes of convertPieces(() => instance, readInputPieces(path), formats)) {
          await out.write(bytes)
          if (out.closed) break
        }
      } catch (error) {
        code = sayError(error, error.code === 'IO' ? null : path)
      }
    }
    await out.end(code === 0)
  } catch (error) {
    code = sayError(error)
    out.discard()
  } finally {
    release()
  }
  return code
}
