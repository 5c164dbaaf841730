// Puts the sources that tools/third-party.json names into third_party/, each from the first of:
// an archive in third_party/archives/, Debian's source package, the project's release archive.
// All three are the same bytes, checked by SHA-256. Called by tools/setup.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'third_party')
const list = JSON.parse(readFileSync(join(root, 'tools/third-party.json'), 'utf8'))

const say = (text) => process.stderr.write(`setup: ${text}\n`)
const folderOf = (name) => join(folder, `${name}-${list[name].version}`)

/** Runs a command quietly; true where it ended well. */
function run(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'ignore', ...options }).status === 0
}

function isWanted(file, { sha256 }) {
  return existsSync(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === sha256
}

/**
 * Source entries for apt, made from the machine's own binary entries, so that they name the mirror
 * that this machine uses. Returns false where there are none.
 */
function writeAptSources(target) {
  const apt = '/etc/apt'
  const parts = join(apt, 'sources.list.d')
  const files = [join(apt, 'sources.list'), ...(existsSync(parts) ? readdirSync(parts).map((name) => join(parts, name)) : [])]
  let count = 0
  for (const file of files.filter((name) => existsSync(name) && /\.(list|sources)$/.test(name))) {
    const text = readFileSync(file, 'utf8')
    if (!/debian/i.test(text)) continue
    const sources = file.endsWith('.list')
      ? text.split('\n').filter((line) => /^\s*deb\s/.test(line) && /debian/i.test(line)).map((line) => line.replace(/^\s*deb\s/, 'deb-src ')).join('\n')
      : text.replace(/^Types:.*$/gm, 'Types: deb-src')
    if (sources.trim() !== '') writeFileSync(join(target, `${count++}-${basename(file)}`), `${sources}\n`)
  }
  return count > 0
}

/** Fetches Debian's source archives into `work`, without touching the system's apt set-up. */
function fromDebian(names, work) {
  if (!existsSync('/usr/bin/apt-get')) return
  const [parts, lists, cache] = ['parts', 'lists', 'cache'].map((name) => join(work, name))
  for (const path of [parts, join(lists, 'partial'), join(cache, 'archives/partial')]) mkdirSync(path, { recursive: true })
  if (!writeAptSources(parts)) return
  const options = [
    'Dir::Etc::SourceList=/dev/null', `Dir::Etc::SourceParts=${parts}`, `Dir::State::Lists=${lists}`,
    `Dir::Cache=${cache}`, 'APT::Sandbox::User=root', 'Acquire::Languages=none', 'Acquire::Retries=2',
  ].flatMap((option) => ['-o', option])
  say('fetching source packages from Debian')
  run('apt-get', [...options, 'update', '-q'], { cwd: work })
  for (const name of names) {
    run('apt-get', [...options, 'source', '-q', '--download-only', '--tar-only', list[name].debianSource], { cwd: work })
  }
}

/** Fetches the release archive; curl, where there is one, knows the machine's proxy. */
async function fromRelease(name, target) {
  const { url } = list[name]
  say(`fetching ${url}`)
  if (run('curl', ['-fsSL', '--retry', '2', '--max-time', '120', '-o', target, url])) return
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(120_000) })
    if (response.ok) writeFileSync(target, new Uint8Array(await response.arrayBuffer()))
  } catch {
    // The caller sees that no archive came.
  }
}

/** Unpacks the files that we use; the folder appears under its name only when it is complete. */
function unpack(archive, name) {
  const { version, files } = list[name]
  const half = `${folderOf(name)}.part`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  const members = files.map((file) => `${name}-${version}/${file}`)
  if (!run('tar', ['-xzf', archive, '--strip-components=1', '-C', half, ...members])) {
    throw new Error(`cannot unpack ${archive}`)
  }
  renameSync(half, folderOf(name))
}

async function main() {
  let wanted = Object.keys(list).filter((name) => !existsSync(folderOf(name)))
  if (wanted.length === 0) return
  const work = mkdtempSync(join(tmpdir(), 'onenlp-setup-'))
  const take = (archiveOf) => {
    wanted = wanted.filter((name) => {
      const archive = archiveOf(name)
      if (!isWanted(archive, list[name])) return true
      unpack(archive, name)
      return false
    })
  }
  try {
    mkdirSync(folder, { recursive: true })
    take((name) => join(folder, 'archives', `${name}-${list[name].version}.tar.gz`))
    if (wanted.length > 0) fromDebian(wanted, work)
    take((name) => join(work, list[name].debianFile))
    const released = (name) => join(work, `${name}.tar.gz`)
    for (const name of wanted) await fromRelease(name, released(name))
    take(released)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  for (const name of wanted) {
    const { version, sha256, url } = list[name]
    say(`no source of ${name} ${version}: neither Debian's source package nor the release archive came, or its SHA-256 differs.`)
    say(`  Put ${url}`)
    say(`  as third_party/archives/${name}-${version}.tar.gz (SHA-256 ${sha256}) and run tools/setup again.`)
  }
  if (wanted.length > 0) process.exit(1)
}

await main()
