// Doc.toConllu makes CoNLL-U out of the columns; C writes it as it annotates. Both must give the same bytes.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'

import { Doc, loadPipeline } from '../../js/node.js'
import { data, englishModel, unless } from './helpers/runtime.mjs'
import { randomNumbers, randomText } from './helpers/texts.mjs'

describe('CoNLL-U out of columns', { skip: unless(englishModel) }, () => {
  let nlp
  before(async () => {
    nlp = await loadPipeline(englishModel)
  })

  const written = (text, options) => Buffer.concat([...nlp.write(text, options)]).toString()

  test('is what C writes, of random texts with every component', () => {
    const random = randomNumbers(9)
    let ranges = 0
    for (let i = 0; i < 150; i++) {
      const text = randomText(random, 50)
      const doc = nlp.annotate(text)
      ranges += doc.ranges.length
      assert.equal(doc.toConllu(), written(text))
      // It needs nothing but the columns, so it can be made in another thread.
      assert.equal(new Doc(structuredClone(doc.data)).toConllu(), doc.toConllu())
    }
    assert.ok(ranges > 20)
  })

  test('is what C writes, with entities and paragraphs', () => {
    const text = 'Ada Lovelace didn\'t meet Bob in Paris.\n\n"We cannot," said Mr. Brown of Acme Corp.\n\n\n  London  calls. '
    const doc = nlp.annotate(text)
    assert.ok(doc.entities.length > 1)
    assert.match(doc.toConllu(), /NER=B-\w+\n.*NER=I-/)
    assert.equal(doc.toConllu(), written(text))
    assert.equal(nlp.annotate(text, { components: ['tagger'] }).toConllu(), written(text, { components: ['tagger'] }))
  })

  test('"No" between two tokens is told apart from SpacesAfter=No', () => {
    const doc = nlp.annotate('YesNo NoNo No  No\nNo', { components: [] })
    assert.equal(doc.toConllu(), written('YesNo NoNo No  No\nNo', { components: [] }))
  })

  const novel = join(data, 'raw/1342_pride_and_prejudice.txt')
  test('is what C writes, of a novel', { skip: unless(novel) }, () => {
    const text = readFileSync(novel, 'utf8')
    assert.equal(nlp.annotate(text, { components: [] }).toConllu(), written(text, { components: [] }))
  })

  test('components chosen for one text are not those of the next, in whatever order they end', async () => {
    const few = nlp.annotateAsync('The cat sat. '.repeat(400), { components: ['tagger'] })
    assert.ok(nlp.annotate('The cat sat.').tokens.every(({ lemma }) => lemma !== null))
    assert.ok((await few).tokens.every(({ lemma }) => lemma === null))
    for (let i = 0; i < 2; i++) assert.ok(nlp.annotate('The cat sat.').tokens.every(({ lemma }) => lemma !== null))
  })
})
