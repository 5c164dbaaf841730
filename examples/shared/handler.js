// Requests in, responses out: the one service that all the examples give, wherever there are Request and Response.
//
//   POST /annotate   text, CoNLL-U, JSON or JSON Lines in; CoNLL-U, JSON or JSON Lines out
//   GET /health      whether the pipeline is there
//   GET /            how to use it
//
// Work is bounded by bytes and by tokens, not by time: in Cloudflare Workers the clock stands still while a program runs.

import { helpPage, helpText } from './help.js'
import { mediaType, preferred } from './negotiate.js'

const utf8 = (type) => `${type}; charset=utf-8`

/** What can be answered, the best first. */
const CONLLU = ['text/plain', 'text/x-conllu']
const JSON_TYPE = ['application/json']
const LINES = ['application/jsonl', 'application/x-ndjson']

/** What is taken: how it is read, and what it can become. */
const INPUTS = {
  'text/plain': { read: (bytes) => ({ input: bytes }), answers: [...CONLLU, ...JSON_TYPE, ...LINES] },
  'text/x-conllu': { read: (bytes) => ({ input: { conllu: bytes } }), answers: [...CONLLU, ...JSON_TYPE, ...LINES] },
  'application/x-www-form-urlencoded': { read: readForm, answers: [...CONLLU, ...JSON_TYPE, ...LINES] },
  'application/json': { read: readJson, answers: [...JSON_TYPE, ...CONLLU, ...LINES] },
  // Many documents, which are no one JSON value.
  'application/jsonl': { read: (bytes) => ({ lines: bytes }), answers: [...LINES, ...CONLLU] },
}
INPUTS['application/x-ndjson'] = INPUTS['application/jsonl']

const ALLOWED = { '/': 'GET, HEAD', '/health': 'GET, HEAD', '/annotate': 'POST' }

/** The status of what onenlp throws; everything else is the server's fault. */
const STATUS = {
  INVALID_UTF8: 400, DATA_FORMAT: 400, INVALID_ARGUMENT: 400, LIMIT: 413, OUT_OF_MEMORY: 413,
}

/** An answer that is no annotation. */
class Refusal extends Error {
  constructor(status, message, headers = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/**
 * @param {object} options
 * @param {() => Promise<import('onenlp').Pipeline>} options.load loads the pipeline; called by the first request that
 *     needs it, and again should the pipeline have failed
 * @param {number} [options.maxBytes] of a request's body
 * @param {number} [options.maxTokens] of a request; a text is given up within one paragraph (at most 512 words) of it
 * @returns {(request: Request) => Promise<Response>}
 */
export function createHandler({ load, maxBytes = 1 << 20, maxTokens = 20_000 }) {
  let pipeline = null

  // What is kept is the pipeline, not its promise: a promise of another request may never come true in a Worker.
  async function loaded() {
    if (pipeline && !pipeline.closed) return pipeline
    const nlp = await load()
    if (pipeline && !pipeline.closed) nlp.close()
    else pipeline = nlp
    return pipeline
  }

  async function annotate(request) {
    const { input, lines, components, as, answers } = await readRequest(request, maxBytes)
    const type = preferred(as ?? request.headers.get('accept'), answers)
    if (!type) throw new Refusal(406, `this can be answered as ${answers.join(', ')}`)
    const checkTokens = (count) => {
      if (count > maxTokens) throw new Refusal(413, `the text has more than ${maxTokens} tokens`)
    }
    // A sentence that is given is annotated in one go, however long it is.
    checkTokens(givenTokens(input))
    const work = { components, signal: request.signal, onProgress: ({ words }) => checkTokens(words) }
    const nlp = await loaded()
    const body = lines ? await annotateLines(nlp, lines, type, work) : written(await nlp.annotateAsync(input, work), type)
    return new Response(body, { headers: { 'content-type': utf8(type), vary: 'Accept' } })
  }

  async function answer(request) {
    const { pathname, origin } = new URL(request.url)
    const allow = Object.hasOwn(ALLOWED, pathname) ? ALLOWED[pathname] : null
    if (!allow) throw new Refusal(404, `there is nothing at ${pathname}; GET / tells what there is`)
    if (!allow.split(', ').includes(request.method)) throw new Refusal(405, `${pathname} takes ${allow}`, { allow })
    if (pathname === '/annotate') return annotate(request)
    if (pathname === '/health') {
      const { metadata, language, components } = await loaded()
      return Response.json({ status: 'ok', name: metadata.name, version: metadata.version, language, components: components.map(({ name }) => name) })
    }
    const type = preferred(request.headers.get('accept'), ['text/plain', 'text/html'])
    if (!type) throw new Refusal(406, 'this can be answered as text/plain or text/html')
    const help = (type === 'text/html' ? helpPage : helpText)({ origin, maxBytes, maxTokens })
    return new Response(help, { headers: { 'content-type': utf8(type), vary: 'Accept' } })
  }

  return async function handle(request) {
    let response
    try {
      response = await answer(request)
    } catch (error) {
      response = refused(error, request.signal?.aborted)
      // Its memory may be in any state: the next request loads it anew.
      if (error?.code === 'INTERNAL') {
        pipeline?.close()
        pipeline = null
      }
    }
    // A text must not become a page in somebody's browser.
    response.headers.set('x-content-type-options', 'nosniff')
    response.headers.set('content-security-policy', 'default-src \'none\'; form-action \'self\'; base-uri \'none\'; frame-ancestors \'none\'')
    return request.method === 'HEAD' ? new Response(null, response) : response
  }
}

/** What a request asks to be annotated. */
async function readRequest(request, maxBytes) {
  const { type, charset } = mediaType(request.headers.get('content-type') ?? '')
  const taken = Object.keys(INPUTS).join(', ')
  const accept = { 'accept-post': taken }
  if (!Object.hasOwn(INPUTS, type)) throw new Refusal(415, `the body is ${type || 'of no type'}; taken are ${taken}`, accept)
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) throw new Refusal(415, `the charset is ${charset}; taken is utf-8`, accept)
  const encoding = request.headers.get('content-encoding')
  if (encoding && encoding !== 'identity') throw new Refusal(415, 'the body must not be compressed', { 'accept-encoding': 'identity' })
  const { read, answers } = INPUTS[type]
  return { answers, ...read(await readBody(request, maxBytes)) }
}

/** The body, of which no more is kept than is taken. */
async function readBody(request, maxBytes) {
  const tooLarge = () => new Refusal(413, `the body has more than ${maxBytes} bytes`)
  // A client that is still sending does not hear an answer, so a little more is read than is taken.
  const most = maxBytes * 16
  if (Number(request.headers.get('content-length')) > most) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const pieces = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size <= maxBytes) {
      pieces.push(value)
    } else if (size > most) {
      reader.cancel().catch(() => {})
      break
    }
  }
  if (size > maxBytes) throw tooLarge()
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}

