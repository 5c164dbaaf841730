// Every vector of docs/format.md against the reference reader, and the fixtures against what it computes.
// The same vectors and fixtures are checked against the C core in tests/unit/format.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import * as arithmetic from './reference/arithmetic.mjs'
import { attributeHash, lower, lowerTurkic, prefix, row, shape, splitmix64, suffix } from './reference/hash.mjs'
import { readCheckpoint, readContainer, writePipeline } from './reference/file.mjs'
import { makeFixtures } from './reference/fixtures.mjs'
import { applyLemmaClass, parseEditTree } from './reference/head.mjs'
import { parameters } from './reference/pipeline.mjs'

const source = (path) => readFileSync(new URL(`../../${path}`, import.meta.url))
const markdown = source('docs/format.md').toString()

const blocks = Object.fromEntries([...markdown.matchAll(/^```vectors (\S+)\n(.*?)\n```$/gms)]
  .map(([, name, body]) => [name, body.split('\n').map((line) => line.split('\t'))]))

const { bitsOf, floatOf, halfToFloat } = arithmetic
const bigram = ([first, second]) => `${lower(first)}\0${lower(second)}`

const checks = {
  file: (lines) => {
    const bytes = Buffer.from(lines.flat().join(''), 'hex')
    assert.deepEqual(bytes, writePipeline('{}', [], {}))
    const { config, weights } = readContainer(bytes)
    assert.deepEqual([config, readCheckpoint(weights)], [{}, { meta: {}, tensors: {} }])
  },
  // JSON.parse does not look for duplicate keys and the like: those lines are the core's alone.
  json: (lines) => lines.forEach(([text, result]) => {
    if (result === 'ok') JSON.parse(JSON.parse(text))
    else assert.ok(Number(result) <= JSON.parse(text).length)
  }),
  half: (lines) => lines.forEach(([half, bits]) => assert.equal(bitsOf(halfToFloat(Number(half))), Number(bits))),
  arithmetic: (lines) => lines.forEach(([name, x, y]) => {
    assert.equal(bitsOf(arithmetic[name](floatOf(Number(x)))), Number(y), `${name} ${x}`)
  }),
  splitmix64: (lines) => lines.forEach(([x, y]) => assert.equal(splitmix64(BigInt(x)), BigInt(y))),
  hash: (lines) => lines.forEach(([seed, number, field, hash, rows, ...expected]) => {
    const text = JSON.parse(field)
    assert.equal(attributeHash(seed, number, Array.isArray(text) ? bigram(text) : text), BigInt(hash))
    assert.deepEqual([1, 2, 3, 4].map((f) => row(BigInt(hash), f, Number(rows))), expected.map(Number))
  }),
  attribute: (lines) => lines.forEach(([name, length, text, value]) => {
    const make = { lower, turkic: lowerTurkic, prefix, suffix, shape }[name]
    assert.equal(make(JSON.parse(text), Number(length)), JSON.parse(value), `${name} ${length} ${text}`)
  }),
  lemma: (lines) => lines.forEach(([label, text, lemma]) => {
    assert.equal(applyLemmaClass(JSON.parse(label), JSON.parse(text)), JSON.parse(lemma), label)
  }),
  'no-tree': (lines) => lines.forEach(([text]) => assert.throws(() => parseEditTree(JSON.parse(text)), /edit tree/)),
}

test('docs/format.md has the vectors that are checked, and no others', () => {
  assert.deepEqual(Object.keys(blocks).sort(), Object.keys(checks).sort())
  assert.ok(Object.values(blocks).every((lines) => lines.length > 0))
})

for (const [name, check] of Object.entries(checks)) test(`vectors ${name}`, () => check(blocks[name]))

test('the example config implies tensors', () => {
  const config = JSON.parse(/^```json\n(.*?)\n```$/ms.exec(markdown)[1])
  assert.deepEqual(parameters(config), [
    ['encoder0.embed.weight', [16384, 64]], ['encoder0.project.weight', [64, 64]], ['encoder0.project.bias', [64]],
    ['head0.output.weight', [2, 64]], ['head0.output.bias', [2]]])
})

test('the fixtures are what the reference reader computes', () => {
  for (const [name, content] of Object.entries(makeFixtures())) {
    assert.ok(Buffer.from(content).equals(source(`tests/fixtures/format/${name}`)), name)
  }
})

// Near enough to the functions they stand for, not only equal to themselves.
test('exp, sigmoid, tanh, erf and gelu are accurate', () => {
  const erfExact = (x) => {
    let sum = x
    for (let n = 1, term = x; n < 60; n++) sum += (term *= (-x * x) / n) / (2 * n + 1)
    return (2 / Math.sqrt(Math.PI)) * sum
  }
  for (let x = -3; x <= 3; x += 1 / 64) {
    const near = (name, y) => assert.ok(Math.abs(arithmetic[name](x) - y) <= 4e-7 * Math.max(1, Math.abs(y)), `${name}(${x})`)
    near('exp', Math.exp(x))
    near('sigmoid', 1 / (1 + Math.exp(-x)))
    near('tanh', Math.tanh(x))
    near('erf', erfExact(x))
    near('gelu', 0.5 * x * (1 + erfExact(x / Math.SQRT2)))
  }
})
