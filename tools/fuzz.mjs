// Runs the fuzz targets (libFuzzer, ASan, UBSan) from their saved inputs on, and says what each run gave.
//
//   node tools/fuzz.mjs [--seconds N] [--cpu N] [--jobs N] [TARGET...]
//
//   --seconds N   wall time of a run (10)
//   --cpu N       run again and again, in turn, until each target has had N seconds of processor time. Stopped and
//                 started again, it goes on where it was (build/fuzz/results.json).
//   --jobs N      runs at a time (2)
//
// What is found stays in build/fuzz/corpus/<target>, what breaks in build/fuzz/artifacts/<target>.
// `node tools/fuzz.mjs --merge` adds as few inputs to tests/fuzz/corpus as reach all edges that were found.
// `node tools/fuzz.mjs --coverage` runs the inputs there are once more in a build that counts, and says how much of the
// sources that read what the target is about they reach (llvm-cov; Debian: llvm).

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { binaryFolder, build, llvmProgram, root, runMain, say, setup, StepFailed } from './steps.mjs'

const saved = join(root, 'tests/fuzz/corpus')

/** Of each target, the sources that read what it is about: paths begin so. */
const readers = {
  utf: ['src/text/utf.c'],
  json: ['src/format/json.c', 'src/format/json_scan.c'],
  checkpoint: ['src/format/checkpoint'],
  container: ['src/format/container.c'],
  pipeline: ['src/format/checkpoint', 'src/format/container.c', 'src/pipeline/config.c', 'src/pipeline/load.c', 'src/pipeline/save.c'],
  pipeline_config: ['src/pipeline/config.c', 'src/encode/', 'src/head/'],
  edit_tree: ['src/head/edit_tree.c'],
  lexicon: ['src/head/lexicon.c'],
  conllu: ['src/format/conllu'],
  jsonl: ['src/format/jsonl'],
  formats: ['src/onenlp_convert.c', 'src/onenlp_align.c', 'src/format/json_columns.c', 'src/format/json_conllu.c', 'src/score/'],
  tokenize: ['src/tokenize/', 'src/text/breaks.c'],
  segment: ['src/segment/'],
  annotate: ['src/pipeline/text_run.c', 'src/doc/', 'src/head/', 'src/format/conllu_write_doc.c'],
  annotate_files: ['src/onenlp_annotate.c', 'src/pipeline/examples.c', 'src/pipeline/gold.c', 'src/format/json_doc.c'],
  onnx: ['src/onnx/'],
  pieces: ['src/pieces/'],
}

const under = (...parts) => join(binaryFolder('fuzz'), ...parts)

/** Names of all targets, which are built. */
export function fuzzTargets() {
  build('fuzz', ['fuzz_all'])
  return readdirSync(under('fuzz')).filter((name) => /^fuzz_\w+$/.test(name)).map((name) => name.slice('fuzz_'.length)).sort()
}

/** Runs a program under bash's `time`; resolves to its exit code, output, wall and processor time. */
function timed(program, args) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    // bash prints the processor time of the child as the last line.
    const child = spawn('bash', ['-c', 'TIMEFORMAT="cpu %U %S"; time "$0" "$@"', program, ...args], {
      cwd: root,
      env: { ...process.env, LC_ALL: 'C', ASAN_OPTIONS: 'allocator_may_return_null=1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => reject(new StepFailed(`${program}: ${error.message}`)))
    child.on('close', (code) => {
      const output = Buffer.concat(chunks).toString('latin1')
      const [, user, system] = output.match(/cpu ([\d.]+) ([\d.]+)\s*$/) ?? [0, 0, 0]
      resolve({ code, output, wall: (performance.now() - start) / 1000, cpu: Number(user) + Number(system) })
    })
  })
}

