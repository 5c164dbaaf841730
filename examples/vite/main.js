// The page: the work is done in a worker, so that it never stands still.

import { connectForm } from '../shared/form.js'

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
const waiting = new Map()

worker.onmessage = ({ data: { id, answer } }) => {
  waiting.get(id)(answer)
  waiting.delete(id)
}

let last = 0

connectForm((text, type) => new Promise((resolve) => {
  waiting.set(++last, resolve)
  worker.postMessage({ id: last, text, type })
}))
