// What tests of the package share.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const command = join(root, 'js/cli/onenlp.mjs')
export const native = process.env.ONENLP_NATIVE ?? join(root, 'build/native/onenlp')
export const wasm = join(root, 'dist/onenlp.wasm')
export const data = process.env.ONENLP_DATA ?? join(root, 'data')
export const englishModel = join(root, 'models/en.onenlp')

/** Why a test that needs this file cannot run, or false: for the option `skip`. */
export const unless = (...files) => {
  const missing = files.filter((file) => !existsSync(file))
  return missing.length > 0 && `needs ${missing.join(' and ')}`
}

/** A folder that is gone after the tests of the file. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'onenlp-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return {
    path: (name) => join(folder, name),
    write(name, content) {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    },
  }
}

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')

/** Bytes of JavaScript values, after a collection. */
export function heapUsed() {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}

/** What assert.throws and assert.rejects compare an OnenlpError with. */
export const onenlpError = (code, message = /./, position) => (error) => {
  if (error?.name !== 'OnenlpError') throw error
  const seen = `${error.code} at ${error.position}: ${error.message}`
  if (error.code !== code) throw new Error(`code is not ${code}: ${seen}`)
  if (!message.test(error.message)) throw new Error(`message is not ${message}: ${seen}`)
  if (position !== undefined && error.position !== position) throw new Error(`position is not ${position}: ${seen}`)
  return true
}
