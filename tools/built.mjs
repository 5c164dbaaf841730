// Whether dist/ is made from the sources as they are: the build records their hash and those of the modules. (Times of
// files would not do: a checkout, a copy or an archive has others.)

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the modules are made of. The command line and the training are native only. */
const SOURCES = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'js/core/relaxed.js', 'src', 'tools/third-party.json', 'wasm']
const NATIVE_ONLY = ['src/cli', 'src/train']

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
const recordOf = (root) => join(root, 'dist/build.json')

function filesOf(root, name) {
  if (NATIVE_ONLY.includes(name) || !existsSync(join(root, name))) return []
  if (!statSync(join(root, name)).isDirectory()) return [name]
  return readdirSync(join(root, name)).sort().flatMap((entry) => filesOf(root, `${name}/${entry}`))
}

/** One hash of all sources of the modules: names and contents. */
export function hashOfSources(root) {
  const hash = createHash('sha256')
  for (const name of SOURCES.flatMap((name) => filesOf(root, name))) hash.update(`${name}\0${sha256(readFileSync(join(root, name)))}\n`)
  return hash.digest('hex')
}

const modulesOf = (root) => readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.wasm')).sort()

/** Records that the modules in dist/ were made from the sources with this hash, which was taken before they were built. */
export function recordBuild(root, sources) {
  const modules = Object.fromEntries(modulesOf(root).map((name) => [name, sha256(readFileSync(join(root, 'dist', name)))]))
  const record = `${JSON.stringify({ sources, modules }, null, 2)}\n`
  if (!existsSync(recordOf(root)) || readFileSync(recordOf(root), 'utf8') !== record) writeFileSync(recordOf(root), record)
}

/** What is wrong with dist/, or null. `files`: the modules that are wanted. */
export function staleness(root, files) {
  if (!existsSync(recordOf(root))) return 'dist/ has no record of a build'
  const { sources, modules } = JSON.parse(readFileSync(recordOf(root), 'utf8'))
  if (sources !== hashOfSources(root)) return 'dist/ is not made from the sources as they are'
  for (const file of files) {
    const name = file.replace(/^dist\//, '')
    if (!existsSync(join(root, file))) return `${file} is missing`
    if (modules[name] !== sha256(readFileSync(join(root, file)))) return `${file} is not the one that was built`
  }
  return null
}
