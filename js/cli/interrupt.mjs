// Ctrl-C and its like: what must not be left behind is cleared away, then the signal does what it does.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Calls `clear` (which must not wait for anything) before the program ends by a signal. Returns a function that takes it back.
 *
 * @param {() => void} clear
 */
export function onInterrupt(clear) {
  const handler = (signal) => {
    release()
    clear()
    // The shell sees the signal (130 for Ctrl-C), as if nobody had listened.
    process.kill(process.pid, signal)
  }
  const release = () => SIGNALS.forEach((signal) => process.removeListener(signal, handler))
  for (const signal of SIGNALS) process.on(signal, handler)
  return release
}
