// The steps that build, annotate and test share. Everything they say goes to standard error, so
// that a caller's standard output stays its own.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { bytes as relaxedModule } from '../js/core/relaxed.js'
import { hashOfSources, recordBuild } from './built.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A step failed; its own output has said why. */
export class StepFailed extends Error {}

export function say(text) {
  process.stderr.write(`${text}\n`)
}

/**
 * Runs a command in the repository, its output on standard error. Throws StepFailed.
 * `quiet` holds the output back unless the command fails or a compiler warns.
 */
export function run(command, args, { env = {}, quiet = false } = {}) {
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (error) throw new StepFailed(`${command}: ${error.message}`)
  if (quiet && (status !== 0 || /warning:/i.test(stdout + stderr))) process.stderr.write(stdout + stderr)
  if (status !== 0) throw new StepFailed(`${command} ${args.join(' ')}: ${signal ?? `exit code ${status}`}`)
}

/** The name of a program of LLVM, which may have a version behind it; `debian` is the package that has it. */
export function llvmProgram(name, debian) {
  const found = [name, `${name}-14`, `${name}-19`].find((each) => !spawnSync(each, ['--version']).error)
  if (!found) throw new StepFailed(`${name} is missing (Debian: ${debian})`)
  return found
}

/** The folder of corpora. */
export function dataFolder() {
  return process.env.ONENLP_DATA ? resolve(process.env.ONENLP_DATA) : join(root, 'data')
}

/** Installs what is missing. `group`: wasm, build, test or browser. */
export function setup(group) {
  run(join(root, 'tools/setup'), group === 'test' ? [] : [`--${group}`])
}

const binaryFolders = { dev: 'dev', release: 'native', wasm: 'wasm', tsan: 'tsan', fuzz: 'fuzz', coverage: 'coverage' }

export function binaryFolder(preset) {
  return join(root, 'build', binaryFolders[preset])
}

/** Configures a preset if it never was, or if the presets changed; ninja sees to the rest. */
export function configure(preset) {
  const folder = binaryFolder(preset)
  const done = join(folder, 'build.ninja')
  if (existsSync(done) && statSync(done).mtimeMs > statSync(join(root, 'CMakePresets.json')).mtimeMs) return
  say(`configuring ${relative(root, folder)}`)
  run('cmake', ['--preset', preset], { quiet: true })
}

/** Builds targets of a preset; says nothing where all is up to date. */
export function build(preset, targets = []) {
  configure(preset)
  const plan = spawnSync('ninja', ['-C', binaryFolder(preset), '-n', ...targets], { encoding: 'utf8' })
  if (plan.status === 0 && plan.stdout.includes('no work to do')) return
  say(`building ${[relative(root, binaryFolder(preset)), ...targets].join(' ')}`)
  run('cmake', ['--build', '--preset', preset, ...(targets.length > 0 ? ['--target', ...targets] : [])], {
    // Ninja's running line of progress is for a terminal; in a log it would be one line a file.
    quiet: !process.stderr.isTTY,
  })
}

const allowedImports = new Set(['env.emscripten_notify_memory_growth'])

/** Builds dist/, and records what it was made of. */
export function buildWasm() {
  // Taken before: a source that changes while it is built makes the build stale.
  const sources = hashOfSources(root)
  buildModules()
  recordBuild(root, sources)
}

/** Builds the modules, checks what they import, and puts them into dist/. */
function buildModules() {
  build('wasm', ['onenlp_wasm', 'onenlp_transformer_wasm'])
  placeModule('onenlp.wasm', allowedImports)
  // Encoder files stay with the host.
  placeModule('onenlp.transformer.wasm', new Set([...allowedImports, 'onenlp.open', 'onenlp.read', 'onenlp.engine', 'onenlp.encode']))
  // For hosts that compile nothing; others make it from the same bytes.
  place('onenlp.relaxed.wasm', relaxedModule)
}

function placeModule(name, allowed) {
  const bytes = readFileSync(join(binaryFolder('wasm'), name))
  const unwanted = WebAssembly.Module.imports(new WebAssembly.Module(bytes))
    .map(({ module, name }) => `${module}.${name}`)
    .filter((imported) => !allowed.has(imported))
  if (unwanted.length > 0) {
    throw new StepFailed(`${name} imports ${unwanted.join(', ')}; only ${[...allowed].join(', ')} may be imported`)
  }
  place(name, bytes)
}

function place(name, bytes) {
  const target = join(root, 'dist', name)
  if (existsSync(target) && readFileSync(target).equals(bytes)) return
  mkdirSync(dirname(target), { recursive: true })
  // Renaming is atomic: another process never loads half a module.
  writeFileSync(`${target}.part`, bytes)
  renameSync(`${target}.part`, target)
  say(`dist/${name}: ${bytes.length} bytes`)
}

/** Builds build/native/onenlp. */
export function buildNative() {
  build('release', ['onenlp_cli'])
}

/** Runs `main` and turns a failed step into one line and a non-zero exit. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    say(`failed: ${error.message}`)
    process.exitCode = 1
  }
}
