// What `annotate -o json` writes against docs/json.schema.json, and read again as JSON Lines.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { tinyConfig, tinyPipeline, tinyTensors } from './helpers/tiny-pipeline.mjs'

const program = process.env.ONENLP_PROGRAM ?? fileURLToPath(new URL('../../build/native/onenlp', import.meta.url))
const schema = JSON.parse(readFileSync(new URL('../../docs/json.schema.json', import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'onenlp-json-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const types = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  null: (value) => value === null,
}

/** Checks a value by the keywords that the schema uses (an unknown one fails); members must be described. */
function check(value, rule, path = '$') {
  if (rule.$ref) return check(value, rule.$ref.split('/').slice(1).reduce((node, key) => node[key], schema), path)
  const keywords = {
    type: (type) => types[type](value),
    required: (names) => names.every((name) => Object.hasOwn(value, name)),
    minimum: (least) => value >= least,
    maximum: (most) => value <= most,
    minItems: (least) => value.length >= least,
    maxItems: (most) => value.length <= most,
    anyOf: (rules) => rules.some((one) => { try { return check(value, one, path) } catch { return false } }),
    items: (one) => value.every((item, i) => check(item, one, `${path}[${i}]`)),
    prefixItems: (list) => list.every((one, i) => check(value[i], one, `${path}[${i}]`)),
    properties: (members) => Object.entries(value).every(([key, member]) => check(member, members[key] ?? false, `${path}.${key}`)),
    additionalProperties: (one) => Object.entries(value).every(([key, member]) => check(member, one, `${path}.${key}`)),
  }
  assert.ok(rule, `${path} is not described`)
  for (const [keyword, argument] of Object.entries(rule)) {
    if (['description', 'title', '$schema', '$defs'].includes(keyword)) continue
    assert.ok(keywords[keyword](argument), `${path}: ${keyword}`)
  }
  return true
}

const head = (kind, config) => ({ name: kind, type: 'head', kind, encoder: 0, config })
const config = tinyConfig(({ components }) => components.push(
  head('lemmatizer', { labels: ['lM0,0()()', 'rM0,0()()'] }),
  head('ner', { labels: ['PER', 'LOC'] }),
  head('textcat', { multi_label: true, hidden: 0, labels: ['a', 'b'] }),
  head('spancat', { spans_key: 'sc', sizes: [1, 2], threshold: 0.5, hidden: 0, labels: ['X'] }),
))
const linear = (j, rows, width) => [[`head${j}.output.weight`, [rows, width]], [`head${j}.output.bias`, [rows]]]
const tensors = [...tinyTensors, ...linear(2, 2, 8), ...linear(3, 9, 8), ...linear(4, 2, 8), ...linear(5, 1, 24)]
const model = join(folder, 'all.onenlp')
writeFileSync(model, tinyPipeline({ config, tensors }))

function run(args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
}

const texts = ['', ' \n', "Don't go to Paris, Ada. \u{1F600} No!\n\nSecond paragraph.", 'a'.repeat(50), 'word '.repeat(1200)]

for (const text of texts) {
  test(`JSON of ${JSON.stringify(text.slice(0, 20))}`, () => {
    const output = run(['annotate', '-m', model, '-o', 'json'], text)
    const json = JSON.parse(output)
    check(json, schema)
    assert.equal(json.text, text)
    const words = json.word_token?.length ?? json.tokens.length
    for (const name of ['form', 'upos', 'lemma', 'feats']) assert.ok(words === 0 || json[name].length === words, name)
    assert.ok(json.tokens.every(([start], i) => i === 0 || start >= json.tokens[i - 1][1]))
    assert.equal(json.entities?.length ?? 0, json.entity_scores?.length ?? 0)
    // Our own reader takes it, finds nothing misaligned, and keeps what JSON Lines has no member for.
    const kept = JSON.parse(run(['convert', '--from', 'jsonl', '--to', 'jsonl'], output))
    assert.deepEqual(kept, json)
    const lines = JSON.parse(run(['annotate', '-m', model, '-o', 'jsonl'], text))
    for (const name of ['text', 'tokens', 'entities', 'spans', 'cats']) assert.deepEqual(kept[name], lines[name], name)
  })
}

test('a value that breaks the schema is found', () => {
  assert.throws(() => check({ text: 'a', tokens: [[0]] }, schema), /minItems/)
  assert.throws(() => check({ text: 'a', tokens: [], more: 1 }, schema), /not described/)
  assert.throws(() => check({ text: 'a' }, schema), /required/)
})
