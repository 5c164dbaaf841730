// A treebank without a recipe: `onenlp train --treebank`, and the data set that the tool proposes. The sentences are
// our own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { propose, readSurfaces, write } from '../../tools/propose-segmentation.mjs'
import { data, native, root, temporaryFolder, unless } from './helpers/runtime.mjs'

const folder = temporaryFolder()

/** CoNLL-U of sentences of surface tokens; "do=de+o" is a range, "l'_" has no blank behind it. */
function conllu(...sentences) {
  return sentences.map((sentence) => {
    let id = 0
    const lines = []
    for (const token of sentence.split(' ')) {
      const space = token.endsWith('_') ? 'SpaceAfter=No' : '_'
      const [form, analysis] = token.replace(/_$/, '').split('=')
      const words = analysis ? analysis.split('+') : [form]
      if (words.length > 1) lines.push(`${id + 1}-${id + words.length}\t${form}\t_\t_\t_\t_\t_\t_\t_\t${space}`)
      words.forEach((word) => {
        id++
        lines.push([id, word, word, 'X', '_', '_', id === 1 ? 0 : 1, id === 1 ? 'root' : 'dep', '_', words.length > 1 ? '_' : space].join('\t'))
      })
    }
    return `${lines.join('\n')}\n\n`
  }).join('')
}

const proposed = (options, ...sentences) => write(propose(readSurfaces(conllu(...sentences)), options), { language: 'xx', include: 'neutral' })

test('contractions are proposed by majority, and where they are whole', () => {
  const text = proposed({ min: 2 }, 'vou do=de+o rio_ .', 'vem do=de+o mar_ .', 'o do fim_ .', 'um des=de+les bois_ .', 'deux des=de+les bois_ .',
    'trois des=de+les bois_ .', 'le son des=de+les bois_ .', 'la fin des=de+les temps_ .', 'le roi des=de+les rois_ .', ...Array(5).fill('avec des amis_ .'))
  assert.match(text, /^do = de o$/m)
  assert.match(text, /^des = de les$/m)
  assert.match(text, /^des = avec$/m)
  assert.doesNotMatch(text, /^vou = /m)
})

