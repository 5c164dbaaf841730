// Getting a WebAssembly.Module out of whatever the caller has.

import { OnenlpError, invalidArgument } from './errors.js'

const isBytes = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value)

/**
 * Compiles the module.
 *
 * @param {unknown} source a Module, a Response, bytes, or a promise of one of them
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source) {
  const value = await source
  if (value instanceof WebAssembly.Module) return check(value)
  try {
    if (isBytes(value)) return check(await WebAssembly.compile(value))
    if (typeof Response !== 'undefined' && value instanceof Response) return check(await compileResponse(value))
  } catch (cause) {
    if (cause instanceof OnenlpError) throw cause
    throw new OnenlpError('INVALID_DATA', `the WebAssembly module does not compile: ${cause.message}`, { cause })
  }
  throw invalidArgument('wasm must be a WebAssembly.Module, a Response, a URL or bytes')
}

async function compileResponse(response) {
  if (!response.ok) {
    throw new OnenlpError('IO', `the WebAssembly module: ${response.url || 'the response'} has status ${response.status}`)
  }
  if (response.bodyUsed) throw invalidArgument('the body of the WebAssembly module\'s response was read already')
  // A streaming compilation that fails has used up the body, so its one requirement is checked first.
  const type = response.headers.get('content-type')?.split(';')[0].trim().toLowerCase()
  if (type === 'application/wasm' && typeof WebAssembly.compileStreaming === 'function') {
    return WebAssembly.compileStreaming(response)
  }
  return WebAssembly.compile(await response.arrayBuffer())
}

function check(module) {
  if (WebAssembly.Module.exports(module).some(({ name }) => name === 'onenlp_version')) return module
  throw invalidArgument('this WebAssembly module is not onenlp.wasm')
}
