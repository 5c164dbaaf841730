// One line on standard error that shows how far the work is; only on a terminal.

const BAR = 24
const EVERY_MS = 100

const clock = (seconds) => {
  const all = Math.round(seconds)
  const two = (n) => String(n).padStart(2, '0')
  return all >= 3600 ? `${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`
    : `${Math.floor(all / 60)}:${two(all % 60)}`
}

export class Progress {
  #shown
  #drawn = false
  #start = performance.now()
  #last = this.#start
  #done = 0
  #words = 0

  /** @param {number} total bytes in all, 0 where that is not known */
  constructor(total, quiet) {
    this.total = total
    this.#shown = !quiet && process.stderr.isTTY === true
  }

  update({ done, words }) {
    const now = performance.now()
    if (!this.#shown || now - this.#last < EVERY_MS) return
    this.#last = now
    const seconds = (now - this.#start) / 1000
    const all = this.#done + done
    let line = ''
    if (this.total > 0) {
      const part = Math.min(all / this.total, 1)
      line += `[${'#'.repeat(Math.round(part * BAR)).padEnd(BAR, '.')}] ${String(Math.floor(part * 100)).padStart(3)}% `
    }
    line += `${Math.round((this.#words + words) / seconds).toLocaleString('en')} words/s`
    if (this.total > 0 && all > 0 && seconds > 0.5) line += `, ${clock(seconds * Math.max(this.total / all - 1, 0))} left`
    process.stderr.write(`\r${line.slice(0, (process.stderr.columns || 80) - 1)}\x1b[K`)
    this.#drawn = true
  }

  /** An input is done. */
  next({ total, words }) {
    this.#done += total
    this.#words += words
  }

  /** Takes the line away, so that a message can be written. */
  clear() {
    if (this.#drawn) process.stderr.write('\r\x1b[K')
    this.#drawn = false
  }
}