function decoded(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal(400, 'the body is not UTF-8')
  }
}

/** { text }, { tokens } or { conllu }, and `components`. */
function readJson(bytes) {
  let value
  try {
    value = JSON.parse(decoded(bytes))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(400, `the body is not JSON: ${error.message}`)
  }
  const { components, ...input } = value && typeof value === 'object' && !Array.isArray(value) ? value : {}
  const names = Object.keys(input)
  if (names.length !== 1 || !['text', 'tokens', 'conllu'].includes(names[0])) {
    throw new Refusal(400, 'the body must be an object with one of "text", "tokens" and "conllu", and perhaps "components"')
  }
  return { input, components }
}

/** What the form of the help page sends: `text`, and `as`, which stands for the header Accept. */
function readForm(bytes) {
  const fields = new URLSearchParams(decoded(bytes))
  if (!fields.has('text')) throw new Refusal(400, 'the form has no field "text"; a text alone goes by content-type: text/plain')
  return { input: fields.get('text').replaceAll('\r\n', '\n'), as: fields.get('as') ?? undefined }
}

/** How many tokens an input brings along; 0 for a text, whose tokens are counted as they are found. */
function givenTokens({ tokens, conllu } = {}) {
  if (Array.isArray(tokens)) return tokens.flat().reduce((sum, token) => sum + (token?.words?.length ?? 1), 0)
  if (typeof conllu === 'string') return conllu.match(/^\d/gm)?.length ?? 0
  let count = 0
  let last = 10
  for (const byte of conllu ?? []) {
    if (last === 10 && byte >= 48 && byte <= 57) count++
    last = byte
  }
  return count
}

function written(doc, type) {
  if (CONLLU.includes(type)) return doc.toConllu()
  return LINES.includes(type) ? `${JSON.stringify(doc)}\n` : JSON.stringify(doc)
}

/** Annotates a document a line, letting other requests run between them. */
async function annotateLines(nlp, lines, type, { signal, onProgress }) {
  const pieces = []
  for (const piece of nlp.write({ jsonl: lines }, { output: CONLLU.includes(type) ? 'conllu' : 'json', onProgress })) {
    pieces.push(piece)
    await new Promise((resolve) => setTimeout(resolve, 0))
    signal?.throwIfAborted()
  }
  return new Blob(pieces)
}

/** An error as application/problem+json (RFC 9457). */
function refused(error, aborted) {
  const status = aborted ? 499 : error instanceof Refusal ? error.status : STATUS[error?.code] ?? 500
  // What the server's own errors say is not for everybody.
  const detail = status < 500 ? error.message : 'the server failed; its log says more'
  if (status >= 500) console.error(error)
  const problem = { title: TITLES[status], status, detail, code: error?.code, position: error?.position ?? undefined }
  return new Response(`${JSON.stringify(problem)}\n`, {
    status, headers: { ...error?.headers, 'content-type': 'application/problem+json' },
  })
}

const TITLES = {
  400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable', 413: 'Content Too Large',
  415: 'Unsupported Media Type', 499: 'Client Closed Request', 500: 'Internal Server Error',
}
