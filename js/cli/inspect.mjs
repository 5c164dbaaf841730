// onenlp inspect: what a pipeline file holds.

import { UsageError, readArgs } from './args.mjs'
import { Output, modelsOption, openPipeline, sayError } from './files.mjs'

const command = {
  usage: 'inspect [OPTION...] FILE',
  description:
    'Loads a pipeline file, which checks all of it, and shows its language, tokenizer, encoders, components, labels, ' +
    'tensors, sizes and metadata.',
  options: {
    json: { help: 'One JSON object: config, tensors, sizes, metadata.' },
    models: modelsOption,
    verify: { help: 'Compare the encoder files with the SHA-256 that the pipeline gives for them.' },
  },
}

export async function run(args) {
  const read = readArgs(command, args)
  if (!read) return 0
  const { values, operands } = read
  if (operands.length !== 1) throw new UsageError(`one pipeline file is wanted, not ${operands.length}`)
  const opened = await openPipeline(operands[0], { models: values.models })
  if (!opened) return 1
  const { nlp } = opened
  try {
    if (values.verify) nlp.verifyFiles()
    await new Output().write(nlp.inspectText(values.json ? 'JSON' : 'TABLE'))
    return 0
  } catch (error) {
    return sayError(error, operands[0])
  } finally {
    nlp.close()
  }
}
