// A Cloudflare Worker: the module and the pipeline are part of it, so it fetches nothing.

import { loadPipeline } from 'onenlp'
import model from 'onenlp-model-en/en.onenlp'

import { createHandler } from '../shared/handler.js'

let handle

export default {
  fetch(request, { MAX_BYTES, MAX_TOKENS }) {
    // Not before the first request: what a Worker does while it starts is limited.
    handle ??= createHandler({ load: () => loadPipeline(model), maxBytes: MAX_BYTES, maxTokens: MAX_TOKENS })
    return handle(request)
  },
}
