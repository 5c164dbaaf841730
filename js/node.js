// onenlp in Node and Bun.

import { createApi } from './core/api.js'
import { platform } from './platform/node.js'

export { OnenlpError } from './core/errors.js'
export { Doc, Range, Sentence, Span, Token } from './core/doc.js'
export { Pipeline } from './core/pipeline.js'
export { Pool } from './pool/pool.js'

export const { loadPipeline, createPool } = createApi(platform)
