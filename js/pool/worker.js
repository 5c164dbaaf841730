// The worker of browsers, Deno and Bun: `new Worker(url, { type: 'module' })`.

import { serve } from './serve.js'

const take = serve((message, transfer) => self.postMessage(message, transfer))

self.onmessage = ({ data }) => take(data)
