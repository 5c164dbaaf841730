// onenlp inspect: what a pipeline file holds.

import { UsageError, readArgs } from './args.mjs'
import { Output, openPipeline } from './files.mjs'

const command = {
  usage: 'inspect [OPTION...] FILE',
  description:
    'Loads a pipeline file, which checks all of it, and shows its language, tokenizer, encoders, components, labels, ' +
    'tensors, sizes and metadata.',
  options: { json: { help: 'One JSON object: config, tensors, sizes, metadata.' } },
}

export async function run(args) {
  const read = readArgs(command, args)
  if (!read) return 0
  const { values, operands } = read
  if (operands.length !== 1) throw new UsageError(`one pipeline file is wanted, not ${operands.length}`)
  const opened = await openPipeline(operands[0])
  if (!opened) return 1
  const { nlp } = opened
  await new Output().write(nlp.inspectText(values.json ? 'JSON' : 'TABLE'))
  nlp.close()
  return 0
}
