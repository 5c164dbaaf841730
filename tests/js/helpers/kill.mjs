// Commands that write a file are killed (SIGKILL) at random moments. Under the final name there is afterwards what was
// there before, or a complete file.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

import { command, native, temporaryFolder } from './runtime.mjs'
import { randomNumbers } from './texts.mjs'
import { tinyConfig, tinyPipeline, tinyTensors } from './tiny-pipeline.mjs'

const buckets = 60_000
const sentence = (i) => [
  `1\tDog${i % 37}\tdog\tNOUN\tNN\tNumber=Sing\t2\tnsubj\t_\t_`, '2\tsaw\tsee\tVERB\tVBD\tTense=Past\t0\troot\t_\t_',
  `3\tcat${i % 23}s\tcat\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\tSpaceAfter=No`, '4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_', '', ''].join('\n')

const recipe = {
  pipeline: {
    language: 'en', tokenizer: { kind: 'uax', data: 'english' },
    encoders: [{ kind: 'hash-embedding', settings: { width: 16, buckets: 4096, seed: 1 } }],
    components: [
      { name: 'senter', type: 'head', kind: 'senter', encoder: 0 },
      { name: 'morphologizer', type: 'head', kind: 'morphologizer', encoder: 0 },
      { name: 'lemmatizer', type: 'head', kind: 'lemmatizer', encoder: 0 }],
  },
  data: { train: ['train.conllu'], dev: ['dev.conllu'] },
  metadata: { name: 'killed' },
  training: { seed: 1, epochs: 12, batchWords: 200, learningRate: 0.0005 },
}

/** The commands: how each is started with a path to write, and what a file under this path may be. */
export function writers() {
  const folder = temporaryFolder()
  const big = tinyPipeline({
    config: tinyConfig((config) => (config.encoders[0].settings.buckets = buckets)),
    tensors: tinyTensors.map(([name, shape]) => [name, name === 'encoder0.embed.weight' ? [buckets, shape[1]] : shape]),
  })
  const pipeline = folder.write('big.onenlp', big)
  const text = folder.write('text.txt', Array.from({ length: 4000 }, (_, i) => `The cat ${i} didn't stay. `).join('\n\n'))
  const conllu = folder.write('train.conllu', Array.from({ length: 3000 }, (_, i) => sentence(i)).join(''))
  folder.write('dev.conllu', Array.from({ length: 100 }, (_, i) => sentence(i * 7)).join(''))
  const recipeFile = folder.write('recipe.json', JSON.stringify(recipe))
  const program = (...args) => ({ file: native, args })
  const npm = (...args) => ({ file: process.execPath, args: [command, ...args] })
  const loads = (path) => {
    const { status, stderr } = spawnSync(native, ['annotate', '-m', path], { input: 'The dog saw cats.' })
    assert.equal(status, 0, stderr.toString())
  }
  return {
    folder,
    list: {
      'train': { start: (out) => program('train', recipeFile, '--out', out, '--data', folder.path('.'), '-q'), check: loads },
      'convert --compact': { start: (out) => program('convert', '--compact', 'f16', '--out', out, pipeline) },
      'convert': { start: (out) => program('convert', '--to', 'jsonl', '--out', out, conllu) },
      'annotate': { start: (out) => program('annotate', '-m', pipeline, '-j', '2', '--out', out, text) },
      'the npm command: convert': { start: (out) => npm('convert', '--to', 'jsonl', '--out', out, conllu) },
      'the npm command: annotate': { start: (out) => npm('annotate', '-q', '-m', pipeline, '--out', out, text) },
    },
  }
}

/** Kills the command `times` times. Says how often it was still running, and how often a file was being written. */
export async function killLoop({ folder, name, writer, times, seed, say = () => {} }) {
  const random = randomNumbers(seed)
  const place = folder.path(`${seed}`)
  mkdirSync(place)
  const out = join(place, 'out')
  const old = join(folder.path('.'), `${seed}.old`)
  const { file, args } = writer.start(old)
  const began = performance.now()
  const whole = spawnSync(file, args)
  const duration = performance.now() - began
  assert.equal(whole.status, 0, whole.stderr?.toString())
  const complete = readFileSync(old)
  const counts = { killed: 0, writing: 0, replaced: 0, kept: 0, absent: 0 }
  for (let i = 0; i < times; i++) {
    rmSync(place, { recursive: true })
    mkdirSync(place)
    // What was there before can be told from what the command writes.
    const before = i % 2 === 0 ? Buffer.concat([complete, Buffer.from(`before ${i}`)]) : null
    if (before) copyFileSync(old, out)
    if (before && !writer.check) spawnSync('sh', ['-c', `printf 'before ${i}' >> "$0"`, out])
    const child = spawn(file, writer.start(out).args, { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal)))
    const others = () => readdirSync(place).filter((entry) => entry !== basename(out))
    if (i % 4 < 2) {
      await new Promise((resolve) => setTimeout(resolve, random() * duration * 1.1))
    } else {
      // While the file is being written, as far as can be seen from outside.
      const until = performance.now() + duration * 3
      while (others().length === 0 && child.exitCode === null && performance.now() < until) await new Promise(setImmediate)
      await new Promise((resolve) => setTimeout(resolve, random() * duration * 0.3))
    }
    child.kill('SIGKILL')
    if ((await ended) === 'SIGKILL') counts.killed++
    if (others().length > 0) counts.writing++
    let found = null
    try {
      found = readFileSync(out)
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
    if (found === null) {
      assert.equal(before, null, `${name}: what was there is gone`)
      counts.absent++
    } else if (writer.check) {
      writer.check(out)
      counts[found.equals(complete) && before ? 'kept' : 'replaced']++
    } else if (found.equals(complete)) {
      counts.replaced++
    } else {
      assert.ok(before && found.equals(before), `${name}: ${found.length} bytes, neither what was there nor all of the new file`)
      counts.kept++
    }
    if (i % 25 === 24) say(`${name}: ${i + 1} of ${times}: ${JSON.stringify(counts)}`)
  }
  return counts
}
