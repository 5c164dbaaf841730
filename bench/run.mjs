// node bench/run.mjs: onenlp beside what people use today, in one run. bench/README.md says how to install the others.
//
//   --quick            fewer rounds (some minutes)
//   --python FILE      a Python that has bench/requirements.txt (or ONENLP_BENCH_PYTHON)
//   --udpipe-model F   a model of bench/python/train_udpipe.py (or ONENLP_BENCH_UDPIPE)
//   --encoder FOLDER   a transformer with its tokenizer, of tools/export-minilm.py (or ONENLP_BENCH_ENCODER)
//   --only A,B         only what begins with one of these (wink, small-Node, full-, growth, transformer, ...)
//   --starts N         N fresh processes of each: starts and first passes, and nothing else
//   --json FILE        the numbers as well
//
// What is measured is processor time of the thread that annotates, so a busy machine disturbs it little; systems take
// turns, and every figure is a median.

import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

import { build, say } from '../tools/steps.mjs'
import { chromium } from './browser.mjs'
import { Progress } from './progress.mjs'
import { accuracyTable, growthTable, median, speedTable, startTable, transformerTable } from './report.mjs'
import { bareRuntimes, systemsOf } from './systems.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const data = process.env.ONENLP_DATA ?? join(root, 'data')

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    python: { type: 'string', default: process.env.ONENLP_BENCH_PYTHON },
    'udpipe-model': { type: 'string', default: process.env.ONENLP_BENCH_UDPIPE },
    encoder: { type: 'string', default: process.env.ONENLP_BENCH_ENCODER },
    native: { type: 'string' },
    only: { type: 'string' },
    starts: { type: 'string' },
    json: { type: 'string' },
  },
})

const GOLD = join(data, 'ud/UD_English-EWT/test.conllu')
const NOVEL = join(data, 'raw/1342_pride_and_prejudice.txt')

// Every text is the same for all systems of a task.
const TEXTS = { small: ['ewt', 'novel', 'chat'], full: ['novel-short', 'chat'] }
/** wink-nlp takes part in both, though what it does in the second is far less. */
const textsOf = ({ id, task }) => (id === 'wink' ? [...new Set([...TEXTS.small, ...TEXTS.full])] : TEXTS[task])
const ROUNDS = options.quick ? 3 : 7
const STARTS = Number(options.starts ?? (options.quick ? 5 : 9))
if (!(STARTS >= 1)) throw new Error(`--starts ${options.starts}: how many?`)
// A system that takes longer than this for a text gets one turn in three.
const SLOW_MS = 1500
// A turn goes on until it has taken this long, so that the clock's steps do not matter.
const TURN_MS = options.quick ? 60 : 200

// Characters of the growing text, as powers of ten.
const SIZES = [3, 4, 5, 6, 7]
const GROWTH_ROUNDS = options.quick ? 2 : 5

/** Whether `--only` asks for this. */
const isAsked = (id) => !options.only || options.only.split(',').some((start) => id.startsWith(start))

