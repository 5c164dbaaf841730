// Pipelines with a transformer encoder: the second module, and the files that they name.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

import { createPool, loadPipeline } from '../../js/node.js'
import { command, root } from './helpers/runtime.mjs'

const fixtures = join(root, 'tests/fixtures/transformer')
const pipeline = join(fixtures, 'bert.onenlp')
const model = join(fixtures, 'bert.onnx')
const tokenizer = join(fixtures, 'bert.tokenizer.json')
const program = join(root, 'build/native/onenlp')
const text = 'The cat sings, and the dogs sing.\n\nA bird was singing.\n'
const files = { 'bert.onnx': model, 'bert.tokenizer.json': tokenizer }

const folder = mkdtempSync(join(tmpdir(), 'onenlp-test-'))
after(() => rmSync(folder, { recursive: true }))

/** The pipeline file with its config changed. */
function changed(change) {
  const bytes = readFileSync(pipeline)
  const size = Number(bytes.readBigUInt64LE(16))
  const config = JSON.parse(bytes.subarray(32, 32 + size))
  change(config.encoders[0].settings, config)
  const written = Buffer.from(JSON.stringify(config))
  const header = Buffer.from(bytes.subarray(0, 32))
  header.writeBigUInt64LE(BigInt(written.length), 16)
  return Buffer.concat([header, written, bytes.subarray(32 + size)])
}

const conlluOf = async (source, options) => {
  const nlp = await loadPipeline(source, options)
  try {
    return nlp.annotate(text).toConllu()
  } finally {
    nlp.close()
  }
}

const failure = (promise) => promise.then((nlp) => assert.fail(`it loaded: ${nlp}`), (error) => error)

test('the module of transformers is small, and the plain one has none of it', (t) => {
  const bytes = readFileSync(join(root, 'dist/onenlp.transformer.wasm'))
  const size = gzipSync(bytes, { level: 9 }).length
  t.diagnostic(`onenlp.transformer.wasm: ${bytes.length} bytes, ${size} compressed`)
  assert.ok(size <= 250_000, `${size} bytes compressed`)
  const plain = new WebAssembly.Module(readFileSync(join(root, 'dist/onenlp.wasm')))
  assert.deepEqual(WebAssembly.Module.imports(plain).map(({ module }) => module).filter((name) => name === 'onenlp'), [])
  assert.ok(!readFileSync(join(root, 'dist/onenlp.wasm')).includes('transformer'))
})

test('the module and the program give the same, from every kind of file', async () => {
  const native = spawnSync(program, ['annotate', '-m', pipeline, '--models', fixtures], { input: text, encoding: 'utf8' })
  assert.equal(native.stderr, '')
  assert.match(native.stdout, /\tVERB\t/)
  const given = {
    paths: files,
    map: new Map(Object.entries(files)),
    function: (name) => join(fixtures, name),
    urls: { 'bert.onnx': pathToFileURL(model), 'bert.tokenizer.json': pathToFileURL(tokenizer).href },
    bytes: { 'bert.onnx': readFileSync(model), 'bert.tokenizer.json': new Uint8Array(readFileSync(tokenizer)).buffer },
    blobs: { 'bert.onnx': await openAsBlob(model), 'bert.tokenizer.json': new Blob([readFileSync(tokenizer)]) },
    responses: async (name) => new Response(readFileSync(join(fixtures, name))),
  }
  for (const [name, value] of Object.entries(given)) {
    assert.equal(await conlluOf(pipeline, { files: value }), native.stdout, name)
  }
  assert.equal(await conlluOf(readFileSync(pipeline), { files }), native.stdout, 'pipeline from bytes')
})

test('a pool', async () => {
  const expected = await conlluOf(pipeline, { files })
  for (const value of [files, { 'bert.onnx': readFileSync(model), 'bert.tokenizer.json': await openAsBlob(tokenizer) }]) {
    const pool = await createPool(pipeline, { size: 2, files: value })
    try {
      assert.equal((await pool.annotate(text)).toConllu(), expected)
    } finally {
      await pool.close()
    }
  }
})

test('missing files are named', async () => {
  const error = await failure(loadPipeline(pipeline, { files: { 'bert.tokenizer.json': tokenizer, 'bert.onnx': join(folder, 'none.onnx') } }))
  assert.equal(error.code, 'IO')
  assert.match(error.message, /none\.onnx: there is no such file/)
  const unnamed = await failure(loadPipeline(pipeline, { files: {} }))
  assert.equal(unnamed.code, 'IO')
  assert.match(unnamed.message, /bert\.onnx/)
  const native = spawnSync(program, ['annotate', '-m', pipeline, '--models', folder], { input: text, encoding: 'utf8' })
  assert.equal(native.status, 1)
  assert.match(native.stderr, /cannot open .*bert\.tokenizer\.json: No such file/)
})

test('an absolute name is used as it is', async () => {
  const bytes = changed((settings) => Object.assign(settings, { model, tokenizer }))
  const file = join(folder, 'absolute.onenlp')
  writeFileSync(file, bytes)
  const native = spawnSync(program, ['annotate', '-m', file, '--models', folder], { input: text, encoding: 'utf8' })
  assert.equal(native.stderr, '')
  assert.equal(await conlluOf(bytes), native.stdout)
})

