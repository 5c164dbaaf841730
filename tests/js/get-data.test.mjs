// tools/get-data against a mirror on this machine.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const tool = fileURLToPath(new URL('../../tools/get-data', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'onenlp-get-data-'))
const train = '# text = Yes\n1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n\n'
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const corpus = 'ud/UD_Test-Small'
let manifest

function writeManifest(name, commit, hash) {
  const path = join(work, name)
  writeFileSync(path, JSON.stringify({
    [corpus]: {
      repository: 'https://example.org/Owner/UD_Test-Small',
      commit,
      release: 'r1',
      licence: 'CC0',
      files: { 'train.conllu': { from: 'xx_small-ud-train.conllu', sha256: hash } },
    },
  }))
  return path
}

function getData(data, ...args) {
  return spawnSync(tool, args, { encoding: 'utf8', env: { ...process.env, ONENLP_DATA: data } })
}

before(() => {
  const repository = join(work, 'mirror/Owner/UD_Test-Small')
  mkdirSync(repository, { recursive: true })
  const git = (...args) => execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' }).trim()
  git('init', '-q')
  writeFileSync(join(repository, 'xx_small-ud-train.conllu'), train)
  git('add', '.')
  git('commit', '-q', '-m', 'pinned')
  const commit = git('rev-parse', 'HEAD')
  // The newest state is another one: only the pinned commit may count.
  writeFileSync(join(repository, 'xx_small-ud-train.conllu'), 'later\n')
  git('commit', '-q', '-a', '-m', 'later')
  manifest = writeManifest('data.json', commit, sha256(train))
  writeManifest('wrong.json', commit, sha256('something else'))
})

after(() => rmSync(work, { recursive: true, force: true }))

test('brings the pinned commit from a mirror, for a recipe that names the corpus', () => {
  const data = join(work, 'data')
  const recipe = join(work, 'recipe.json')
  writeFileSync(recipe, JSON.stringify({ data: { train: [`${corpus}/train.conllu`] } }))
  const { status, stderr } = getData(data, '--manifest', manifest, '--mirror', join(work, 'mirror'), recipe)
  assert.equal(status, 0, stderr)
  assert.equal(readFileSync(join(data, corpus, 'train.conllu'), 'utf8'), train)
})

test('keeps what is there, and needs no mirror then', () => {
  const data = join(work, 'kept')
  mkdirSync(join(data, corpus), { recursive: true })
  writeFileSync(join(data, corpus, 'train.conllu'), 'my own\n')
  const { status, stderr } = getData(data, '--manifest', manifest, '--mirror', '/nowhere', corpus)
  assert.equal(status, 0, stderr)
  assert.match(stderr, /kept, though it is not the pinned version/)
  assert.equal(readFileSync(join(data, corpus, 'train.conllu'), 'utf8'), 'my own\n')
})

test('refuses a file whose hash is not the pinned one', () => {
  const data = join(work, 'refused')
  const { status, stderr } = getData(data, '--manifest', join(work, 'wrong.json'), '--mirror', join(work, 'mirror'), corpus)
  assert.equal(status, 1)
  assert.match(stderr, /xx_small-ud-train\.conllu: its SHA-256 is not the pinned one/)
  assert.equal(existsSync(join(data, corpus)), false)
})

test('names what it does not know', () => {
  const { status, stderr } = getData(join(work, 'data'), '--manifest', manifest, 'ud/UD_Nothing')
  assert.equal(status, 1)
  assert.match(stderr, /ud\/UD_Nothing is neither a recipe nor a corpus/)
})