const folder = mkdtempSync(join(tmpdir(), 'onenlp-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

function write(name, text) {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** The texts as files, as the workers take them. */
function prepareTexts() {
  const files = {}
  const add = (name, text, lines = false) => {
    const path = write(`${name}.txt`, text)
    files[name] = { path, native: path, lines }
  }
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'js/cli/onenlp.mjs'), 'convert', '-t', 'treebank-text', GOLD],
    { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status === 0) add('ewt', stdout)
  const chat = readFileSync(join(here, 'chat.txt'), 'utf8')
  // Without corpora everything can still be tried.
  const novel = existsSync(NOVEL) ? readFileSync(NOVEL, 'utf8').replaceAll('\r\n', '\n') : stdout || chat.repeat(60)
  add('novel', novel.slice(0, 100_000))
  add('novel-short', novel.slice(0, 20_000))
  add('chat', chat, true)
  const most = novel.repeat(Math.ceil(10 ** SIZES.at(-1) / novel.length))
  for (const power of SIZES) add(`size-${power}`, most.slice(0, 10 ** power))
  return files
}

function machine(systems) {
  const [{ model }] = cpus()
  const version = (command, args) => spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim().split('\n')[0]
  const flags = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8').match(/^flags.*$/m)?.[0] ?? '' : ''
  const vectors = ['avx2', 'avx512f', 'avx512_vnni', 'avx_vnni'].filter((flag) => flags.split(' ').includes(flag))
  const load = loadavg().map((value) => value.toFixed(1)).join(' ')
  const uses = (runtime) => systems.some((system) => system.runtime === runtime)
  const versions = [
    `Node ${process.version}`,
    uses('Deno') && version(join(root, 'node_modules/.bin/deno'), ['--version']),
    uses('Bun') && `Bun ${version(join(root, 'node_modules/.bin/bun'), ['--version'])}`,
    uses('Chromium') && version(chromium, ['--version']),
    options.python && version(options.python, ['--version']),
  ].filter(Boolean)
  return [
    `Machine: ${model} (${vectors.join(', ')}), ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}`,
    `Runtimes: ${versions.join(', ')}`,
    `Load at the start: ${load}${loadavg()[0] > 1.5 ? ' (busy: times are processor time, but caches are shared)' : ''}`,
  ].join('\n')
}

const titleOf = ({ name, runtime }) => `${name} (${runtime})`

function problem(system, answer) {
  say(`\nbench: ${system.name} (${system.runtime}) failed and is left out: ${String(answer.error).split('\n')[0]}`)
  system.failed = true
}

/** Starts a system: its process (null where that failed, which is said) and what it says of opening. */
async function open(system) {
  let child = null
  try {
    child = await system.start()
    const opened = await child.request({ do: 'open' })
    if (!opened.error) return { child, opened }
    problem(system, opened)
  } catch (error) {
    problem(system, { error: error.message })
  }
  await child?.close()
  return { child: null, opened: null }
}

/** Fresh processes in turn: from bytes in memory to the first sentence, memory, the first pass over a text. */
async function measureStarts(systems, bare, progress) {
  const starts = new Map(systems.map((system) => [system, []]))
  const bareMemory = Object.fromEntries(Object.keys(bare).map((name) => [name, []]))
  for (let round = 0; round < STARTS; round++) {
    for (const [name, start] of Object.entries(bare)) {
      const child = await start()
      const { memory } = await child.request({ do: 'open' })
      if (memory) bareMemory[name].push(memory)
      await child.close()
    }
    for (const system of systems) {
      if (system.failed) continue
      progress.step(`starts, round ${round + 1} of ${STARTS}`, titleOf(system))
      const { child, opened } = await open(system)
      if (!child) continue
      const first = await child.request({ do: 'pass', text: system.task === 'small' ? 'novel' : 'novel-short' })
      if (first.error) problem(system, first)
      else starts.get(system).push({ round, opened, first })
      await child.close()
    }
  }
  const memoryOf = (name) => (bareMemory[name]?.length ? median(bareMemory[name]) : null)
  for (const [system, list] of starts) {
    if (list.length === 0) continue
    const of = (take) => median(list.map(take))
    const memory = list[0].opened.memory ? of(({ opened }) => opened.memory) : null
    system.start_ = {
      rounds: list.map(({ round, opened, first }) =>
        ({ round, thread: opened.thread, firstPass: first.tokens / first.thread })),
      thread: of(({ opened }) => opened.thread),
      process: list[0].opened.process === undefined ? null : of(({ opened }) => opened.process),
      wall: of(({ opened }) => opened.wall),
      memory,
      above: memory && memoryOf(system.bare) ? memory - memoryOf(system.bare) : null,
      firstPass: of(({ first }) => first.tokens / first.thread),
    }
  }
}

/** All systems take turns on all texts of their task. */
async function measureWarm(systems, progress) {
  for (const system of systems) {
    system.warm = {}
    if (system.failed) continue
    progress.step('opening', titleOf(system))
    ;({ child: system.child } = await open(system))
  }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const system of systems) {
      progress.step(`turns, round ${round} of ${ROUNDS}`, titleOf(system))
      for (const text of textsOf(system)) {
        const turns = (system.warm[text] ??= [])
        if (system.failed || (turns.slow && round % 3 !== 1)) continue
        const turn = { thread: 0, tokens: 0, passes: 0 }
        do {
          const pass = await system.child.request({ do: 'pass', text })
          if (pass.error) {
            problem(system, pass)
            break
          }
          turn.thread += pass.thread
          turn.tokens += pass.tokens
          turn.passes++
        } while (turn.thread < TURN_MS)
        turn.round = round
        turn.ms = turn.thread / turn.passes
        turns.slow = turn.ms > SLOW_MS
        // The first turn warms up; of slow ones it counts, or there would be few.
        if (round > 0 || turns.slow) turns.push(turn)
      }
    }
  }
}

