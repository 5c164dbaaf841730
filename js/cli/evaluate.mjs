// onenlp evaluate: the scores of the CoNLL 2018 shared task.

import { convert, evaluate, evaluateJsonl } from '../core/formats.js'
import { UsageError, readArgs } from './args.mjs'
import { Output, createInstance, modelsOption, openPipeline, readInputFile, sayError } from './files.mjs'
import { Progress } from './progress.mjs'

const command = {
  usage: 'evaluate -m FILE [OPTION...] GOLD\n       onenlp evaluate [--json] GOLD SYSTEM',
  description:
    'Compares the CoNLL-U file GOLD with what a pipeline makes of its raw text (or of its tokens), or with the CoNLL-U ' +
    'file SYSTEM, by the metrics of the CoNLL 2018 shared task. A metric whose column is missing in either is \'-\'. A ' +
    'GOLD named *.jsonl is JSON Lines: entities are scored by exact span and label, categories by accuracy and F1, ' +
    'spans at the pipeline\'s threshold and at the best one.',
  options: {
    model: { short: 'm', value: 'FILE', help: 'The pipeline that annotates the gold file\'s text.' },
    models: modelsOption,
    'gold-tokens': { short: 'g', help: 'Give the pipeline the gold tokens and sentences instead of raw text.' },
    json: { help: 'One JSON object instead of the table.' },
    system: { value: 'FILE', help: 'Also write what the pipeline made of the text, as CoNLL-U.' },
    quiet: { short: 'q', help: 'No progress bar.' },
  },
}

/** What the pipeline makes of the gold file's text, or of its tokens. */
function annotate(nlp, instance, gold, values) {
  const input = values['gold-tokens']
    ? { conllu: gold, keepColumns: false }
    : convert(instance, gold, { to: 'treebank-text' })
  const progress = new Progress(gold.length, values.quiet)
  const pieces = [...nlp.write(input, { onProgress: (now) => progress.update(now) })]
  progress.clear()
  return Buffer.concat(pieces)
}

export async function run(args) {
  const read = readArgs(command, args)
  if (!read) return 0
  const { values, operands } = read
  const { model, system: systemPath } = values
  if (model !== undefined && operands.length !== 1) throw new UsageError(`with -m one gold file is wanted, not ${operands.length}`)
  if (model === undefined && operands.length !== 2) throw new UsageError('want a pipeline (-m FILE) and a gold file, or two files')
  if (model === undefined && (values['gold-tokens'] || systemPath)) throw new UsageError('--gold-tokens and --system need -m')

  const lines = operands[0].endsWith('.jsonl')
  if (lines && systemPath) throw new UsageError('--system is for CoNLL-U (annotate -o jsonl writes JSON Lines)')

  const instance = await createInstance()
  const style = values.json ? 'JSON' : 'TABLE'
  let nlp = null
  try {
    const gold = await readInputFile(operands[0])
    let scores
    if (model === undefined) {
      const system = await readInputFile(operands[1])
      scores = (lines ? evaluateJsonl : evaluate)(instance, gold, system, style)
    } else {
      const opened = await openPipeline(model, { models: values.models })
      if (!opened) return 1
      nlp = opened.nlp
      if (lines) {
        scores = nlp.evaluateJsonlText(gold, style, { goldTokens: values['gold-tokens'] })
      } else {
        const system = annotate(nlp, instance, gold, values)
        if (systemPath !== undefined) await save(systemPath, system)
        scores = evaluate(instance, gold, system, style)
      }
    }
    await new Output().write(scores)
    return 0
  } catch (error) {
    return sayError(error, model !== undefined && error.code !== 'IO' ? operands[0] : null)
  } finally {
    nlp?.close()
  }
}

async function save(path, bytes) {
  const out = new Output(path)
  await out.write(bytes)
  await out.end(true)
}