function folders(name) {
  const found = under('corpus', name)
  const artifacts = under('artifacts', name)
  for (const folder of [found, artifacts, under('log')]) mkdirSync(folder, { recursive: true })
  return { found, artifacts, inputs: [found, ...(existsSync(join(saved, name)) ? [join(saved, name)] : [])] }
}

/** One run of a target; the same inputs again where `seed` is not 0. */
async function runOnce(name, seconds, seed) {
  const { artifacts, inputs } = folders(name)
  const dictionary = join(root, 'tests/fuzz/dict', `${name}.dict`)
  const { code, output, wall, cpu } = await timed(under('fuzz', `fuzz_${name}`), [
    `-max_total_time=${seconds}`, `-seed=${seed}`, '-timeout=25', '-rss_limit_mb=2048', '-print_final_stats=1',
    ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []), `-artifact_prefix=${artifacts}/`, ...inputs,
  ])
  writeFileSync(under('log', `${name}.txt`), output, 'latin1')
  const last = [...output.matchAll(/ cov: (\d+) ft: (\d+) corp: (\d+)/g)].at(-1) ?? [0, 0, 0, 0]
  const all = Number(output.match(/\((\d+) inline 8-bit counters\)/)?.[1] ?? 0)
  const stat = (key) => Number(output.match(new RegExp(`stat::${key}:\\s*(\\d+)`))?.[1] ?? 0)
  return {
    code, wall, cpu, executions: stat('number_of_executed_units'), rss: stat('peak_rss_mb'),
    cov: Number(last[1]), all, ft: Number(last[2]), inputs: Number(last[3]), tail: output.slice(-4000),
  }
}

/**
 * Fuzzes each target for `seconds`, or in runs of so many seconds until it has had `cpu` seconds of processor time.
 * Returns a Map of name to the sums; `failed` counts runs that found something.
 */
export async function fuzz({ names, seconds, cpu = 0, jobs = 2, seed = 0, results = new Map(), onRun = () => {} }) {
  const zero = { executions: 0, wall: 0, cpu: 0, cov: 0, all: 0, ft: 0, inputs: 0, rss: 0, failed: 0, runs: 0 }
  for (const name of names) if (!results.has(name)) results.set(name, { ...zero })
  const waiting = names.filter((name) => cpu === 0 || results.get(name).cpu < cpu)
  const lane = async () => {
    while (waiting.length > 0) {
      waiting.sort((a, b) => results.get(a).cpu - results.get(b).cpu)
      const name = waiting.shift()
      const run = await runOnce(name, seconds, seed)
      const sum = results.get(name)
      sum.runs++
      for (const key of ['executions', 'wall', 'cpu']) sum[key] += run[key]
      for (const key of ['cov', 'all', 'ft', 'inputs']) sum[key] = run[key] || sum[key]
      sum.rss = Math.max(sum.rss, run.rss)
      if (run.code !== 0) {
        sum.failed++
        say(`${run.tail}\nfuzz target ${name} failed: its input is under ${relative(root, under('artifacts', name))}`)
      }
      onRun(name, run, results)
      if (cpu > 0 && sum.cpu < cpu && run.code === 0) waiting.push(name)
    }
  }
  await Promise.all(Array.from({ length: jobs }, lane))
  return results
}

