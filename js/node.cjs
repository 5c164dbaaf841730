'use strict'
// onenlp in Node, for require(). All that works is asynchronous anyway, so the ES module is loaded by
// the first call.

const api = () => import('./node.js')

/** The same class as the ES module's: each recognises the other's errors by name and code. */
class OnenlpError extends Error {
  constructor(code, message, { position = null, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.position = position
  }

  get help() {
    return `onenlp/docs/javascript.md#${this.code.toLowerCase().replaceAll('_', '-')}`
  }

  toJSON() {
    return { name: this.name, code: this.code, message: this.message, position: this.position }
  }

  static [Symbol.hasInstance](value) {
    return value instanceof Object && value.name === 'OnenlpError' && typeof value.code === 'string'
  }
}
Object.defineProperty(OnenlpError.prototype, 'name', { value: 'OnenlpError', configurable: true, writable: true })

module.exports = {
  OnenlpError,
  loadPipeline: async (...args) => (await api()).loadPipeline(...args),
  createPool: async (...args) => (await api()).createPool(...args),
}
