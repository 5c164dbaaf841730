// Systems under measurement, each in a process of its own that answers requests: worker.mjs, python/worker.py, the
// native program, or a page in Chromium.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

// Whatever takes longer than this for one request hangs.
const MOST_SECONDS = 600

/**
 * A child that answers each line with a line; what ends it, be it a signal, is the answer to all further requests.
 * `encode` turns a request into what it reads.
 */
export function startChild(command, args, { env = {}, encode = JSON.stringify } = {}) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let errors = ''
  let ended = null
  let waiting = null
  const settle = (answer) => {
    waiting?.(answer)
    waiting = null
  }
  const closed = new Promise((resolve) => {
    const end = (how) => {
      ended ??= { error: `${how}${errors && `: ${errors}`}` }
      settle(ended)
      resolve()
    }
    // A command that cannot be started has no 'close'.
    child.on('error', (error) => end(error.message))
    child.on('close', (code, signal) => end(`ended with ${signal ?? code}`))
  })
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-2000)
  })
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    // A library may print what it likes before the answer.
    if (line.startsWith('{"') || line === '{}') settle(JSON.parse(line))
  })

  /** Ends it, first kindly. */
  async function end(seconds) {
    child.stdin.end()
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
    await closed
    clearTimeout(timer)
  }

  return {
    async request(request) {
      if (ended) return ended
      const answer = new Promise((resolve) => {
        waiting = resolve
      })
      child.stdin.write(`${encode(request)}\n`)
      const timer = setTimeout(() => {
        ended = { error: `no answer to ${JSON.stringify(request)} in ${MOST_SECONDS} s` }
        end(0)
      }, MOST_SECONDS * 1000)
      try {
        return await answer
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => end(2),
  }
}
