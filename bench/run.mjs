// node bench/run.mjs: onenlp beside what people use today, in one run. bench/README.md says how to install the others.
//
//   --quick            fewer rounds and no growth beyond 1 MB (a minute)
//   --python FILE      a Python that has bench/requirements.txt (or ONENLP_BENCH_PYTHON)
//   --udpipe-model F   a model of bench/python/train_udpipe.py (or ONENLP_BENCH_UDPIPE)
//   --only A,B         only systems whose id begins with one of these (wink, small-Node, full-, ...)
//   --json FILE        the numbers as well
//
// What is measured is processor time of the thread that annotates, so a busy machine disturbs it little; systems take
// turns, and every figure is a median.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { build, say } from '../tools/steps.mjs'
import { accuracyTable, growthTable, speedTable, startTable } from './report.mjs'
import { bareRuntimes, systemsOf } from './systems.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const data = process.env.ONENLP_DATA ?? join(root, 'data')

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    python: { type: 'string', default: process.env.ONENLP_BENCH_PYTHON },
    'udpipe-model': { type: 'string', default: process.env.ONENLP_BENCH_UDPIPE },
    native: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
})

const GOLD = join(data, 'ud/UD_English-EWT/test.conllu')
const NOVEL = join(data, 'raw/1342_pride_and_prejudice.txt')

// Every text is the same for all systems of a task.
const TEXTS = { small: ['ewt', 'novel', 'chat'], full: ['novel-short', 'chat'] }
const ROUNDS = options.quick ? 3 : 7
const STARTS = options.quick ? 1 : 3
// A system that takes longer than this for a text gets one turn in three.
const SLOW_MS = 1500
// A turn goes on until it has taken this long, so that the clock's steps do not matter.
const TURN_MS = options.quick ? 60 : 200

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

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
  const novel = existsSync(NOVEL) ? readFileSync(NOVEL, 'utf8').replaceAll('\r\n', '\n') : stdout
  const piece = (size) => novel.slice(0, size)
  add('novel', piece(100_000))
  add('novel-short', piece(20_000))
  add('chat', readFileSync(join(here, 'chat.txt'), 'utf8'), true)
  for (const power of options.quick ? [3, 4, 5, 6] : [3, 4, 5, 6, 7]) {
    let text = piece(10 ** power)
    while (text.length < 10 ** power) text += novel.slice(0, 10 ** power - text.length)
    add(`size-${power}`, text)
  }
  return files
}

function machine() {
  const { model } = cpus()[0]
  const version = (command, args) => spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim().split('\n')[0] ?? ''
  const load = loadavg().map((value) => value.toFixed(1)).join(' ')
  return [
    `Machine: ${model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}; Node ${process.version}`,
    `Load at the start: ${load}${loadavg()[0] > 1.5 ? ' (busy: times are processor time, but caches are shared)' : ''}`,
    ...(options.python ? [version(options.python, ['--version'])] : []),
  ].join('\n')
}

function problem(system, answer) {
  say(`bench: ${system.name} (${system.runtime}) failed and is left out: ${String(answer.error).split('\n')[0]}`)
  system.failed = true
}

/** Fresh processes in turn: from bytes in memory to the first sentence, memory, the first pass over a text. */
async function measureStarts(systems, bare) {
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
      const child = await system.start()
      const opened = await child.request({ do: 'open' })
      const first = opened.error ? opened : await child.request({ do: 'pass', text: system.task === 'small' ? 'novel' : 'novel-short' })
      if (first.error) problem(system, first)
      else starts.get(system).push({ opened, first })
      await child.close()
    }
  }
  const memoryOf = (name) => (bareMemory[name]?.length ? median(bareMemory[name]) : null)
  for (const [system, list] of starts) {
    if (list.length === 0) continue
    const of = (take) => median(list.map(take))
    const memory = list[0].opened.memory ? of(({ opened }) => opened.memory) : null
    system.start_ = {
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
async function measureWarm(systems, onTurn) {
  for (const system of systems) {
    system.warm = {}
    if (system.failed) continue
    system.child = await system.start()
    const opened = await system.child.request({ do: 'open' })
    if (opened.error) problem(system, opened)
  }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const system of systems) {
      for (const text of TEXTS[system.task]) {
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
      onTurn(round, system)
    }
  }
}

async function measureGrowth(systems, files) {
  const growth = []
  for (const system of systems) {
    const row = { system, ms: {} }
    for (const name of Object.keys(files).filter((name) => name.startsWith('size-'))) {
      const times = []
      for (let i = 0; i < (name === 'size-7' ? 3 : 5); i++) {
        const pass = await system.child.request({ do: 'pass', text: name })
        if (pass.error) break
        times.push(pass.thread)
      }
      if (times.length > 0) row.ms[name.slice(5)] = median(times)
    }
    growth.push(row)
  }
  return growth
}

/** Scores on EWT test from raw text. */
async function measureAccuracy(systems) {
  if (!existsSync(GOLD)) return []
  const rows = []
  for (const system of systems) {
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

async function main() {
  console.log(machine())
  if (!options.native) build('release', ['bench_annotate'])
  const files = prepareTexts()
  const texts = Object.fromEntries(Object.entries(files).map(([name, { path, lines }]) => [name, () => {
    const text = readFileSync(path, 'utf8')
    return lines ? text.split('\n').filter((line) => line !== '') : [text]
  }]))
  const all = systemsOf({ texts, files, python: options.python, udpipeModel: options['udpipe-model'], native: options.native })
  const chosen = options.only ? all.filter(({ id }) => options.only.split(',').some((start) => id.startsWith(start))) : all
  for (const { name, runtime, missing } of chosen) if (missing) console.log(`Missing: ${name} (${runtime}): ${missing}`)
  if (!files.ewt) console.log(`Missing: ${GOLD}: no accuracy, no EWT text`)
  if (!files.ewt) TEXTS.small.shift()
  const systems = chosen.filter(({ missing }) => !missing)

  say('bench: starts')
  await measureStarts(systems, bareRuntimes({ files, python: options.python }))
  await measureWarm(systems, (round, { name, runtime }) => say(`bench: round ${round} of ${ROUNDS}, ${name} (${runtime})`))
  say('bench: growth and accuracy')
  const working = systems.filter(({ failed }) => !failed)
  const growth = await measureGrowth(working.filter(({ id }) => id === 'small-Node' || id === 'small-native'), files)
  const onceEach = working.filter(({ id }) => !/^(small|full)-(Deno|Bun|Chromium|native)$/.test(id))
  const accuracy = await measureAccuracy(onceEach)
  for (const { child } of systems) await child?.close()

  const wink = systems.find(({ id }) => id === 'wink')
  console.log(`\n${speedTable(working.filter(({ task }) => task === 'small'), TEXTS.small, wink)}`)
  console.log(`\n${speedTable(working.filter(({ task }) => task === 'full'), TEXTS.full, working.find(({ id }) => id === 'full-Node'))}`)
  console.log(`\n${startTable(working)}`)
  console.log(`\n${growthTable(growth)}`)
  console.log(`\n${accuracyTable(accuracy)}`)
  console.log(`\nLoad at the end: ${loadavg().map((value) => value.toFixed(1)).join(' ')}`)
  if (options.json) {
    writeFileSync(options.json, `${JSON.stringify({
      systems: systems.map(({ id, name, runtime, task, warm, start_ }) => ({ id, name, runtime, task, warm, start: start_ })),
      growth: growth.map(({ system, ms }) => ({ id: system.id, ms })),
      accuracy: accuracy.map(({ system, scores }) => ({ id: system.id, scores })),
    }, null, 1)}\n`)
  }
}

await main()
