// onenlp/formats; see api.js.

import { createApi } from '../core/api.js'
import { platform } from '../platform/deno.js'
import { createFormats } from './api.js'

export { OnenlpError } from '../core/errors.js'

export const { convert, evaluate, evaluateJsonl } = createFormats(createApi(platform))
