// The text of every treebank is rebuilt from the output, whatever the tokenizer: the language's data set of `uax`, and
// a segmenter and a splitter with arbitrary weights, which put boundaries where no trained one would. The program and
// the module agree.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { withoutByteOrderMark } from '../../js/cli/files.mjs'
import { loadPipeline } from '../../js/node.js'
import { data, native, root, temporaryFolder, unless } from './helpers/runtime.mjs'
import { hardTexts } from './helpers/texts.mjs'
import { tinyConfig, tinyPipeline, tinyTensors } from './helpers/tiny-pipeline.mjs'

const folder = temporaryFolder()
const sets = readdirSync(join(root, 'src/tokenize/data')).map((name) => name.replace(/\.txt$/, ''))

/** A pipeline file that has nothing but this tokenizer and a sentencizer. */
function tokenizerFile(tokenizer) {
  const name = `${tokenizer.kind}-${tokenizer.data ?? ''}.onenlp`
  if (existsSync(folder.path(name))) return folder.path(name)
  const config = tinyConfig((c) => {
    c.tokenizer = tokenizer
    c.components.splice(1)
    c.components[0].settings.data = tokenizer.data ?? 'neutral'
    if (!tokenizer.head) c.encoders = []
  })
  const head = [['head0.output.weight', [2, 8]], ['head0.output.bias', [2]]]
  const tensors = tokenizer.head ? [...tinyTensors.filter(([n]) => n.startsWith('encoder0')), ...head] : []
  return folder.write(name, tinyPipeline({ config, tensors }))
}

const head = { column: 'Tag', labels: ['B', 'I'] }
const trained = {
  segmenter: () => tokenizerFile({ kind: 'segmenter', encoder: 0, head }),
  mwt: () => tokenizerFile({ kind: 'mwt', inner: { kind: 'uax', data: 'neutral' }, encoder: 0, head }),
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(native, args, { maxBuffer: 1 << 30 })
  assert.equal(status, 0, stderr?.toString())
  return stdout
}

function assertRebuilt(model, text) {
  const output = folder.path('out.conllu')
  run('annotate', '-m', model, '-q', '--out', output, text)
  assert.equal(Buffer.compare(run('convert', '--to', 'text', output), readFileSync(text)), 0, `${text} with ${model}`)
}

/** The raw text of the files of a treebank or of a folder of JSON Lines, as one file. */
function rawText(source, of = /\.(conllu|jsonl)$/) {
  const files = readdirSync(source).filter((name) => of.test(name)).map((name) => join(source, name))
  const texts = files.map((file) => {
    if (file.endsWith('.conllu')) return run('convert', '--to', 'treebank-text', file).toString()
    return readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line).text).join('\n\n')
  })
  // A text without a token leaves nothing to hang its white space on.
  return folder.write(`${source.split('/').pop()}.txt`, texts.join('\n\n'))
}

const treebanks = join(data, 'ud')
describe('the text is rebuilt from the output', { skip: unless(native, treebanks) }, () => {
  for (const name of existsSync(treebanks) ? readdirSync(treebanks) : []) {
    const language = name.replace(/^UD_(\w+)-.*/, '$1').toLowerCase()
    const own = sets.filter((set) => set === language || set.startsWith(`${language}-`))
    test(`${name}: ${own.join(', ') || 'neutral'}, segmenter, mwt`, () => {
      const source = join(treebanks, name)
      const text = rawText(source)
      for (const set of own.length > 0 ? own : ['neutral']) assertRebuilt(tokenizerFile({ kind: 'uax', data: set }), text)
      const part = rawText(source, /test\.conllu$/)
      assertRebuilt(trained.segmenter(), part)
      assertRebuilt(trained.mwt(), part)
    })
  }

  for (const name of ['segment/ja-wac', 'ner/uner-zh-gsdsimp'].filter((path) => existsSync(join(data, path)))) {
    test(`${name}: neutral, segmenter`, () => {
      const text = rawText(join(data, name), /(dev|test)\.jsonl$/)
      assertRebuilt(tokenizerFile({ kind: 'uax', data: 'neutral' }), text)
      assertRebuilt(trained.segmenter(), text)
    })
  }
})

/** The surface of WORD·WORD, or of SLICE=FORM·SLICE=FORM, where words that are no pieces have the whole as slice. */
function surfaceOf(expected) {
  if (expected === '·' || !expected.includes('·')) return expected
  const slices = expected.split('·').map((word) => word.replace(/(?<=.)=.*/, ''))
  return slices.every((slice) => slice === slices[0]) ? slices[0] : slices.join('')
}

describe('the module divides the cases of every language as they say', () => {
  for (const set of sets.filter((name) => existsSync(join(root, `tests/tokenize/${name}.txt`)))) {
    test(set, async () => {
      const nlp = await loadPipeline(readFileSync(tokenizerFile({ kind: 'uax', data: set })))
      let cases = 0
      for (const line of readFileSync(join(root, `tests/tokenize/${set}.txt`), 'utf8').split('\n')) {
        const [text, expected] = line.split(' => ')
        if (expected === undefined || text.startsWith('# ') || text.includes('\\')) continue
        const tokens = nlp.annotate(text).toConllu().split('\n').filter((row) => /^\d/.test(row)).map((row) => row.split('\t'))
        const surfaces = []
        let last = 0
        for (const [id, form] of tokens) {
          const range = /^\d+-(\d+)$/.exec(id)
          if (range) last = Number(range[1])
          if (range || Number(id) > last) surfaces.push(form)
        }
        assert.deepEqual(surfaces, expected.split(' ').map(surfaceOf), text)
        cases++
      }
      assert.ok(cases > 0)
      nlp.close()
    })
  }
})

describe('trained tokenizers: the program and the module give the same bytes', { skip: unless(native) }, () => {
  for (const [kind, file] of Object.entries(trained)) {
    test(kind, async () => {
      const nlp = await loadPipeline(readFileSync(file()))
      for (const [name, text] of Object.entries(hardTexts)) {
        const path = folder.write('hard.txt', text)
        const module = Buffer.concat([...nlp.write(withoutByteOrderMark(readFileSync(path)), { output: 'conllu' })])
        assert.equal(Buffer.compare(module, run('annotate', '-m', file(), path)), 0, name)
      }
      nlp.close()
    })
  }
})
