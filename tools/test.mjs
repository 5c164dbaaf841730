// npm test: everything that must hold, stage by stage, each with the time it took.
//
//   npm test                      all stages
//   npm test -- STAGE...          only these (see `stages` below), and what they need
//
// ONENLP_DATA names the folder of corpora (default: data/ in the repository); tests that miss
// theirs say so and are skipped. ONENLP_FUZZ_SECONDS sets the time for each fuzz target (20).

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { fuzz, fuzzTable, fuzzTargets } from './fuzz.mjs'
import { binaryFolder, build, buildNative, buildWasm, root, runMain, say, setup, StepFailed } from './steps.mjs'

process.env.ONENLP_DATA ??= join(root, 'data')

/** Counts of single tests, as the test programs report them. */
const totals = { passed: 0, failed: 0, skipped: 0 }

/** Runs a command whose output is passed on as it comes; returns the output and the exit code. */
function watch(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    const chunks = []
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk)
      process.stdout.write(chunk)
    })
    child.on('error', (error) => reject(new StepFailed(`${command}: ${error.message}`)))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/** Builds a preset and runs its C tests, all of them or the named ones. */
async function ctest(preset, names = []) {
  build(preset, names.map((name) => `test_${name}`))
  const report = join(binaryFolder(preset), 'ctest.xml')
  rmSync(report, { force: true })
  const { code } = await watch('ctest', [
    '--preset', preset, '-j2', '--output-junit', report, ...(names.length > 0 ? ['-R', `^(${names.join('|')})$`] : [])])
  const count = (name) => (existsSync(report) && Number(readFileSync(report, 'utf8').match(new RegExp(`\\b${name}="(\\d+)"`))?.[1])) || 0
  totals.failed += count('failures')
  totals.skipped += count('skipped') + count('disabled')
  totals.passed += count('tests') - count('failures') - count('skipped') - count('disabled')
  if (code !== 0) throw new StepFailed(`ctest --preset ${preset}`)
}

async function nodeTests(name, concurrency = 2) {
  const folder = join(root, name)
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true }).filter((file) => /\.test\.m?js$/.test(file)).sort().map((file) => join(folder, file))
    : []
  if (files.length === 0) return say(`no tests in ${name}`)
  const { code, output } = await watch(process.execPath, ['--test', `--test-concurrency=${concurrency}`, '--test-reporter=spec', ...files])
  const count = (what) => Number(output.match(new RegExp(`^[^a-z]*${what} (\\d+)$`, 'm'))?.[1] ?? 0)
  totals.passed += count('pass')
  totals.failed += count('fail') + count('cancelled')
  totals.skipped += count('skipped') + count('todo')
  if (code !== 0) throw new StepFailed(`node --test ${name}`)
}

/** Every fuzz target for a few seconds, two at a time, from its saved inputs on. */
async function fuzzAll() {
  const names = fuzzTargets()
  const seconds = Number(process.env.ONENLP_FUZZ_SECONDS ?? 20)
  say(`fuzzing ${names.join(', ')} for ${seconds} s each`)
  // Always the same inputs, so that what fails here fails again; `npm run test:long -- fuzz` tries others.
  const results = await fuzz({ names, seconds, seed: 1 })
  say(fuzzTable(results))
  const failed = names.filter((name) => results.get(name).failed > 0)
  totals.failed += failed.length
  totals.passed += names.length - failed.length
  if (failed.length > 0) throw new StepFailed(`fuzz targets: ${failed.join(', ')}`)
}

const stages = {
  setup: { does: () => setup('test') },
  dev: { title: 'C tests with ASan and UBSan', needs: ['setup'], does: () => ctest('dev') },
  // Where threads share something. Under ThreadSanitizer all the other tests would show nothing more.
  tsan: { title: 'threads under ThreadSanitizer', needs: ['setup'], does: () => ctest('tsan', ['pipeline_threads', 'train_training']) },
  native: { title: 'native release build', needs: ['setup'], does: buildNative },
  release: { title: 'C tests of the release build', needs: ['setup'], does: () => ctest('release') },
  wasm: { title: 'wasm build', needs: ['setup'], does: buildWasm },
  js: { title: 'JavaScript tests', needs: ['native', 'wasm'], does: () => nodeTests('tests/js') },
  // Without Chromium they say so and are skipped; so are the runtimes that are not there.
  runtimes: { title: 'the packed package in every runtime, and the examples', needs: ['wasm'], does: () => nodeTests('tests/runtimes') },
  browser: { title: 'browser tests of the page', needs: ['wasm'], does: () => nodeTests('tests/browser', 1) },
  fuzz: { title: 'fuzz targets', needs: ['setup'], does: fuzzAll },
}

function withNeeds(names, chosen = new Set()) {
  for (const name of names) {
    withNeeds(stages[name].needs ?? [], chosen)
    chosen.add(name)
  }
  return chosen
}

await runMain(async () => {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !(name in stages))
  if (unknown.length > 0) {
    say(`unknown stage ${unknown.join(', ')}; there are ${Object.keys(stages).join(', ')}`)
    return 2
  }
  const chosen = withNeeds(asked.length > 0 ? asked : Object.keys(stages))
  const results = new Map()
  for (const [name, { title = name, needs = [], does }] of Object.entries(stages)) {
    if (!chosen.has(name)) continue
    const broken = needs.filter((need) => results.get(need) !== 'passed')
    if (broken.length > 0) {
      say(`== ${title}: not run, because ${broken.join(', ')} failed`)
      results.set(name, 'not run')
      continue
    }
    say(`== ${title}`)
    const start = performance.now()
    const failedBefore = totals.failed
    let result = 'passed'
    try {
      await does()
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error
      say(`failed: ${error.message}`)
      result = 'failed'
      // A build that breaks has no test to count.
      if (totals.failed === failedBefore) totals.failed++
    }
    results.set(name, result)
    say(`== ${title}: ${result}, ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  const bad = [...results].filter(([, result]) => result !== 'passed')
  if (bad.length > 0) say(`stages: ${bad.map(([name, result]) => `${name} ${result}`).join(', ')}`)
  console.log(`${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`)
  return bad.length > 0 ? 1 : 0
})
