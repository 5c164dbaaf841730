// The page without a bundler: files as npm has put them, by their paths.

import { loadPipeline } from './node_modules/onenlp/js/index.js'

import { ask } from '../shared/ask.js'
import { connectForm } from '../shared/form.js'
import { createHandler } from '../shared/handler.js'

const model = new URL('./node_modules/onenlp-model-en/en.onenlp', import.meta.url)

// The second visit needs no network for it.
const loading = loadPipeline(model, { cache: true })

const handle = createHandler({ load: () => loading })
connectForm((text, type) => ask(handle, text, type))