test('the command of the package says where models are, as the program does', () => {
  const npm = (...args) => spawnSync(process.execPath, [command, ...args], { input: text, encoding: 'utf8' })
  const gold = join(folder, 'gold.conllu')
  const files = ['-m', pipeline, '--models', fixtures]
  writeFileSync(gold, spawnSync(program, ['annotate', ...files], { input: text, encoding: 'utf8' }).stdout)
  const commands = [
    ['annotate', ...files], ['annotate', ...files, '-o', 'json'], ['annotate', ...files, '-j', '2'],
    ['evaluate', ...files, gold], ['inspect', '--models', fixtures, pipeline], ['inspect', '--verify', '--models', fixtures, pipeline],
  ]
  for (const args of commands) {
    const native = spawnSync(program, args, { input: text, encoding: 'utf8' })
    const { stdout, stderr, status } = npm(...args)
    assert.deepEqual({ stdout, stderr, status }, { stdout: native.stdout, stderr: '', status: 0 }, args.join(' '))
  }
  // A model beside the pipeline file is found without it, in workers too.
  const beside = join(folder, 'beside.onenlp')
  writeFileSync(beside, changed((settings) => Object.assign(settings, { model: 'beside.encoder0.onnx', relativeTo: 'pipeline' })))
  copyFileSync(model, join(folder, 'beside.encoder0.onnx'))
  for (const jobs of ['1', '2']) {
    assert.equal(npm('annotate', '-m', beside, '--models', fixtures, '-j', jobs).stdout, readFileSync(gold, 'utf8'), jobs)
  }
  const missing = npm('annotate', '-m', pipeline, '--models', folder)
  assert.equal(missing.status, 1)
  assert.match(missing.stderr, /bert\.(onnx|tokenizer\.json): there is no such file/)
  const wrong = join(folder, 'wrong.onenlp')
  writeFileSync(wrong, changed((settings) => Object.assign(settings, { modelSha256: 'f'.repeat(64) })))
  const verified = npm('inspect', '--verify', '--models', fixtures, wrong)
  assert.equal(verified.status, 1)
  assert.match(verified.stderr, /wrong\.onenlp: .*bert\.onnx has the SHA-256/)
})

test('a file beside the pipeline', async () => {
  const bytes = changed((settings) => Object.assign(settings, { model: 'own.encoder0.onnx', relativeTo: 'pipeline' }))
  const file = join(folder, 'own.onenlp')
  writeFileSync(file, bytes)
  copyFileSync(model, join(folder, 'own.encoder0.onnx'))
  const expected = await conlluOf(pipeline, { files })
  const rest = { 'bert.tokenizer.json': tokenizer }
  assert.equal(await conlluOf(file, { files: rest }), expected)
  assert.equal(await conlluOf(pathToFileURL(file), { files: rest }), expected)
  const native = spawnSync(program, ['annotate', '-m', file, '--models', fixtures], { input: text, encoding: 'utf8' })
  assert.equal(native.stdout, expected)
  // A stream has no such place.
  for (const source of [bytes, new Blob([bytes]).stream()]) {
    const error = await failure(loadPipeline(source, { files: rest }))
    assert.equal(error.code, 'IO')
    assert.match(error.message, /own\.encoder0\.onnx.*beside the pipeline/)
  }
  const piped = spawnSync(program, ['inspect', '-', '--models', fixtures], { input: bytes, encoding: 'utf8' })
  assert.equal(piped.status, 1)
  assert.match(piped.stderr, /own\.encoder0\.onnx.*comes from a stream/)
  // Unless somebody says where it is.
  assert.equal(await conlluOf(bytes, { files: { ...rest, 'own.encoder0.onnx': model } }), expected)
})

test('the hash is compared when it is asked for', async () => {
  const right = createHash('sha256').update(readFileSync(model)).digest('hex')
  for (const hash of [right, right.toUpperCase(), 'f'.repeat(64)]) {
    const bytes = changed((settings) => Object.assign(settings, { modelSha256: hash }))
    const file = join(folder, 'hash.onenlp')
    writeFileSync(file, bytes)
    const nlp = await loadPipeline(bytes, { files })
    const native = spawnSync(program, ['inspect', '--verify', file, '--models', fixtures], { encoding: 'utf8' })
    if (hash.toLowerCase() === right) {
      nlp.verifyFiles()
      assert.equal(native.status, 0)
    } else {
      assert.throws(() => nlp.verifyFiles(), { code: 'INVALID_DATA', message: /bert\.onnx has the SHA-256/ })
      assert.equal(native.status, 1)
      assert.match(native.stderr, /bert\.onnx has the SHA-256/)
    }
    nlp.close()
  }
})

test('a module without transformers is refused, one with them runs every pipeline', async () => {
  const plain = readFileSync(join(root, 'dist/onenlp.wasm'))
  const whole = readFileSync(join(root, 'dist/onenlp.transformer.wasm'))
  const error = await failure(loadPipeline(pipeline, { files, wasm: plain }))
  assert.equal(error.code, 'INVALID_ARGUMENT')
  assert.match(error.message, /onenlp\.transformer\.wasm/)
  assert.equal(await conlluOf(pipeline, { files, wasm: whole }), await conlluOf(pipeline, { files }))
  const english = join(root, 'models/en.onenlp')
  assert.equal(await conlluOf(english, { wasm: whole }), await conlluOf(english))
})

test('damaged encoder files', async () => {
  const cut = readFileSync(model).subarray(0, 20000)
  const damaged = await failure(loadPipeline(pipeline, { files: { ...files, 'bert.onnx': cut } }))
  assert.equal(damaged.code, 'INVALID_DATA')
  assert.match(damaged.message, /bert\.onnx: ONNX/)
  const other = await failure(loadPipeline(pipeline, { files: { ...files, 'bert.onnx': tokenizer } }))
  assert.equal(other.code, 'INVALID_DATA')
})
