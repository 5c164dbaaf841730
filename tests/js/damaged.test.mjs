// Damaged pipeline files in the module: an error that says what is wrong, or a pipeline that works;
// never a trap, never a leak.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { Instance } from '../../js/core/instance.js'
import { Pipeline } from '../../js/core/pipeline.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { wasm } from './helpers/runtime.mjs'

const file = englishPipeline()
const instance = await Instance.create(new WebAssembly.Module(readFileSync(wasm)))

/** The code of the error that loading gives, or null where the file loads and annotates. */
function tryFile(bytes) {
  try {
    const nlp = new Pipeline(instance, instance.allocBytes(bytes), bytes.length)
    nlp.annotate('Ada didn\'t meet Bob in Paris. She left.')
    nlp.close()
    return null
  } catch (error) {
    assert.equal(error.name, 'OnenlpError', error.stack)
    assert.ok(['INVALID_DATA', 'UNSUPPORTED', 'LIMIT', 'OUT_OF_MEMORY'].includes(error.code), `${error.code}: ${error.message}`)
    assert.notEqual(error.message, '')
    return error.code
  }
}

// The config and the table of tensors lie before the numbers, which may be anything.
const numbersAt = file.indexOf('__metadata__') + 2000

test('cut off anywhere', () => {
  const used = instance.call('onenlp_memory_used')
  for (let length = 0; length < file.length; length += length < numbersAt ? 13 : 997) {
    assert.notEqual(tryFile(file.subarray(0, length)), null, `${length} bytes`)
  }
  assert.notEqual(tryFile(Buffer.concat([file, Buffer.alloc(1)])), null)
  assert.equal(instance.call('onenlp_memory_used'), used)
})

test('with any bit flipped', (t) => {
  const used = instance.call('onenlp_memory_used')
  let errors = 0
  let tried = 0
  for (let at = 0; at < file.length; at += at < numbersAt ? 3 : 211, tried++) {
    const damaged = Buffer.from(file)
    damaged[at] ^= 1 << (at % 8)
    if (tryFile(damaged) !== null) errors++
    else assert.ok(at >= 32, `byte ${at} of the header may be anything`)
  }
  t.diagnostic(`${errors} of ${tried} damaged files were refused, the others work`)
  assert.ok(errors > 300)
  assert.equal(instance.call('onenlp_memory_used'), used)
})

test('and the module still works', () => {
  assert.equal(tryFile(file), null)
  assert.equal(instance.failure, null)
})
