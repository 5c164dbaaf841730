// The one class of errors. The codes are those of the C library (onenlp_code in src/onenlp.h).

/**
 * What went wrong: a stable `code` ('INVALID_DATA', 'DATA_FORMAT', 'CLOSED', ...), the `position` it
 * has (a byte offset or a line number, as the code says), and a sentence for the user.
 */
export class OnenlpError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ position?: number | null, cause?: unknown }} [details]
   */
  constructor(code, message, { position = null, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.position = position
  }

  /** Where the code is explained. */
  get help() {
    return `onenlp/docs/javascript.md#${this.code.toLowerCase().replaceAll('_', '-')}`
  }

  /** Plain values, as they cross from a worker. */
  toJSON() {
    return { name: this.name, code: this.code, message: this.message, position: this.position }
  }

  /** An error of a second copy of this class (CommonJS, another realm) is one of this class as well. */
  static [Symbol.hasInstance](value) {
    return value instanceof Object && value.name === 'OnenlpError' && typeof value.code === 'string'
  }
}

// On the prototype, so that it is no property of every error that is logged.
Object.defineProperty(OnenlpError.prototype, 'name', { value: 'OnenlpError', configurable: true, writable: true })

/** Makes an error of the values that OnenlpError.toJSON gave. */
export function errorFromJSON({ code, message, position }) {
  return new OnenlpError(code, message, { position })
}

/** Throws what an AbortSignal stands for, if it is aborted. */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw cancelled(signal)
}

export function cancelled(signal) {
  return new OnenlpError('CANCELLED', 'the operation was cancelled', { cause: signal?.reason })
}

export function invalidArgument(message) {
  return new OnenlpError('INVALID_ARGUMENT', message)
}
