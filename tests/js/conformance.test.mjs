// tests/conformance.md names for every sentence of the format documents the tests that prove it: each of them exists,
// C tests are in the list that their program runs and the program is built, and no number is missing or doubled.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tests = dirname(dirname(fileURLToPath(import.meta.url)))
const read = (...path) => readFileSync(join(tests, ...path), 'utf8')
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The rows of every table: number, sentence, tests. */
function rowsOf(markdown) {
  const rows = []
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('| P') && !line.startsWith('| D')) continue
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    assert.equal(cells.length, 5, line)
    rows.push({ number: cells[1], sentence: cells[2], proof: cells[3] })
  }
  return rows
}

/** "a.c: x, y; b.c: z" as [file, name] pairs. JavaScript names may hold commas: one name after each colon. */
function testsOf(proof) {
  return proof.split('; ').flatMap((part) => {
    const colon = part.indexOf(': ')
    assert.ok(colon > 0, part)
    const file = part.slice(0, colon)
    const names = part.slice(colon + 2)
    return (file.endsWith('.c') ? names.split(', ') : [names]).map((name) => [file, name])
  })
}

/** Why `name` is no test of `file`, or null. */
function missing(file, name) {
  if (!existsSync(join(tests, file))) return 'no such file'
  const source = read(file)
  if (!file.endsWith('.c')) {
    return new RegExp(`\\btest\\(\\s*(['"\`])${escape(name)}\\1`).test(source) ? null : 'no such test'
  }
  if (!new RegExp(`\\bcmocka_unit_test\\(${escape(name)}\\)`).test(source)) return 'not in its list of tests'
  if (!new RegExp(`\\bstatic void ${escape(name)}\\(void \\*\\*state\\)`).test(source)) return 'no such function'
  const build = read(dirname(file), 'CMakeLists.txt')
  return new RegExp(`SOURCES[^)]*\\b${escape(basename(file))}\\b`).test(build) ? null : 'its program is not built'
}

const rows = rowsOf(read('conformance.md'))

test('every sentence has a test, or says that it is not built', () => {
  for (const { number, sentence, proof } of rows) {
    assert.ok(sentence.length > 10 && proof.length > 0, number)
    if (proof.startsWith('not built:')) assert.match(proof, /^not built: issue \d+$/, number)
    else assert.ok(testsOf(proof).length > 0, number)
  }
})

test('every test that is named exists and is run', (t) => {
  const wrong = []
  const named = new Set()
  for (const { number, proof } of rows) {
    if (proof.startsWith('not built:')) continue
    for (const [file, name] of testsOf(proof)) {
      named.add(`${file}: ${name}`)
      const why = missing(file, name)
      if (why) wrong.push(`${number}: ${file}: ${name}: ${why}`)
    }
  }
  assert.deepEqual(wrong, [])
  t.diagnostic(`${rows.length} sentences, ${named.size} tests`)
})

test('sentences are numbered without a gap', () => {
  for (const letter of ['P', 'D']) {
    const numbers = rows.map((row) => row.number).filter((number) => number.startsWith(letter))
    assert.ok(numbers.length > 50)
    assert.deepEqual(numbers, numbers.map((_, i) => `${letter}${i + 1}`))
  }
})

test('a test that is not there is found', () => {
  assert.equal(missing('unit/format/container.c', 'writes_and_reads'), null)
  assert.equal(missing('unit/format/container.c', 'writes_and_read'), 'not in its list of tests')
  assert.equal(missing('unit/format/contain.c', 'writes_and_reads'), 'no such file')
  assert.equal(missing('js/conformance.test.mjs', 'a test that is no'), 'no such test')
})
