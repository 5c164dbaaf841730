// onenlp convert: one format to another.

import { convert } from '../core/formats.js'
import { choice, readArgs } from './args.mjs'
import { Output, createInstance, readInputFile, sayError } from './files.mjs'

const command = {
  usage: 'convert [OPTION...] [FILE...]',
  description:
    'Reads each FILE (standard input where there is none, or for \'-\') and writes it in another format to standard ' +
    'output. An error names the file, the line and what is wrong there.',
  options: {
    from: { short: 'f', value: 'FORMAT', help: 'conllu or jsonl; by default what the file\'s name ends in, else conllu.' },
    to: { short: 't', value: 'FORMAT', help: 'conllu (the default: checked, and written back as it was), jsonl, text (the text as the file describes it, nothing added, so that the output of \'onenlp annotate\' gives its input back) or treebank-text (a blank between sentences and an empty line between paragraphs, as for an evaluation from raw text).' },
    out: { value: 'FILE', help: 'Write to this file instead of standard output; it appears when it is complete.' },
  },
}

export async function run(args) {
  const read = readArgs(command, args)
  if (!read) return 0
  const { values, operands } = read
  const from = values.from === undefined ? null : choice('from', values.from, ['conllu', 'jsonl'])
  const to = choice('to', values.to ?? 'conllu', ['conllu', 'jsonl', 'text', 'treebank-text'])
  const instance = await createInstance()
  const out = new Output(values.out)
  let code = 0
  try {
    for (const path of operands.length > 0 ? operands : ['-']) {
      if (out.closed) break
      try {
        await out.write(convert(instance, await readInputFile(path), { from: from ?? (path.endsWith('.jsonl') ? 'jsonl' : 'conllu'), to }))
      } catch (error) {
        code = sayError(error, error.code === 'IO' ? null : path)
      }
    }
    await out.end(code === 0)
  } catch (error) {
    code = sayError(error)
  }
  return code
}
