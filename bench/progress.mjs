// The running line of a long run: what is done now, how long it has taken, and how long all of it will take. It starts
// from a guess for each step and corrects the rest by what the steps so far have really taken.

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

export class Progress {
  #steps
  #done = 0
  #start = performance.now()
  #what = ''
  // Where one thing takes long, the line goes on.
  #timer = setInterval(() => this.#tell(), process.stderr.isTTY ? 1000 : 10_000).unref()

  /** @param {Map<string, number>} steps the seconds that each is guessed to take, in order */
  constructor(steps) {
    this.#steps = steps
  }

  get #elapsed() {
    return (performance.now() - this.#start) / 1000
  }

  /** Seconds for all, as it looks now. */
  get total() {
    let [done, left] = [0, 0]
    let i = 0
    for (const guess of this.#steps.values()) {
      if (i++ < this.#done) done += guess
      else left += guess
    }
    // The first steps alone say little about the others: the guess counts as a quarter of all steps, done as guessed.
    const guess = (done + left) / 4
    return this.#elapsed + left * ((this.#elapsed + guess) / (done + guess))
  }

  /** A step begins; those before it are done. */
  step(name, detail = '') {
    const index = [...this.#steps.keys()].indexOf(name)
    if (index < 0) throw new Error(`no step ${name} is planned`)
    const isNew = index !== this.#done || this.#what === ''
    this.#done = index
    this.#what = `${name}${detail && `, ${detail}`}`
    if (process.stderr.isTTY || isNew) this.#tell()
  }

  #tell() {
    const { stderr } = process
    const line = `bench: ${clock(this.#elapsed)} of about ${clock(this.total)}, ${this.#what}`
    stderr.write(stderr.isTTY ? `\r\x1b[K${line.slice(0, (stderr.columns || 80) - 1)}` : `${line}\n`)
  }

  /** Ends the line, so that other output can follow. */
  end() {
    clearInterval(this.#timer)
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    return clock(this.#elapsed)
  }
}
