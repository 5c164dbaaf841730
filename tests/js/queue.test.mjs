// examples/queue: a corpus over several worker processes through BullMQ on a real Redis, one of them killed in the middle.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { loadPipeline } from '../../js/node.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { root, temporaryFolder, unless } from './helpers/runtime.mjs'

const redis = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find((path) => existsSync(path)) ?? '/usr/bin/redis-server'
const folder = temporaryFolder()
const example = folder.path('queue')
const children = new Set()

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})

function start(command, args, env) {
  const child = spawn(command, args, { cwd: example, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  child.lines = []
  child.complaints = ''
  const waiting = new Set()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    child.lines.push(...lines)
    for (const look of [...waiting]) look()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => (child.complaints += text))
  child.ended = new Promise((resolve) => child.once('close', (code, signal) => {
    children.delete(child)
    resolve(signal ?? code)
  }))
  /** Resolves with `count` lines that match, when so many are there. */
  child.says = (pattern, count = 1) => new Promise((resolve, reject) => {
    const look = () => {
      const found = child.lines.filter((line) => pattern.test(line))
      if (found.length >= count && waiting.delete(look)) resolve(found)
    }
    waiting.add(look)
    look()
    child.ended.then((how) => waiting.delete(look) && reject(new Error(`ended with ${how} before ${pattern}: ${child.complaints}`)))
  })
  children.add(child)
  return child
}

describe('a corpus over several processes', { skip: unless(redis, join(root, 'node_modules/bullmq'), join(root, 'node_modules/ioredis')) }, () => {
  const model = folder.write('en.onenlp', englishPipeline())
  // Parts that take a while, so that a worker is surely in the middle of one.
  const documents = Array.from({ length: 100 }, (_, i) => ({ text: `Document ${i}. ${'The cat saw the dogs near a house. '.repeat(60)}`, id: i }))
  const corpus = folder.write('corpus.jsonl', documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
  const results = folder.path('results')
  let env
  let expected

  before(async () => {
    cpSync(join(root, 'examples/queue'), example, { recursive: true })
    mkdirSync(join(example, 'node_modules'))
    symlinkSync(root, join(example, 'node_modules/onenlp'))
    for (const name of ['bullmq', 'ioredis']) symlinkSync(join(root, 'node_modules', name), join(example, 'node_modules', name))
    const port = await freePort()
    mkdirSync(folder.path('redis'))
    const server = start(redis, ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path('redis'), '--save', '', '--appendonly', 'no'])
    await server.says(/Ready to accept connections/)
    env = { REDIS_URL: `redis://127.0.0.1:${port}`, QUEUE_LOCK_MS: '2000', QUEUE_PART_BYTES: '40000' }
    const nlp = await loadPipeline(model)
    expected = Buffer.concat([...nlp.write({ jsonl: readFileSync(corpus) }, { output: 'jsonl' })]).toString()
    nlp.close()
  })
  after(async () => {
    const all = [...children]
    for (const child of all) child.kill('SIGKILL')
    await Promise.all(all.map(({ ended }) => ended))
  })

  const fill = () => spawnSync(process.execPath, ['fill.mjs', corpus, results], { cwd: example, env: { ...process.env, ...env }, encoding: 'utf8' })
  const worker = () => start(process.execPath, ['worker.mjs', model], env)
  const done = (...workers) => workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('done '))).map((line) => line.slice(5))

  test('a worker is killed in the middle: nothing is lost or doubled, and the order is the corpus\'s', { timeout: 300_000 }, async () => {
    assert.deepEqual([fill().stdout, fill().stdout], ['6 parts\n', '6 parts\n'])
    // On a fast machine it may be done before the signal comes: then the next one is killed.
    const killed = []
    let victim
    do {
      const child = worker()
      killed.push(child)
      const [line] = await child.says(/^started /)
      child.kill('SIGKILL')
      assert.equal(await child.ended, 'SIGKILL')
      victim = line.slice('started '.length)
    } while (existsSync(join(results, `${victim}.jsonl`)) && killed.length < 5)
    assert.equal(existsSync(join(results, `${victim}.jsonl`)), false, 'it was in the middle')
    const others = [worker(), worker()]
    const collector = start(process.execPath, ['collect.mjs', results, folder.path('out.jsonl')], env)
    assert.equal(await collector.ended, 0, collector.complaints)
    assert.equal(readFileSync(folder.path('out.jsonl'), 'utf8'), expected)
    assert.ok(done(...others).includes(victim), `${victim} was done by another one`)
    assert.equal(new Set(done(...killed, ...others)).size, 6)
    assert.deepEqual(readdirSync(results).filter((name) => name.endsWith('.jsonl')).length, 6)
    for (const other of others) other.kill('SIGTERM')
    for (const other of others) assert.equal(await other.ended, 0, other.complaints)
  })

  test('all of it once more, with a queue that has forgotten: what is done is not done again', { timeout: 300_000 }, async () => {
    env = { ...env, QUEUE: 'another' }
    assert.equal(fill().stdout, '6 parts\n')
    const again = worker()
    await again.says(/^was done /, 6)
    again.kill('SIGTERM')
    await again.ended
    assert.deepEqual(done(again), [])
  })

  test('a part that cannot be done is told, with its line, and the others are there', { timeout: 300_000 }, async () => {
    env = { ...env, QUEUE: 'broken' }
    const broken = folder.write('broken.jsonl', `${readFileSync(corpus, 'utf8').split('\n').slice(0, 40).join('\n')}\n{"text": 7}\n`)
    const elsewhere = folder.path('elsewhere')
    const filled = spawnSync(process.execPath, ['fill.mjs', broken, elsewhere], { cwd: example, env: { ...process.env, ...env }, encoding: 'utf8' })
    assert.equal(filled.status, 0, filled.stderr)
    assert.match(spawnSync(process.execPath, ['fill.mjs', corpus, elsewhere], { cwd: example, env: { ...process.env, ...env }, encoding: 'utf8' }).stderr, /belongs to broken\.jsonl/)
    const one = worker()
    const collector = start(process.execPath, ['collect.mjs', elsewhere, folder.path('none.jsonl')], env)
    assert.equal(await collector.ended, 1)
    assert.match(collector.complaints, /^part-\d+: line 41: "text" must be a string/m)
    assert.equal(existsSync(folder.path('none.jsonl')), false)
    assert.equal(readdirSync(elsewhere).filter((name) => name.endsWith('.jsonl')).length, 2)
    one.kill('SIGTERM')
    await one.ended
  })
})
