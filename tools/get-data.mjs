// Brings the corpora that a recipe reads, each at the commit that recipes/data.json pins.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { root, run, runMain, say, StepFailed } from './steps.mjs'

const usage = `tools/get-data [--mirror DIR] [--list] RECIPE.json | FOLDER ...

  RECIPE.json    the corpora whose folders this recipe names, such as recipes/en/ewt.json
  FOLDER         a corpus by its folder, such as ud/UD_English-EWT
  --mirror DIR   take the repositories from DIR (DIR/OWNER/NAME or DIR/NAME, with or without .git)
                 instead of from where they are published; ONENLP_DATA_MIRROR does the same
  --list         print the corpora that can be had
  --manifest F   another list of corpora than recipes/data.json

Files are put into the folder that ONENLP_DATA names, else into data/ of this repository. What is
there already is kept.`

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

const isPinned = (file, { sha256 }) => createHash('sha256').update(readFileSync(file)).digest('hex') === sha256

function get(folder, data, mirror) {
  const { commit, files } = manifest[folder]
  const missing = []
  for (const [name, pin] of Object.entries(files)) {
    const file = join(data, folder, name)
    if (!existsSync(file)) missing.push(name)
    else if (!isPinned(file, pin)) say(`${file}: kept, though it is not the pinned version`)
  }
  if (missing.length === 0) return say(`${join(data, folder)}: there`)

  const repository = repositoryOf(folder, mirror)
  say(`${folder}: fetching commit ${commit.slice(0, 12)} of ${repository}`)
  const work = mkdtempSync(join(tmpdir(), 'onenlp-data-'))
  try {
    const git = (...args) => run('git', ['-C', work, ...args], { env: { GIT_TERMINAL_PROMPT: '0' }, quiet: true })
    git('init', '-q')
    git('remote', 'add', 'origin', repository)
    // One commit, and of its files only those that are checked out.
    git('fetch', '-q', '--depth=1', '--filter=blob:none', 'origin', commit)
    git('checkout', '-q', commit, '--', ...missing.map((name) => files[name].from))
    for (const name of missing) {
      const { from } = files[name]
      if (!isPinned(join(work, from), files[name])) throw new StepFailed(`${from}: its SHA-256 is not the pinned one`)
      const target = join(data, folder, name)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(work, from), `${target}.part`)
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
  const folders = new Set()
  for (const name of positionals) {
    if (name.endsWith('.json')) foldersOfRecipe(name).forEach((folder) => folders.add(folder))
    else if (name in manifest) folders.add(name)
    else throw new StepFailed(`${name} is neither a recipe nor a corpus of recipes/data.json (see --list)`)
  }
  const data = process.env.ONENLP_DATA ? resolve(process.env.ONENLP_DATA) : join(root, 'data')
  for (const folder of folders) get(folder, data, values.mirror ?? process.env.ONENLP_DATA_MIRROR)
})
