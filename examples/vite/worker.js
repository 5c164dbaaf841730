// The pipeline, away from the page. Vite takes the module and the pipeline along.

import { loadPipeline } from 'onenlp'
import { url } from 'onenlp-model-en'

import { ask } from '../shared/ask.js'
import { createHandler } from '../shared/handler.js'

const loading = loadPipeline(url)
const handle = createHandler({ load: () => loading })

self.onmessage = async ({ data: { id, text, type } }) => self.postMessage({ id, answer: await ask(handle, text, type) })
