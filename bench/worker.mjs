// One system in a process of its own, in Node, Deno or Bun: requests come as lines of JSON on standard input, answers
// go out as lines of JSON. Usage: worker.mjs SYSTEM SETTINGS, where SETTINGS is JSON for the system's `prepare`.

import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'

const [name, settings] = process.argv.slice(2)
const texts = JSON.parse(settings).texts
let system

/** Milliseconds that this thread has run on a processor; where the system does not tell, that its process has. */
function threadTime() {
  // Asking for the process's time brings the kernel's account of this thread up to date.
  process.cpuUsage()
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return processTime()
  }
}

function processTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const documents = new Map()

function documentsOf(text) {
  if (!documents.has(text)) {
    const { path, lines, from = 0, size } = texts[text]
    const whole = readFileSync(path, 'utf8')
    documents.set(text, lines ? whole.split('\n').filter((line) => line !== '') : [size === undefined ? whole : cut(whole, from, size)])
  }
  return documents.get(text)
}

/** `size` characters of a text, again from its start where it is too short. */
function cut(text, from, size) {
  let piece = text.slice(from, from + size)
  while (piece.length < size) piece += text.slice(0, size - piece.length)
  return piece
}

const actions = {
  // From here on nothing of the system has been touched but files that are in memory.
  async open() {
    const { prepare } = await import(`./systems/${name}.mjs`)
    const open = await prepare(JSON.parse(settings))
    const before = { thread: threadTime(), process: processTime(), wall: performance.now() }
    system = await open()
    const { tokens } = system.annotate('Ada met Bob in Paris, and they didn\'t talk about the weather.')
    return {
      tokens,
      thread: threadTime() - before.thread,
      process: processTime() - before.process,
      wall: performance.now() - before.wall,
      memory: process.memoryUsage().rss,
    }
  },

  pass({ text }) {
    const list = documentsOf(text)
    let tokens = 0
    let sentences = 0
    const before = { thread: threadTime(), wall: performance.now() }
    for (const document of list) {
      const counts = system.annotate(document)
      tokens += counts.tokens
      sentences += counts.sentences
    }
    return { tokens, sentences, thread: threadTime() - before.thread, wall: performance.now() - before.wall }
  },

  conllu({ text, out }) {
    if (!system.conllu) return { none: true }
    writeFileSync(out, documentsOf(text).map((document) => system.conllu(document)).join(''))
    return {}
  },

  memory() {
    return { memory: process.memoryUsage().rss }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let answer
  try {
    answer = await actions[request.do](request)
  } catch (error) {
    answer = { error: error?.stack ?? String(error) }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
