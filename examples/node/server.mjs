// The service in Node: a plain http server.

import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline as connect } from 'node:stream/promises'

import { loadPipeline } from 'onenlp'
import { url } from 'onenlp-model-en'

import { createHandler } from '../shared/handler.js'

const { PORT = 8000, HOST = '127.0.0.1', MAX_BYTES = 1 << 20, MAX_TOKENS = 20_000 } = process.env

const loading = loadPipeline(url)
const handle = createHandler({ load: () => loading, maxBytes: Number(MAX_BYTES), maxTokens: Number(MAX_TOKENS) })

/** node:http's request as a Request. */
function requestOf(incoming, signal) {
  const { method, headers } = incoming
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming)
  return new Request(new URL(incoming.url, `http://${headers.host ?? 'localhost'}`), { method, headers, body, signal, duplex: 'half' })
}

const server = createServer(async (incoming, outgoing) => {
  const controller = new AbortController()
  // Nobody waits for it any more.
  outgoing.on('close', () => controller.abort())
  try {
    const { status, headers, body } = await handle(requestOf(incoming, controller.signal))
    outgoing.writeHead(status, Object.fromEntries(headers))
    if (body) await connect(Readable.fromWeb(body), outgoing)
    else outgoing.end()
  } catch (error) {
    // A request that is none, or a connection that has ended.
    if (!outgoing.headersSent && !outgoing.destroyed) outgoing.writeHead(400).end()
    else outgoing.destroy(error)
  }
})

await loading
server.listen(Number(PORT), HOST, () => console.log(`http://${HOST}:${server.address().port}`))
process.once('SIGTERM', () => server.close())
