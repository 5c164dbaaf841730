// The service in Deno.

import { loadPipeline } from 'onenlp'
import { url } from 'onenlp-model-en'

import { createHandler } from '../shared/handler.js'

const loading = loadPipeline(url)

Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT') ?? 8000) }, createHandler({ load: () => loading }))
