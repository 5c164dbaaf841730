// The native program and the module give the same bytes.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { convert } from '../../js/core/formats.js'
import { createInstance, withoutByteOrderMark } from '../../js/cli/files.mjs'
import { loadPipeline } from '../../js/node.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { data, englishModel, native, root, temporaryFolder, unless } from './helpers/runtime.mjs'
import { hardTexts } from './helpers/texts.mjs'

const folder = temporaryFolder()

function runNative(args) {
  const { status, stdout, stderr } = spawnSync(native, args, { maxBuffer: 1 << 30 })
  assert.equal(status, 0, stderr?.toString())
  return stdout
}

/** Compares without printing megabytes: the first line that differs is enough. */
function assertSameBytes(actual, expected) {
  if (Buffer.compare(actual, expected) === 0) return
  const [a, b] = [actual, expected].map((bytes) => bytes.toString().split('\n'))
  const line = a.findIndex((text, i) => text !== b[i])
  assert.fail(`line ${line + 1}: module ${JSON.stringify(a[line])}, native ${JSON.stringify(b[line])}`)
}

/** Annotates the files' bytes both ways. */
async function compare(model, files, outputs, args = [], inputOf = (bytes) => bytes) {
  const nlp = await loadPipeline(model)
  for (const output of outputs) {
    const expected = runNative(['annotate', '-m', model, '-o', output, ...args, ...files])
    const actual = files.flatMap((file) => [...nlp.write(inputOf(withoutByteOrderMark(readFileSync(file))), { output })])
    assertSameBytes(Buffer.concat(actual), expected)
  }
  nlp.close()
}

describe('with arbitrary weights', { skip: unless(native) }, () => {
  const pipelines = {
    english: () => folder.write('english.onenlp', englishPipeline()),
    'every setting, Turkish': () => join(root, 'tests/fixtures/format/full.onenlp'),
    'no setting': () => join(root, 'tests/fixtures/format/plain.onenlp'),
    'labels by a sum': () => join(root, 'tests/fixtures/format/sum.onenlp'),
  }
  const files = Object.values(hardTexts).map((text, i) => folder.write(`${i}.txt`, text))
  for (const [name, path] of Object.entries(pipelines)) {
    test(`hard texts, ${name}`, () => compare(path(), files, ['conllu', 'json', 'jsonl']))
  }

  test('inspect', async () => {
    const path = pipelines.english()
    const nlp = await loadPipeline(path)
    assert.equal(nlp.inspectText(), runNative(['inspect', path]).toString())
    assert.equal(nlp.inspectText('JSON'), runNative(['inspect', '--json', path]).toString())
    nlp.close()
  })
})

const ewt = join(data, 'ud/UD_English-EWT/test.conllu')

describe('with the English pipeline, on the test set of UD_English-EWT', { skip: unless(native, englishModel, ewt) }, () => {
  test('raw text', async () => {
    const text = convert(await createInstance(), readFileSync(ewt), { to: 'treebank-text' })
    await compare(englishModel, [folder.write('ewt.txt', text)], ['conllu', 'json'])
  })

  test('gold tokens', () => compare(englishModel, [ewt], ['conllu', 'json'], ['-i', 'conllu'], (conllu) => ({ conllu })))
})
