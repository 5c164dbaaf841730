// node bench/formats.mjs FILE.conllu [COPIES]: how fast CoNLL-U is read, written and converted as it comes, and how much memory
// it takes, which must not depend on the number of copies.

import { createReadStream, statSync } from 'node:fs'

import { convertStream, readConllu, writeConllu } from '../js/formats/node.js'

const [path, copies = '1'] = process.argv.slice(2)
const size = statSync(path).size * Number(copies) / 1e6

async function* content() {
  for (let i = 0; i < Number(copies); i++) yield* createReadStream(path)
}

let resident = 0
const timer = setInterval(() => (resident = Math.max(resident, process.memoryUsage().rss)), 50)

async function measure(name, items) {
  const before = process.cpuUsage()
  let count = 0
  for await (const item of items) if (item) count++
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  console.log(`${name}: ${size.toFixed(1)} MB in ${count} pieces, ${(size / seconds).toFixed(1)} MB a second of processor time, ` +
    `at most ${Math.round(resident / 1e6)} MB resident`)
}

await measure('readConllu', readConllu(content()))
await measure('writeConllu(readConllu)', writeConllu(readConllu(content())))
await measure('convertStream to jsonl', convertStream(content(), { to: 'jsonl' }))
clearInterval(timer)
