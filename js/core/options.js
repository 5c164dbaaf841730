// What callers pass beside the input. A wrong type is INVALID_ARGUMENT, and said before anything is done.

import { invalidArgument } from './errors.js'

const isObject = (value) => typeof value === 'object' && value !== null

const isFunction = (value) => typeof value === 'function'

/** The options that have the same meaning in every call, and what they must be. */
const KINDS = {
  signal: ['an AbortSignal', (value) => isObject(value) && typeof value.aborted === 'boolean' && isFunction(value.addEventListener)],
  onProgress: ['a function', isFunction],
  onError: ['a function', isFunction],
  worker: ['a function', isFunction],
  components: ['an array of names', Array.isArray],
  cache: ['true, a name, or a Cache', (value) => typeof value === 'boolean' || typeof value === 'string' ||
    (isObject(value) && ['match', 'put', 'delete'].every((name) => isFunction(value[name])))],
  files: ['a map of files by their names, or a function', (value) => isObject(value) || isFunction(value)],
  engine: ['an OnnxEngine', (value) => isObject(value) && isFunction(value.open)],
  sha256: ['64 hexadecimal digits', (value) => typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)],
  relaxed: ['true, false, or a WebAssembly.Module', (value) => typeof value === 'boolean' || value instanceof WebAssembly.Module],
  maxMemory: ['a number of bytes below 4 GiB', (value) => Number.isInteger(value) && value > 0 && value < 2 ** 32],
  size: ['a number of workers from 1 to 1024', (value) => Number.isInteger(value) && value >= 1 && value <= 1024],
}

/**
 * The options, checked; an empty object where there are none.
 *
 * @template {object} T
 * @param {T | undefined} options
 * @returns {T}
 */
export function checkOptions(options) {
  if (options === undefined) return {}
  if (!isObject(options)) throw invalidArgument('options must be an object')
  for (const name in KINDS) {
    const [want, is] = KINDS[name]
    if (options[name] !== undefined && !is(options[name])) throw invalidArgument(`${name} must be ${want}`)
  }
  return options
}

/**
 * What `pipe` is given, if it can be gone through. A string can, but it is one text and not its characters.
 *
 * @template T
 * @param {T} inputs
 * @returns {T}
 */
export function checkInputs(inputs) {
  if (isObject(inputs) && (isFunction(inputs[Symbol.asyncIterator]) || isFunction(inputs[Symbol.iterator]))) return inputs
  throw invalidArgument('the inputs must be an iterable of texts')
}
