// onenlp/formats; see api.js.

import { createApi } from '../core/api.js'
import { platform } from '../platform/node.js'
import { createFormats } from './api.js'

export { OnenlpError } from '../core/errors.js'

export const {
  align, convert, convertStream, evaluate, evaluateJsonl, readConllu, readJsonl, writeConllu, writeJsonl,
} = createFormats(createApi(platform))
