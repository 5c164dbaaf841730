// What the English pipeline promises for every text: sentences are trees with one root, nothing of the text is
// lost, and a document without sentence marks takes time linear in its length.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'

import { loadPipeline } from '../../js/node.js'
import { data, englishModel, native, temporaryFolder, unless } from './helpers/runtime.mjs'
import { GAPS, randomNumbers, randomText } from './helpers/texts.mjs'

function assertTrees(conllu) {
  let sentences = 0
  for (const block of conllu.split('\n\n')) {
    const heads = block.split('\n').map((line) => line.split('\t')).filter(([id]) => /^\d+$/.test(id))
    if (heads.length === 0) continue
    sentences++
    const head = heads.map((columns) => Number(columns[6]))
    for (const columns of heads) {
      assert.match(columns[6], /^\d+$/)
      assert.notEqual(columns[7], '_')
    }
    assert.equal(head.filter((h) => h === 0).length, 1, `one root in:\n${block}`)
    for (let i = 0; i < head.length; i++) {
      let at = i + 1
      let steps = 0
      while (at !== 0 && steps++ <= head.length) at = head[at - 1]
      assert.equal(at, 0, `no cycle in:\n${block}`)
    }
  }
  return sentences
}

describe('every sentence is a tree', { skip: unless(englishModel) }, () => {
  let nlp
  before(async () => {
    nlp = await loadPipeline(englishModel)
  })

  test('random texts', () => {
    const random = randomNumbers(7)
    let sentences = 0
    for (let i = 0; i < 150; i++) sentences += assertTrees(nlp.annotate(randomText(random, 60)).toConllu())
    assert.ok(sentences > 300)
  })

  test('a sentence of 10,000 words, given as tokens', () => {
    const words = Array.from({ length: 10000 }, (_, i) => ['so', 'we', 'went', 'on', 'and'][i % 5])
    const lines = words.map((word, i) => `${i + 1}\t${word}\t_\t_\t_\t_\t_\t_\t_\t_`)
    const doc = nlp.annotate({ conllu: `${lines.join('\n')}\n\n` })
    assert.equal(doc.sentences.length, 1)
    assert.equal(assertTrees(doc.toConllu()), 1)
  })

  test('empty and blank texts', () => {
    for (const text of ['', ' ', '\n\n\n']) assert.equal(assertTrees(nlp.annotate(text).toConllu()), 0)
  })

  test('offsets are those of the text', () => {
    const random = randomNumbers(11)
    for (let i = 0; i < 40; i++) {
      const text = randomText(random, 40)
      let end = 0
      for (const token of nlp.annotate(text).tokens) {
        assert.ok(token.start >= 0 && token.end > token.start && token.end <= text.length)
        assert.ok(token.end >= end)
        end = token.end
      }
    }
  })
})

describe('the text is rebuilt from the output', { skip: unless(englishModel, native) }, () => {
  const folder = temporaryFolder()

  function assertRebuilt(path, annotate = []) {
    const output = folder.path('out.conllu')
    const made = spawnSync(native, ['annotate', '-m', englishModel, '--out', output, ...annotate, path])
    assert.equal(made.status, 0, made.stderr?.toString())
    const { stdout } = spawnSync(native, ['convert', '--to', 'text', output], { maxBuffer: 1 << 28 })
    assert.ok(Buffer.compare(stdout, readFileSync(path)) === 0, `${path} is rebuilt`)
  }

  test('random texts, the whole pipeline', () => {
    const random = randomNumbers(23)
    for (let i = 0; i < 12; i++) {
      // A text without a token leaves nothing to hang its white space on.
      assertRebuilt(folder.write('random.txt', `${GAPS[i % GAPS.length]}word${randomText(random, 400)}`))
    }
  })

  test('every raw text of the data folder', { skip: unless(join(data, 'raw')) }, () => {
    const raw = join(data, 'raw')
    const files = readdirSync(raw, { recursive: true }).map((name) => join(raw, name)).filter((path) => statSync(path).isFile())
    assert.ok(files.length > 0)
    // The senter moves sentence starts and nothing else, so one file goes through all components and the others
    // through the tokenizer.
    for (const [i, file] of files.entries()) assertRebuilt(file, i === 0 ? [] : ['-c', ''])
  })
})

describe('time and memory', { skip: unless(englishModel) || !existsSync(native) }, () => {
  test('a document without sentence marks: linear', () => {
    const folder = temporaryFolder()
    const time = (bytes) => {
      const path = folder.write('long.txt', 'we went on and on and saw more of it '.repeat(bytes / 37))
      const start = process.hrtime.bigint()
      const { status } = spawnSync(native, ['annotate', '-m', englishModel, path], { maxBuffer: 1 << 30 })
      assert.equal(status, 0)
      return Number(process.hrtime.bigint() - start)
    }
    time(37 * 500)
    const [short, long] = [time(125000), time(1000000)]
    // eight times the text; a quadratic step would make it sixty-four times the time
    assert.ok(long < short * 20, `125 KB in ${short / 1e6} ms, 1 MB in ${long / 1e6} ms`)
  })
})
