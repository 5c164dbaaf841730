// Systems under measurement, each in a process of its own that answers requests: worker.mjs, python/worker.py, the
// native program, or a page in Chromium.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A child that answers each line with a line. `encode` turns a request into what it reads. */
export function startChild(command, args, { env = {}, encode = JSON.stringify } = {}) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let errors = ''
  let waiting = null
  const settle = (answer) => {
    waiting?.(answer)
    waiting = null
  }
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-2000)
  })
  child.on('error', (error) => settle({ error: error.message }))
  child.on('close', (code) => settle({ error: `ended with ${code}: ${errors}` }))
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    // A library may print what it likes before the answer.
    if (line.startsWith('{"') || line === '{}') settle(JSON.parse(line))
  })
  return {
    async request(request) {
      if (child.exitCode !== null) return { error: `ended with ${child.exitCode}: ${errors}` }
      const answer = new Promise((resolve) => {
        waiting = resolve
      })
      child.stdin.write(`${encode(request)}\n`)
      return answer
    },
    async close() {
      if (child.exitCode !== null) return
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.stdin.end()
      const timer = setTimeout(() => child.kill(), 2000)
      await closed
      clearTimeout(timer)
    },
  }
}