/** One text, ten times as long each time; the sizes take turns, so that all of them see the same machine. */
async function measureGrowth(systems, progress) {
  const growth = systems.map((system) => ({ system, times: Object.fromEntries(SIZES.map((power) => [power, []])) }))
  for (let round = 0; round < GROWTH_ROUNDS; round++) {
    for (const { system, times } of growth) {
      for (const power of SIZES) {
        if (system.failed) continue
        progress.step(`growth, round ${round + 1} of ${GROWTH_ROUNDS}`, `${titleOf(system)}, ${10 ** power} characters`)
        // As long as a turn, so that short texts are not measured by the clock's steps.
        let [thread, passes] = [0, 0]
        do {
          const pass = await system.child.request({ do: 'pass', text: `size-${power}` })
          if (pass.error) {
            problem(system, pass)
            break
          }
          thread += pass.thread
          passes++
        } while (thread < TURN_MS)
        if (!system.failed) times[power].push(thread / passes)
      }
    }
  }
  return growth.map(({ system, times }) => ({
    system, ms: Object.fromEntries(Object.entries(times).filter(([, list]) => list.length > 0).map(([power, list]) => [power, median(list)])) }))
}

/** Encoders against onnxruntime-web, in a process of their own. */
async function measureTransformer() {
  const args = [join(here, 'transformer.mjs'), options.encoder, '--json', '--rounds', options.quick ? '3' : '9']
  try {
    return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout)
  } catch (error) {
    say(`\nbench: transformer failed and is left out: ${(error.stderr || error.message).trim().split('\n')[0]}`)
    return null
  }
}

/** Scores on EWT test from raw text. */
async function measureAccuracy(systems, progress) {
  if (!existsSync(GOLD)) return []
  const rows = []
  for (const system of systems) {
    progress.step('accuracy', titleOf(system))
    const out = join(folder, `${system.id}.conllu`)
    const answer = await system.child.request({ do: 'conllu', text: 'ewt', out })
    if (answer.none || answer.error || !existsSync(out)) continue
    const { stdout, stderr, status } = spawnSync(process.execPath,
      [join(root, 'js/cli/onenlp.mjs'), 'evaluate', '--json', GOLD, out], { encoding: 'utf8', maxBuffer: 1 << 28 })
    if (status === 0) rows.push({ system, scores: JSON.parse(stdout) })
    else say(`bench: ${system.name} cannot be scored: ${stderr.trim()}`)
  }
  return rows
}

/** The steps of the run with a guess of their seconds: corrected while it goes on, only the proportions matter. */
function plan(systems, growing, hasTransformer) {
  const steps = new Map()
  const count = (task) => systems.filter((system) => system.task === task).length
  const start = 1.2 * systems.length + 1.5
  for (let round = 1; round <= STARTS; round++) steps.set(`starts, round ${round} of ${STARTS}`, start)
  if (options.starts) return steps
  steps.set('opening', 0.6 * systems.length)
  const turn = (TURN_MS / 1000) * (3 * count('small') + 2 * count('full')) + 1.5 * count('full') + 5 * systems.filter(({ id }) => id === 'compromise').length
  for (let round = 0; round <= ROUNDS; round++) steps.set(`turns, round ${round} of ${ROUNDS}`, turn)
  for (let round = 1; round <= GROWTH_ROUNDS && growing > 0; round++) steps.set(`growth, round ${round} of ${GROWTH_ROUNDS}`, 8 * growing)
  steps.set('accuracy', 4 * systems.length)
  if (hasTransformer) steps.set('transformer', options.quick ? 15 : 40)
  return steps
}