test('endings, elisions, clitics and abbreviations are proposed', () => {
  const text = proposed({ min: 2 }, 'viu-se=viu+se ontem_ .', 'tem-se=tem+se frio_ .', "l'_ eau d'_ ici", "l'_ air d'_ eux", "mae_ 'r ci", "yw_ 'r gath",
    'o sr. Silva veio', 'o sr. Costa foi', 'guarda-chuva azul', 'bem-vindo amigo', 'segunda-feira')
  assert.match(text, /^\+-se = \+ se$/m)
  assert.match(text, /^l'\+ d'\+$/m)
  assert.match(text, /^\+'r$/m)
  assert.match(text, /^\[titles\]\nsr\.$/m)
  assert.match(text, /^hyphens on$/m)
})

test('what is proposed compiles', () => {
  const set = folder.write('proposal.txt', proposed({ min: 1 }, 'vou do=de+o rio_ .', "l'_ eau d'_ ici", "l'_ air d'_ eux").replace('include neutral\n', ''))
  const out = folder.write('proposal.c', '')
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/compile-segmentation.mjs'), '--out', out, set], { encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.equal(status, 0)
  assert.match(readFileSync(out, 'utf8'), /\.name = "proposal"/)
})

test('onenlp train --treebank chooses, explains, holds out and trains', { skip: unless(native) }, () => {
  const treebank = folder.path('UD_Welsh-Ours')
  mkdirSync(treebank)
  writeFileSync(join(treebank, 'cy_ours-ud-train.conllu'), conllu(...Array(30).fill("Mae_ 'r ci yn fach_ .")))
  const out = folder.path('cy.onenlp')
  const saved = folder.path('cy.json')
  const train = (...args) => spawnSync(native, ['train', ...args], { encoding: 'utf8' })
  const { status, stderr } = train('--treebank', treebank, '--out', out, '--epochs', '1', '--save-recipe', saved, '-q')
  assert.equal(status, 0, stderr)
  assert.match(stderr, /^data set: welsh; the best one alone finds the dev set's words with F1 100\.00$/m)
  assert.match(stderr, /^dev set: a tenth of train/m)
  const recipe = JSON.parse(readFileSync(saved, 'utf8'))
  assert.equal(recipe.pipeline.language, 'cy')
  assert.deepEqual(recipe.pipeline.tokenizer, { kind: 'uax', data: 'welsh' })
  assert.equal(recipe.data.dev, undefined)
  assert.match(stderr, /^onenlp: .*cy\.onenlp holds epoch 1, the best on dev$/m)
  assert.equal(spawnSync(native, ['inspect', out]).status, 0)
  // The saved recipe is one.
  assert.equal(train(saved, '--out', out, '--epochs', '1', '-q').status, 0)
  // An empty list of dev files: nothing is held out and nothing is scored.
  const whole = folder.write('whole.json', JSON.stringify({ ...recipe, data: { train: recipe.data.train, dev: [] } }))
  const unscored = train(whole, '--out', out, '--epochs', '2', '-q')
  assert.match(unscored.stderr, /^no dev set: no epoch is scored, the last one is kept$/m)
  assert.match(unscored.stderr, /^epoch 2\/2  loss [0-9.]+  [0-9]+ s$/m)
  assert.match(unscored.stderr, /^onenlp: .*cy\.onenlp holds epoch 2, the last one$/m)
  assert.match(unscored.stderr, /, 180 words to train on$/m)
  // Without --out the recipe is all that is made.
  const alone = folder.path('alone.json')
  assert.equal(train('--treebank', treebank, '--save-recipe', alone).status, 0)
  assert.equal(readFileSync(alone, 'utf8'), readFileSync(saved, 'utf8'))
  // Wrong uses.
  assert.equal(train('--treebank', treebank).status, 2)
  assert.equal(train(saved, '--treebank', treebank, '--out', out).status, 2)
  assert.equal(train(saved, '--language', 'cy', '--out', out).status, 2)
  assert.equal(train('--treebank', folder.path('none'), '--out', out).status, 1)
  assert.equal(train('--treebank', folder.path('.'), '--out', out).status, 1)
  assert.match(train('--treebank', join(treebank, 'cy_ours-ud-train.conllu'), '--out', out).stderr, /train\.conllu is no folder/)
  // A file that cannot be written is no news for the end of a training.
  const nowhere = train(saved, '--out', folder.path('no/such/folder.onenlp'))
  assert.equal(nowhere.status, 1)
  assert.doesNotMatch(nowhere.stderr, /epoch/)
})

// The recipes of these languages are what is chosen for their treebanks; only what a file says of itself differs. So
// one command gives what the recipe gives. (Thai has lists of words from elsewhere.)
const CHOSEN = {
  'cop/scriptorium': 'UD_Coptic-Scriptorium', 'cy/ccg': 'UD_Welsh-CCG', 'el/gud': 'UD_Greek-GUD', 'fr/sequoia': 'UD_French-Sequoia',
  'ga/idt': 'UD_Irish-IDT', 'ko/gsd': 'UD_Korean-GSD', 'pt/bosque': 'UD_Portuguese-Bosque', 'ru/taiga': 'UD_Russian-Taiga',
  'tr/imst': 'UD_Turkish-IMST', 'uk/parlamint': 'UD_Ukrainian-ParlaMint', 'vi/vtb': 'UD_Vietnamese-VTB',
}

for (const [name, treebank] of Object.entries(CHOSEN)) {
  const source = join(data, 'ud', treebank)
  test(`${treebank}: recipes/${name}.json is what is chosen for it`, { skip: unless(native, source) }, () => {
    const recipe = JSON.parse(readFileSync(join(root, `recipes/${name}.json`), 'utf8'))
    const saved = folder.path('chosen.json')
    const { status, stderr } = spawnSync(native, ['train', '--treebank', source, '--language', recipe.pipeline.language, '--save-recipe', saved],
      { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    const chosen = JSON.parse(readFileSync(saved, 'utf8'))
    // Universal NER has entities for this treebank, which are no part of it.
    recipe.pipeline.components = recipe.pipeline.components.filter((component) => component.kind !== 'ner')
    assert.deepEqual(recipe.pipeline, chosen.pipeline)
    assert.deepEqual(recipe.training, chosen.training)
  })
}
