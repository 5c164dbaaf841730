// The small English pipeline: what it promises in accuracy, size and speed, through the module.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { loadPipeline } from '../../js/node.js'
import { command, data, englishModel, native, root, temporaryFolder, unless, wasm } from './helpers/runtime.mjs'
import { hardTexts } from './helpers/texts.mjs'

const model = join(root, 'models/en-small.onenlp')
const gold = join(data, 'ud/UD_English-EWT/test.conllu')
const folder = temporaryFolder()

/** Milliseconds that this process has run on a processor: other work on the machine is not in it. */
function processTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe('en-small', { skip: unless(model) }, () => {
  let nlp
  before(async () => {
    nlp = await loadPipeline(model)
  })

  test('sets sentences, UPOS and lemmas, and nothing else', () => {
    const doc = nlp.annotate('The children were running home. They didn\'t see London!')
    assert.deepEqual(doc.sentences.map(({ text }) => text), ['The children were running home.', 'They didn\'t see London!'])
    assert.deepEqual(doc.tokens.map(({ upos }) => upos),
      ['DET', 'NOUN', 'AUX', 'VERB', 'ADV', 'PUNCT', 'PRON', 'AUX', 'PART', 'VERB', 'PROPN', 'PUNCT'])
    assert.deepEqual(doc.tokens.map(({ lemma }) => lemma),
      ['the', 'child', 'be', 'run', 'home', '.', 'they', 'do', 'not', 'see', 'London', '!'])
    for (const column of ['xpos', 'feats', 'head', 'deprel', 'entities']) assert.equal(doc.data[column], null, column)
  })

  test('reaches its floors on UD English-EWT test, from raw text', { skip: unless(gold) }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'evaluate', '--quiet', '--json', '-m', model, gold], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    const scores = JSON.parse(stdout)
    for (const [metric, floor] of [['Tokens', 0.99], ['Sentences', 0.85], ['UPOS', 0.935], ['Lemmas', 0.95]]) {
      assert.ok(scores[metric].f1 >= floor, `${metric} ${scores[metric].f1}`)
    }
  })

  test('the native program gives the same bytes', { skip: unless(native) }, () => {
    const text = Object.values(hardTexts).join('\n\n').replace(/\p{Surrogate}/gu, '')
    const file = folder.write('hard.txt', text)
    const { status, stdout } = spawnSync(native, ['annotate', '-m', model, file], { maxBuffer: 1 << 28 })
    assert.equal(status, 0)
    assert.ok(stdout.equals(Buffer.concat([...nlp.write(text)])))
  })

  test('takes time linear in the length of a text', () => {
    const piece = 'The cats, which had slept all day, didn\'t want to go out; "it rains", said Mr. Brown. '
    const text = (size) => `${piece.repeat(20)}\n\n`.repeat(size)
    const times = (string) => [0, 1, 2].map(() => {
      const before = processTime()
      nlp.annotate(string)
      return processTime() - before
    })
    times(text(20))
    const small = Math.min(...times(text(40)))
    const large = Math.min(...times(text(400)))
    assert.ok(large <= 15 * small, `ten times the text took ${(large / small).toFixed(1)} times as long`)
  })

  test('memory does not grow from text to text', () => {
    // The first ones find out how much is needed.
    for (let i = 0; i < 3; i++) nlp.annotate('A first text. '.repeat(50))
    const before = nlp.memoryUsed
    for (let i = 0; i < 200; i++) nlp.annotate('A first text. '.repeat(50))
    assert.equal(nlp.memoryUsed, before)
  })
})

test('what is shipped is as small as promised', { skip: unless(wasm) }, () => {
  const packed = gzipSync(readFileSync(wasm), { level: 9 }).length
  assert.ok(packed <= 250_000, `onenlp.wasm takes ${packed} bytes with gzip`)
  for (const [file, most] of [[englishModel, 3_000_000], [model, 500_000]]) {
    assert.ok(statSync(file).size <= most, `${file} takes ${statSync(file).size} bytes`)
  }
})
