// The card of models/en.onenlp says what the file scores on the test sets: inference gives the same bits everywhere, so
// the figures are exact, and a new file needs a new card.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { data, englishModel, native, root, unless } from './helpers/runtime.mjs'

const ewt = join(data, 'ud/UD_English-EWT/test.conllu')
const uner = join(data, 'ner/uner-en-ewt/test.jsonl')
const card = readFileSync(join(root, 'models/en.md'), 'utf8')

/** Rows of the tables that `onenlp evaluate` prints: name to cells. */
function evaluate(...args) {
  const { status, stdout, stderr } = spawnSync(native, ['evaluate', '-m', englishModel, ...args], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return Object.fromEntries(stdout.split('\n').map((line) => line.split('|').map((cell) => cell.trim())).map(([name, ...cells]) => [name, cells]))
}

function rowOfCard(name) {
  const cells = (line) => line.split('|').slice(1, -1).map((cell) => cell.trim())
  const lines = card.split('\n')
  const heading = cells(lines.find((line) => line.startsWith('| input |')))
  const row = cells(lines.find((line) => line.startsWith(`| ${name} |`)))
  return Object.fromEntries(heading.map((column, i) => [column === 'Sents' ? 'Sentences' : column, Number(row[i])]).slice(1))
}

describe('the scores of the card', { skip: unless(native, englishModel, ewt, uner) }, () => {
  for (const [row, ...options] of [['raw text'], ['gold tokens and sentences', '--gold-tokens']]) {
    test(row, () => {
      const scores = evaluate(...options, ewt)
      const said = rowOfCard(row)
      assert.ok(Object.keys(said).length >= 10)
      for (const [metric, value] of Object.entries(said)) assert.equal(Number(scores[metric][2]), value, metric)
    })
  }

  test('entities', () => {
    const scores = evaluate(uner)
    const [, ...said] = /P ([\d.]+), R ([\d.]+), F1 ([\d.]+)\s+\(PER ([\d.]+), LOC ([\d.]+), ORG ([\d.]+)\)/.exec(card)
    const found = [...scores.all.slice(0, 3), scores.PER[2], scores.LOC[2], scores.ORG[2]]
    assert.deepEqual(said, found)
    assert.ok(Number(scores.all[2]) >= 70)
  })
})
