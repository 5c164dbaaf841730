// What is packed, and what it may import. (tests/runtimes runs it.)

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'

import { hashOfSources, recordBuild } from '../../tools/built.mjs'
import { root, temporaryFolder, unless, wasm } from './helpers/runtime.mjs'

const folder = temporaryFolder()
const installed = folder.path('installed')
const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// A copy, which is fresh by definition: what the repository's own dist/ is made of is known only in a whole test run.
const copy = folder.path('copy')
for (const name of ['package.json', 'README.md', 'LICENSE', 'CMakeLists.txt', 'CMakePresets.json', 'cmake', 'docs', 'src', 'wasm', 'tools', 'js', 'dist']) {
  cpSync(join(root, name), join(copy, name), { recursive: true })
}
recordBuild(copy, hashOfSources(copy))

function pack(target) {
  mkdirSync(folder.path(target), { recursive: true })
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder.path(target)], { cwd: copy, encoding: 'utf8' })
  return { status, stderr, file: status === 0 ? join(folder.path(target), JSON.parse(stdout.slice(stdout.indexOf('[')))[0].filename) : null }
}

function packed(target) {
  const { status, stderr, file } = pack(target)
  assert.equal(status, 0, stderr)
  return file
}

const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')
const filesIn = (path) => readdirSync(path, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => relative(path, join(entry.parentPath ?? entry.path, entry.name)))

test('the package holds exactly what `files` lists, and is the same when packed again', { skip: unless(wasm) }, () => {
  const tarball = packed('pack')
  mkdirSync(installed)
  assert.equal(spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']).status, 0)
  // npm adds these three by itself.
  const listed = about.files.flatMap((name) => (name.endsWith('js') ? filesIn(join(root, name)).map((file) => `${name}/${file}`) : [name]))
  assert.deepEqual(filesIn(installed).sort(), [...listed, 'package.json', 'README.md', 'LICENSE'].sort())
  for (const name of about.files) assert.ok(existsSync(join(root, name)), name)
  assert.equal(hash(packed('again')), hash(tarball))
})

test('what is in js/ is in the repository', { skip: !existsSync(join(root, '.git')) && 'no repository' }, () => {
  const { stdout } = spawnSync('git', ['ls-files', '--others', '--exclude-standard', 'js'], { cwd: root, encoding: 'utf8' })
  assert.equal(stdout, '', 'these would be packed, and are not committed')
})

test('nothing is missing that the exports name, and there are no dependencies', { skip: unless(wasm) }, () => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, exports, bin, main, types } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual([dependencies, optionalDependencies], [undefined, undefined])
  for (const name in peerDependencies) assert.ok(peerDependenciesMeta[name].optional, name)
  const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targets))
  for (const target of [...targets(exports), ...targets(bin), main, types]) assert.ok(existsSync(join(installed, target)), target)
  assert.deepEqual(Object.keys(exports['.']), ['workerd', 'deno', 'node', 'browser', 'default'])
  // A path in a comment or a message leads somewhere.
  for (const file of filesIn(join(installed, 'js'))) {
    for (const [path] of readFileSync(join(installed, 'js', file), 'utf8').matchAll(/\bdocs\/[\w.-]+\b/g)) {
      assert.ok(existsSync(join(installed, path)) || path === 'docs/format.md', `js/${file} names ${path}, which is not packed`)
    }
  }
})

test('a stale build is refused, whatever the times of the files', { skip: unless(wasm) }, () => {
  const check = (status, stderr, message) => {
    assert.notEqual(status, 0)
    assert.match(stderr, message)
    assert.match(stderr, /run npm run build -- wasm/)
  }
  // What npm runs first; that it does is seen once, at the end.
  const refused = (message) => {
    const { status, stderr } = spawnSync(process.execPath, ['tools/prepack.mjs'], { cwd: copy, encoding: 'utf8' })
    check(status, stderr, message)
  }
  const changed = (name, change, message) => {
    const path = join(copy, name)
    const before = readFileSync(path)
    change(path, before)
    refused(message)
    writeFileSync(path, before)
  }
  changed('src/head/tagger.c', (path, before) => writeFileSync(path, `${before}\n`), /not made from the sources as they are/)
  changed('src/tokenize/data/english.txt', (path) => rmSync(path), /not made from the sources as they are/)
  changed('wasm/exports.txt', (path, before) => writeFileSync(path, `${before}onenlp_more\n`), /not made from the sources as they are/)
  changed('dist/onenlp.wasm', (path, before) => writeFileSync(path, before.subarray(1)), /onenlp\.wasm is not the one that was built/)
  changed('dist/onenlp.wasm', (path) => rmSync(path), /onenlp\.wasm is missing/)
  changed('dist/build.json', (path) => rmSync(path), /no record of a build/)
  const added = join(copy, 'src/base/more.c')
  writeFileSync(added, '')
  refused(/not made from the sources as they are/)
  const { status, stderr } = pack('refused')
  check(status, stderr, /not made from the sources as they are/)
  assert.deepEqual(readdirSync(folder.path('refused')), [])
  rmSync(added)
  // What no module is made of is no matter.
  writeFileSync(join(copy, 'src/cli/more.c'), '')
  assert.equal(hash(packed('fresh')), hash(packed('pack')))
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