async function main() {
  if (!options.native) build('release', ['bench_annotate'])
  const files = prepareTexts()
  const texts = Object.fromEntries(Object.entries(files).map(([name, { path, lines }]) => [name, () => {
    const text = readFileSync(path, 'utf8')
    return lines ? text.split('\n').filter((line) => line !== '') : [text]
  }]))
  const all = systemsOf({ texts, files, python: options.python, udpipeModel: options['udpipe-model'], native: options.native })
  const isGrowing = ({ id }) => id === 'small-Node' || id === 'small-native'
  // Systems that are asked for, and those that the growth is of.
  const chosen = all.filter((system) => isAsked(system.id) || (isGrowing(system) && isAsked('growth')))
  const systems = chosen.filter(({ missing }) => !missing)
  console.log(machine(systems))
  for (const { missing, ...system } of chosen) if (missing) console.log(`Missing: ${titleOf(system)}: ${missing}`)
  if (!files.ewt) console.log(`Missing: ${GOLD}: no accuracy, no EWT text`)
  if (!existsSync(NOVEL)) console.log(`Missing: ${NOVEL}: another text stands for the novel`)
  if (!files.ewt) TEXTS.small.shift()
  const wantsTransformer = isAsked('transformer')
  if (wantsTransformer && !options.encoder) console.log('Missing: a transformer: name a folder by --encoder or ONENLP_BENCH_ENCODER')
  const hasTransformer = wantsTransformer && Boolean(options.encoder)

  const progress = new Progress(plan(systems, isAsked('growth') ? systems.filter(isGrowing).length : 0, hasTransformer))
  await measureStarts(systems, bareRuntimes({ files, python: options.python }), progress)
  const working = () => systems.filter(({ failed }) => !failed)
  const named = (name) => working().find(({ id }) => id === name)
  const print = (list, table) => list.length > 0 && console.log(`\n${table(list)}`)
  const printStarts = () => print(working(), (list) => startTable(list, named('wink')))
  const writeNumbers = (more) => options.json && writeFileSync(options.json, `${JSON.stringify({
    systems: systems.map(({ id, name, runtime, task, warm, start_ }) => ({ id, name, runtime, task, warm, start: start_ })),
    ...more,
  }, null, 1)}\n`)
  if (options.starts) {
    progress.end()
    printStarts()
    writeNumbers()
    return
  }
  await measureWarm(systems, progress)
  const growth = isAsked('growth') ? await measureGrowth(working().filter(isGrowing), progress) : []
  const onceEach = working().filter(({ id }) => !/^(small|full|fast)-(Deno|Bun|Chromium|native)$/.test(id))
  const accuracy = await measureAccuracy(onceEach, progress)
  for (const { child } of systems) await child?.close()
  if (hasTransformer) progress.step('transformer')
  const transformer = hasTransformer ? await measureTransformer() : null
  const took = progress.end()

  const rows = (task) => working().filter((system) => system.task === task)
  const wink = named('wink')
  print(rows('small'), (list) => speedTable(list, TEXTS.small, [wink]))
  print(rows('full'), (list) => speedTable([...list, ...(wink ? [wink] : [])], TEXTS.full, [named('spacy'), named('udpipe'), wink], ['novel-short']))
  printStarts()
  print(growth, growthTable)
  print(accuracy, accuracyTable)
  if (transformer) console.log(`\n${transformerTable(transformer)}`)
  console.log(`\nTook ${took} (minutes:seconds); load at the end: ${loadavg().map((value) => value.toFixed(1)).join(' ')}`)
  writeNumbers({
    growth: growth.map(({ system, ms }) => ({ id: system.id, ms })),
    accuracy: accuracy.map(({ system, scores }) => ({ id: system.id, scores })),
    transformer,
  })
}

await main()
