// A pipeline whose transformer was trained with it: written beside the file or inside it, and loaded again.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { loadPipeline } from '../../js/node.js'
import { root } from './helpers/runtime.mjs'

const fixtures = join(root, 'tests/fixtures/transformer')
const program = join(root, 'build/native/onenlp')
const text = 'The cat sings, and the dogs sing.\n\nA bird was singing.\n'
const folder = mkdtempSync(join(tmpdir(), 'onenlp-test-'))
after(() => rmSync(folder, { recursive: true }))

const run = (args, input) => spawnSync(program, args, { input, maxBuffer: 1 << 26 })
const annotated = (name) => {
  const done = run(['annotate', '-m', join(folder, name), '--models', fixtures], Buffer.from(text))
  assert.equal(done.stderr.toString(), '')
  return done.stdout.toString()
}
const configOf = (bytes) => JSON.parse(bytes.subarray(32, 32 + Number(bytes.readBigUInt64LE(16))))

/** The fixtures' recipe with the encoder trained; `training` and `settings` are added to it. */
function train(name, training, settings, kind = 'transformer-trainable', more = []) {
  const recipe = JSON.parse(readFileSync(join(fixtures, 'recipe.json'), 'utf8'))
  recipe.pipeline.encoders[0].kind = kind
  Object.assign(recipe.pipeline.encoders[0].settings, settings)
  recipe.training = {
    seed: 1, epochs: 60, batchWords: 100, learningRate: 0.005, encoderRate: 0.3, accumulate: 2, evaluateFrom: 60, ...training,
  }
  writeFileSync(join(folder, 'recipe.json'), JSON.stringify(recipe))
  return run(['train', join(folder, 'recipe.json'), '--data', fixtures, '--models', fixtures, '--out', name, '-q', ...more])
}

before(() => {
  for (const [name, training] of [['en.onenlp', {}], ['inside.onenlp', { exportEncoderGraphs: 0 }]]) {
    const done = train(join(folder, name), training)
    assert.equal(done.status, 0, done.stderr.toString())
  }
})

const tokenizer = { 'bert.tokenizer.json': join(fixtures, 'bert.tokenizer.json') }
const conlluOf = async (source, files) => {
  const nlp = await loadPipeline(source, { files })
  try {
    nlp.verifyFiles()
    return nlp.annotate(text).toConllu()
  } finally {
    nlp.close()
  }
}
const failure = (promise) => promise.then(() => assert.fail('it loaded'), (error) => error)

test('beside the file: a model of its own, named by it', async () => {
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('en')), ['en.encoder0.onnx', 'en.onenlp'])
  const bytes = readFileSync(join(folder, 'en.onenlp')), model = readFileSync(join(folder, 'en.encoder0.onnx'))
  const [{ kind, settings }] = configOf(bytes).encoders
  assert.equal(kind, 'transformer')
  assert.equal(settings.model, 'en.encoder0.onnx')
  assert.equal(settings.relativeTo, 'pipeline')
  assert.equal(settings.modelSha256, createHash('sha256').update(model).digest('hex'))
  assert.ok(!bytes.includes('encoder0.layers'))
  const expected = annotated('en.onenlp')
  assert.match(expected, /\tVERB\t/)
  assert.notDeepEqual(model, readFileSync(join(fixtures, 'bert.onnx')))
  assert.equal(await conlluOf(join(folder, 'en.onenlp'), tokenizer), expected)
  assert.equal(await conlluOf(bytes, { ...tokenizer, 'en.encoder0.onnx': model }), expected, 'from bytes, with the file')
})

test('from a stream the model is not found', async () => {
  const bytes = readFileSync(join(folder, 'en.onenlp'))
  const error = await failure(conlluOf(bytes, tokenizer))
  assert.equal(error.code, 'IO')
  assert.match(error.message, /en\.encoder0\.onnx/)
  const done = run(['annotate', '-m', '-', '--models', fixtures], bytes)
  assert.equal(done.status, 1)
  assert.match(done.stderr.toString(), /en\.encoder0\.onnx.*stream/)
})

