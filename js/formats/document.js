// A document of the caller's as JSON on one line.

import { OnenlpError, invalidArgument } from '../core/errors.js'

export function jsonOf(document) {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw invalidArgument('a document must be an object: a Doc, or what readConllu and readJsonl give')
  }
  try {
    return JSON.stringify(document)
  } catch (cause) {
    throw new OnenlpError('INVALID_ARGUMENT', `a document cannot be written as JSON: ${cause.message}`, { cause })
  }
}
