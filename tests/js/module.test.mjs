// The module itself: size, imports, exports, and what it says about its own interface.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { Instance } from '../../js/core/instance.js'
import { OnenlpError } from '../../js/core/errors.js'
import { onenlpError, root, wasm } from './helpers/runtime.mjs'

const bytes = readFileSync(wasm)
const module = new WebAssembly.Module(bytes)

test('is at most 250 KB when compressed', (t) => {
  const size = gzipSync(bytes, { level: 9 }).length
  t.diagnostic(`onenlp.wasm: ${bytes.length} bytes, ${size} compressed`)
  assert.ok(size <= 250_000, `${size} bytes`)
})

test('imports nothing but the notice of memory growth', () => {
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    assert.equal(`${from}.${name}`, 'env.emscripten_notify_memory_growth')
  }
})

test('exports what wasm/exports.txt lists', () => {
  const listed = readFileSync(join(root, 'wasm/exports.txt'), 'utf8').split('\n').filter((line) => /^[a-z]/.test(line))
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name)
  assert.deepEqual(exported.filter((name) => name.startsWith('onenlp_')).sort(), [...listed].sort())
  assert.ok(exported.includes('memory'))
})

test('every listed function is called by JavaScript', () => {
  const sources = ['instance', 'pipeline', 'columns', 'formats', 'api', 'relaxed'].map((name) =>
    readFileSync(join(root, `js/core/${name}.js`), 'utf8')).join('')
  for (const { name } of WebAssembly.Module.exports(module)) {
    if (name.startsWith('onenlp_')) assert.ok(sources.includes(`'${name}'`), `${name} is not used`)
  }
})

test('tells the numbering of onenlp.h', async () => {
  const { constants, codes, version } = await Instance.create(module)
  const header = readFileSync(join(root, 'src/onenlp.h'), 'utf8')
  // An independent reading of the header: the names of an enumeration, in order.
  const names = (pattern) => header.match(pattern)[1].replace(/\/\/.*$/gm, '').split(',').map((name) => name.trim().split(' ')[0]).filter(Boolean)
  assert.deepEqual(codes, names(/enum onenlp_code \{([^}]*)\}/).map((name) => name.replace('ONENLP_', '')))
  const columns = names(/enum onenlp_columns \{([^}]*)\}/).map((name) => name.replace('ONENLP_', ''))
  assert.deepEqual(constants.column, Object.fromEntries(columns.map((name, i) => [name, i])))
  for (const row of ['RANGE', 'ENTITY', 'SPAN', 'CAT']) {
    const fields = names(new RegExp(`enum \\{\\s*(ONENLP_${row}_[^}]*)\\}`)).map((name) => name.replace(`ONENLP_${row}_`, ''))
    assert.deepEqual(constants[row.toLowerCase()], Object.fromEntries(fields.map((name, i) => [name, i])))
  }
  const outputs = names(/enum onenlp_output_format \{([^}]*)\}/).map((name) => name.replace('ONENLP_TO_', ''))
  assert.deepEqual(constants.output, Object.fromEntries(outputs.map((name, i) => [name, i])))
  assert.equal(version, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
})

test('an instance that trapped is given up', async () => {
  const instance = await Instance.create(module)
  const used = instance.call('onenlp_memory_used')
  assert.ok(used > 0)
  assert.throws(() => instance.call('onenlp_next', 0xfffffff0, 0), onenlpError('INTERNAL', /stopped in onenlp_next/))
  assert.throws(() => instance.call('onenlp_memory_used'), onenlpError('INTERNAL', /stopped in onenlp_next/))
  assert.ok(instance.failure instanceof OnenlpError)
})

test('each instance has random bits for its hash tables, which are refused once there may be tables', async (t) => {
  const random = t.mock.method(Math, 'random')
  const instance = await Instance.create(module)
  assert.equal(random.mock.callCount(), 2)
  assert.equal(instance.call('onenlp_seed_hashes', 1, 2), 0)
})

test('memory that grows is seen at once', async () => {
  const instance = await Instance.create(module)
  const before = instance.memorySize
  const kept = instance.u8
  const block = instance.alloc(before * 2)
  assert.ok(instance.memorySize > before)
  assert.equal(kept.length, 0)
  instance.u8[block + before] = 7
  assert.deepEqual([...instance.bytes(block + before, 1)], [7])
  instance.free(block)
})

test('what does not fit is OUT_OF_MEMORY, and the instance stays usable', async () => {
  const instance = await Instance.create(module)
  instance.call('onenlp_set_memory_limit', 1 << 20)
  assert.throws(() => instance.alloc(2 << 20), onenlpError('OUT_OF_MEMORY'))
  assert.throws(() => instance.alloc(2 ** 32), onenlpError('OUT_OF_MEMORY'))
  instance.free(instance.alloc(1000))
  instance.call('onenlp_set_memory_limit', 0)
  assert.throws(() => instance.alloc(2 ** 32 - 1), onenlpError('OUT_OF_MEMORY'))
  instance.free(instance.alloc(1000))
})