test('inside the file: the layers are tensors, the token table stays with the model', async () => {
  const bytes = readFileSync(join(folder, 'inside.onenlp'))
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('inside')), ['inside.onenlp'])
  const [{ kind, settings }] = configOf(bytes).encoders
  assert.equal(kind, 'transformer-trainable')
  assert.equal(settings.family, 'postnorm')
  assert.equal(settings.model, 'bert.onnx')
  assert.ok(bytes.includes('encoder0.layers1.down.weight'))
  // The same training: the same labels as from the model beside the file.
  const expected = annotated('inside.onenlp')
  assert.equal(expected, annotated('en.onenlp'))
  const files = { ...tokenizer, 'bert.onnx': join(fixtures, 'bert.onnx') }
  assert.equal(await conlluOf(join(folder, 'inside.onenlp'), files), expected)
})

test('a pipeline that goes to standard output keeps its encoder', () => {
  const done = train('-', {})
  assert.equal(done.status, 0, done.stderr.toString())
  assert.deepEqual(done.stdout, readFileSync(join(folder, 'inside.onenlp')))
})

test('layers over the vectors of words stay in the pipeline file, whichever place the model has', async () => {
  const over = { shapeRows: 20, recurrentLayers: 1, recurrentSize: 6, seed: 2 }
  const part = mkdtempSync(join(folder, 'over-')), inPart = (name) => join(part, name)
  const files = { ...tokenizer, 'bert.onnx': join(fixtures, 'bert.onnx') }
  const tensors = (bytes) => bytes.toString('latin1').match(/encoder0\.(embed_shape|lstm[a-z0-9_]*|layers0\.up)\.weight(?=")/g).sort()
  const names = ['embed_shape', 'lstm_out'].map((name) => `encoder0.${name}.weight`)
  for (const store of ['f32', 'i8']) {
    const training = { epochs: 20, evaluateFrom: 20, store }, outputs = {}
    for (const [name, kind, more] of [
      ['beside.onenlp', 'transformer-trainable', {}], ['inside.onenlp', 'transformer-trainable', { exportEncoderGraphs: 0 }],
      ['frozen.onenlp', 'transformer', { unitRounds: 1 }],
    ]) {
      const done = train(inPart(name), { ...training, ...more }, over, kind)
      assert.equal(done.status, 0, done.stderr.toString())
      const bytes = readFileSync(inPart(name))
      const [{ kind: saved, settings }] = configOf(bytes).encoders
      assert.equal(saved, name === 'inside.onenlp' ? 'transformer-trainable' : 'transformer')
      for (const key of Object.keys(over)) assert.equal(settings[key], over[key], key)
      for (const tensor of names) assert.ok(tensors(bytes).includes(tensor), tensor)
      assert.equal(tensors(bytes).includes('encoder0.layers0.up.weight'), name === 'inside.onenlp')
      const native = run(['annotate', '-m', inPart(name), '--models', fixtures], Buffer.from(text))
      assert.equal(native.stderr.toString(), '')
      outputs[name] = native.stdout.toString()
      assert.equal(await conlluOf(inPart(name), files), outputs[name], `${name}, ${store}`)
    }
    assert.match(outputs['beside.onenlp'], /\tVERB\t/)
    assert.equal(outputs['inside.onenlp'], outputs['beside.onenlp'])
  }
  rmSync(part, { recursive: true })
})

test('a training that starts from a file finds its model beside it, not beside the new one', () => {
  const part = mkdtempSync(join(folder, 'from-')), from = ['--from', join(folder, 'en.onenlp')]
  const rest = { epochs: 1, evaluateFrom: 1, learningRate: 1e-8, weightDecay: 0 }
  const done = train(join(part, 'en.onenlp'), rest, {}, undefined, from)
  assert.equal(done.status, 0, done.stderr.toString())
  assert.equal(annotated(join(part, 'en.onenlp').slice(folder.length + 1)), annotated('en.onenlp'))
  rmSync(part, { recursive: true })
})

test('nothing is left where the files cannot be written', () => {
  const done = train(join(folder, 'nowhere', 'en.onenlp'), {})
  assert.equal(done.status, 1)
  assert.match(done.stderr.toString(), /nowhere/)
  assert.deepEqual(readdirSync(folder).sort(), ['en.encoder0.onnx', 'en.onenlp', 'inside.onenlp', 'recipe.json'])
})