export function fuzzTable(results) {
  const rows = [...results].map(([name, sum]) => [
    `\`${name}\``, sum.executions, Math.round(sum.cpu), Math.round(sum.wall), sum.cov, sum.all ? `${((100 * sum.cov) / sum.all).toFixed(1)} %` : '-', sum.ft, sum.inputs, sum.rss, sum.failed])
  return [['target', 'executions', 'processor s', 'wall s', 'edges', 'of all', 'features', 'inputs', 'peak MB', 'failures'],
    Array(10).fill('---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Adds a small set of inputs that reach the same edges to tests/fuzz/corpus; those that are there stay. */
async function merge(name) {
  const { found } = folders(name)
  const target = join(saved, name)
  mkdirSync(target, { recursive: true })
  const before = new Set(readdirSync(target))
  const { code, output } = await timed(under('fuzz', `fuzz_${name}`), ['-set_cover_merge=1', '-use_counters=0', '-max_len=4096', target, found])
  if (code !== 0) throw new StepFailed(`merging ${name}:\n${output.slice(-2000)}`)
  say(`${name}: ${readdirSync(target).length - before.size} new inputs`)
}

function llvm(tool) {
  const program = llvmProgram(tool, 'llvm')
  return (...args) => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    if (status !== 0) throw new StepFailed(`${program} ${args[0]}: ${stderr}`)
    return stdout
  }
}

/** Lines and branches of the sources that a target is about, reached by its inputs. */
function coverage(name) {
  const binary = join(binaryFolder('coverage'), 'tests/fuzz', `fuzz_${name}`)
  const profiles = join(binaryFolder('coverage'), 'profiles', name)
  rmSync(profiles, { recursive: true, force: true })
  mkdirSync(profiles, { recursive: true })
  const [counts, data] = [join(profiles, 'counts'), join(profiles, 'data')]
  const { status } = spawnSync(binary, folders(name).inputs, { env: { ...process.env, LLVM_PROFILE_FILE: counts } })
  if (status !== 0) throw new StepFailed(`${binary} over its inputs`)
  llvm('llvm-profdata')('merge', '-o', data, counts)
  const report = JSON.parse(llvm('llvm-cov')('export', '-summary-only', binary, '-instr-profile', data))
  const sum = { lines: [0, 0], branches: [0, 0] }
  for (const { filename, summary } of report.data[0].files) {
    if (!readers[name]?.some((path) => relative(root, filename).startsWith(path))) continue
    for (const what in sum) {
      sum[what][0] += summary[what].covered
      sum[what][1] += summary[what].count
    }
  }
  const share = ([reached, all]) => `${reached} of ${all} (${((100 * reached) / all).toFixed(1)} %)`
  return `| \`${name}\` | ${readers[name].map((path) => `\`${path}\``).join(', ')} | ${share(sum.lines)} | ${share(sum.branches)} |`
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runMain(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '10' }, cpu: { type: 'string', default: '0' }, jobs: { type: 'string', default: '2' },
        merge: { type: 'boolean', default: false }, coverage: { type: 'boolean', default: false },
      },
    })
    setup('test')
    const all = fuzzTargets()
    const unknown = positionals.filter((name) => !all.includes(name))
    if (unknown.length > 0) throw new StepFailed(`no fuzz target ${unknown.join(', ')}; there are ${all.join(', ')}`)
    const names = positionals.length > 0 ? positionals : all
    if (values.merge) {
      for (const name of names) await merge(name)
      return 0
    }
    if (values.coverage) {
      build('coverage', names.map((name) => `fuzz_${name}`))
      console.log('| target | sources | lines | branches |\n|---|---|---|---|')
      for (const name of names) console.log(coverage(name))
      return 0
    }
    const state = under('results.json')
    const cpu = Number(values.cpu)
    const results = new Map(cpu > 0 && existsSync(state) ? JSON.parse(readFileSync(state, 'utf8')) : [])
    await fuzz({
      names, seconds: Number(values.seconds), cpu, jobs: Number(values.jobs), results,
      onRun(name, run) {
        // Another process may be fuzzing other targets.
        const sums = new Map(existsSync(state) ? JSON.parse(readFileSync(state, 'utf8')) : [])
        sums.set(name, results.get(name))
        writeFileSync(state, JSON.stringify([...sums], null, 1))
        say(`${name}: ${run.executions} executions in ${run.wall.toFixed(0)} s (${run.cpu.toFixed(0)} s of processor time), ` +
          `edges ${run.cov}, features ${run.ft}`)
      },
    })
    console.log(fuzzTable(results))
    return [...results.values()].some((sum) => sum.failed > 0) ? 1 : 0
  })
}
