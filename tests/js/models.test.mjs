// The pipelines of models/ that have no test of their own: each loads, gives a known analysis of a text of our own, the same
// natively and in the module, and its output holds the whole text.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { withoutByteOrderMark } from '../../js/cli/files.mjs'
import { loadPipeline } from '../../js/node.js'
import { data, native, root, temporaryFolder, unless } from './helpers/runtime.mjs'
import { hardTexts } from './helpers/texts.mjs'

const folder = temporaryFolder()
const models = join(root, 'models')

// Words as FORM/LEMMA/UPOS/HEAD/RELATION as far as the pipeline has them; entities as LABEL:TEXT; floors of scores from raw
// text by treebank.
const KNOWN = JSON.parse(readFileSync(new URL('models.json', import.meta.url), 'utf8'))

const rows = (conllu) => conllu.split('\n').filter((line) => /^\d+\t/.test(line)).map((line) => line.split('\t'))
const analysis = (conllu) => rows(conllu).map(([, form, lemma, upos, , , head, relation]) =>
  [form, lemma, upos, head, relation].filter((value) => value !== '_').join('/'))

for (const [name, { text, words, entities, floors = {} }] of Object.entries(KNOWN)) {
  const file = join(models, `${name}.onenlp`)
  describe(name, () => {
    test('has a card, and is small', () => {
      assert.ok(statSync(file).size <= 6_000_000)
      const card = readFileSync(join(models, `${name}.md`), 'utf8')
      for (const row of ['file', 'components', 'licence', 'training data', 'recipe', 'command']) assert.match(card, new RegExp(`^\\| ${row} \\|`, 'm'))
    })

    test('gives a known analysis', async () => {
      const nlp = await loadPipeline(file)
      const doc = nlp.annotate(text)
      assert.deepEqual(analysis(doc.toConllu()), words.split(' '))
      if (entities) assert.deepEqual(doc.entities.map(({ label, text }) => `${label}:${text}`), entities)
      nlp.close()
    })

    for (const [treebank, least] of Object.entries(floors)) {
      const gold = join(data, treebank)
      test(`reaches its floors on ${treebank}`, { skip: unless(native, gold) }, () => {
        const { status, stdout } = spawnSync(native, ['evaluate', '--quiet', '--json', '-m', file, gold], { encoding: 'utf8' })
        assert.equal(status, 0)
        const scores = JSON.parse(stdout)
        for (const [metric, floor] of Object.entries(least)) assert.ok(scores[metric].f1 >= floor, `${metric} ${scores[metric].f1}`)
      })
    }

    test('natively and in the module the same bytes, and the text comes back', { skip: unless(native) }, async () => {
      const nlp = await loadPipeline(file)
      for (const [i, input] of [text, ...Object.values(hardTexts)].entries()) {
        const path = folder.write(`${name}${i}.txt`, input)
        for (const output of ['conllu', 'json']) {
          const { status, stdout } = spawnSync(native, ['annotate', '-m', file, '-o', output, path], { maxBuffer: 1 << 28 })
          assert.equal(status, 0)
          const bytes = withoutByteOrderMark(readFileSync(path))
          assert.equal(Buffer.compare(Buffer.concat([...nlp.write(bytes, { output })]), stdout), 0, `${output} of ${path}`)
          if (output === 'json' || !/\S/.test(input)) continue
          const back = spawnSync(native, ['convert', '--to', 'text', folder.write('out.conllu', stdout)], { maxBuffer: 1 << 28 }).stdout
          assert.equal(Buffer.compare(back, bytes), 0, `${path} is rebuilt`)
        }
      }
      nlp.close()
    })
  })
}

test('every pipeline of models/ is tested', () => {
  const shipped = readdirSync(models).filter((file) => file.endsWith('.onenlp')).map((file) => file.replace('.onenlp', ''))
  const elsewhere = new Set(['en', 'en-intents', 'en-small'])
  for (const name of shipped) assert.ok(elsewhere.has(name) || KNOWN[name], `${name} is in tests/js/models.json`)
  assert.ok(existsSync(join(models, 'en.onenlp')))
})
