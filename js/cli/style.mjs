// Colours, only where somebody looks: on a terminal that has them, and not against NO_COLOR (https://no-color.org).

const wanted = (stream) => stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'

const painter = (stream) => (code) => (text) => (wanted(stream) ? `\x1b[${code}m${text}\x1b[0m` : text)

const paintOut = painter(process.stdout)
const paintErr = painter(process.stderr)

/** For standard output: the headings of a help. */
export const bold = paintOut(1)
export const cyan = paintOut(36)

/** For standard error. */
export const red = paintErr('1;31')
