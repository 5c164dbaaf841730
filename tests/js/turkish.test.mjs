// The four letters I, ı, İ and i from end to end: a pipeline trained with turkicCase on sentences of our own reads
// capitals that it never saw as the small letters that it did, and gives their lemmas; natively and in the module.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, describe, test } from 'node:test'

import { loadPipeline } from '../../js/node.js'
import { native, temporaryFolder, unless, wasm } from './helpers/runtime.mjs'

const folder = temporaryFolder()

// form/lemma/UPOS; the capitals at the start of sentences teach that case does not matter.
const SENTENCES = [
  'ırmak/ırmak/NOUN aktı/ak/VERB', 'Irmak/ırmak/NOUN aktı/ak/VERB', 'ışık/ışık/NOUN söndü/sön/VERB', 'Işık/ışık/NOUN söndü/sön/VERB',
  'iki/iki/NUM ırmak/ırmak/NOUN aktı/ak/VERB', 'İki/iki/NUM ışık/ışık/NOUN söndü/sön/VERB', 'ısı/ısı/NOUN arttı/art/VERB',
  'Isı/ısı/NOUN arttı/art/VERB', 'ince/ince/ADJ ışık/ışık/NOUN söndü/sön/VERB', 'İnce/ince/ADJ ırmak/ırmak/NOUN aktı/ak/VERB',
  'ılık/ılık/ADJ ısı/ısı/NOUN arttı/art/VERB', 'Ilık/ılık/ADJ ırmak/ırmak/NOUN aktı/ak/VERB', 'İzmir/İzmir/PROPN ılık/ılık/ADJ',
]

const treebank = SENTENCES.map((sentence) => {
  const words = `${sentence} ././PUNCT`.split(' ')
  return `${words.map((word, i) => {
    const [form, lemma, pos] = word.split(/(?<!^)\/(?=.)/)
    return [i + 1, form, lemma, pos, '_', '_', i === 0 ? 0 : 1, i === 0 ? 'root' : 'dep', '_', '_'].join('\t')
  }).join('\n')}\n\n`
}).join('')

function trained(turkicCase) {
  const file = folder.write('tr.conllu', treebank)
  const encoder = { kind: 'fast', settings: { width: 24, depth: 1, seed: 1, normRows: 512, prefixRows: 1, suffixRows: 1, shapeRows: 1, turkicCase } }
  const recipe = {
    pipeline: {
      language: 'tr', tokenizer: { kind: 'uax', data: 'turkish-whole' }, encoders: [encoder],
      components: [
        { name: 'morphologizer', type: 'head', kind: 'morphologizer', encoder: 0 },
        { name: 'lemmatizer', type: 'head', kind: 'lemmatizer', encoder: 0, config: { turkicCase } },
      ],
    },
    data: { train: [file], dev: [file] },
    training: { epochs: 60, evaluateFrom: 60, batchWords: 20, shards: 1, wordDropout: 0, headDropout: 0.1, learningRate: 0.01 },
  }
  const out = folder.path(`tr${turkicCase}.onenlp`)
  const { status, stderr } = spawnSync(native, ['train', folder.write(`tr${turkicCase}.json`, JSON.stringify(recipe)), '--out', out, '-q'])
  assert.equal(status, 0, stderr?.toString())
  return out
}

const CAPITALS = 'IRMAK AKTI. İKİ IŞIK SÖNDÜ. ILIK ISI ARTTI. İNCE IRMAK AKTI. iki ırmak aktı.'

describe('Turkish case', { skip: unless(native, wasm) }, () => {
  let turkic, plain
  before(() => {
    turkic = trained(1)
    plain = trained(0)
  })

  async function annotate(model) {
    const nlp = await loadPipeline(model)
    const conllu = nlp.annotate(CAPITALS).toConllu()
    nlp.close()
    const input = folder.write('in.txt', CAPITALS)
    assert.equal(conllu, spawnSync(native, ['annotate', '-m', model, input], { encoding: 'utf8' }).stdout)
    return conllu.split('\n').filter((line) => /^\d/.test(line)).map((line) => line.split('\t'))
  }

  test('capitals are read as their small letters', async () => {
    const rows = await annotate(turkic)
    const lemmas = rows.map((row) => row[2]).join(' ')
    assert.equal(lemmas, 'ırmak ak . iki ışık sön . ılık ısı art . ince ırmak ak . iki ırmak ak .')
    assert.equal(rows.map((row) => row[3]).join(' '),
      'NOUN VERB PUNCT NUM NOUN VERB PUNCT ADJ NOUN VERB PUNCT ADJ NOUN VERB PUNCT NUM NOUN VERB PUNCT')
  })

  test('the forms stay as they are', async () => {
    assert.equal((await annotate(turkic)).map((row) => row[1]).join(' '), CAPITALS.replaceAll('.', ' .'))
  })

  test('without turkicCase the dotless letter is lost', async () => {
    const lemmas = (await annotate(plain)).map((row) => row[2])
    assert.notEqual(lemmas[1], 'ak') // AKTI, whose ending no class takes off
  })
})
