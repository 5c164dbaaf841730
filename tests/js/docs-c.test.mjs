// The programs of docs/c.md compile without a warning and do what is said there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { tinyPipeline } from './helpers/tiny-pipeline.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const build = process.env.ONENLP_BUILD ?? join(root, 'build/native')
const libraries = ['src/libonenlp.a', 'libonenlp_utf8proc.a', 'libonenlp_cjson.a'].map((name) => join(build, name))
const folder = mkdtempSync(join(tmpdir(), 'onenlp-docs-c-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const model = join(folder, 'tiny.onenlp')
writeFileSync(model, tinyPipeline())
const programs = [...readFileSync(join(root, 'docs/c.md'), 'utf8').matchAll(/^```c\n(.*?)^```$/gms)].map(([, code]) => code)

function compile(code, name) {
  const source = join(folder, `${name}.c`)
  const program = join(folder, name)
  writeFileSync(source, code)
  const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Werror']
  const { status, stderr, error } = spawnSync(process.env.CC ?? 'cc',
    ['-std=c11', ...warnings, `-I${join(root, 'src')}`, source, ...libraries, '-lm', '-o', program], { encoding: 'utf8' })
  assert.equal(status, 0, stderr ?? String(error))
  return program
}

const skip = !libraries.every((name) => existsSync(name)) && 'the native libraries are not built'

test('docs/c.md has two programs', () => assert.equal(programs.length, 2))

test('the first program writes CoNLL-U', { skip }, () => {
  const program = compile(programs[0], 'first')
  const { status, stdout } = spawnSync(program, [model], { input: "Don't panic.", encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(stdout, /^# newpar\n# sent_id = 1\n# text = Don't panic\.\n1-2\tDon't\t/)
  const bad = spawnSync(program, [join(root, 'docs/c.md')], { input: '', encoding: 'utf8' })
  assert.equal(bad.status, 1)
  assert.match(bad.stderr, /^INVALID_DATA: .*not a pipeline file/)
})

test('the second program prints columns', { skip }, () => {
  const { status, stdout } = spawnSync(compile(programs[1], 'second'), [model, 'The cat.'], { encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(stdout, /^0-3 [A-Z]+\n4-7 [A-Z]+\n7-8 [A-Z]+\n$/)
})
