// What is packed, and what it may import. (tests/runtimes runs it.)

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'

import { root, temporaryFolder } from './helpers/runtime.mjs'

const folder = temporaryFolder()
const installed = folder.path('installed')

function pack(target) {
  mkdirSync(target, { recursive: true })
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return join(target, JSON.parse(stdout)[0].filename)
}

test('the package holds what it should, and is the same when packed again', () => {
  const tarball = pack(folder.path('pack'))
  mkdirSync(installed)
  assert.equal(spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']).status, 0)
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => relative(installed, join(entry.parentPath ?? entry.path, entry.name)))
  for (const name of ['package.json', 'README.md', 'LICENSE', 'dist/onenlp.wasm', 'docs/javascript.md', 'js/index.js', 'js/node.cjs']) {
    assert.ok(files.includes(name), name)
  }
  for (const name of files) assert.match(name, /^(js\/|dist\/onenlp(\.transformer)?\.wasm$|docs\/javascript\.md$|package\.json$|README\.md$|LICENSE$)/)
  const { dependencies, exports, bin, main, types } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined)
  const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targets))
  for (const target of [...targets(exports), ...targets(bin), main, types]) assert.ok(existsSync(join(installed, target)), target)
  assert.deepEqual(Object.keys(exports['.']), ['workerd', 'deno', 'node', 'browser', 'default'])
  const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')
  assert.equal(hash(pack(folder.path('again'))), hash(tarball))
})

test('portable files name no module of a runtime', () => {
  const seen = new Set()
  const visit = (url) => {
    if (seen.has(url.href)) return
    seen.add(url.href)
    const text = readFileSync(url, 'utf8')
    for (const [, from] of text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom '([^']+)'|^import '([^']+)'/gm)) {
      assert.match(from, /^\.\.?\//, `${url.pathname} imports ${from}`)
      visit(new URL(from, url))
    }
    assert.doesNotMatch(text, /\b(eval|new Function)\(/)
  }
  for (const entry of ['index.js', 'formats/index.js', 'pool/worker.js', 'render/index.js']) visit(new URL(`../../js/${entry}`, import.meta.url))
  assert.ok(seen.size > 15)
})
