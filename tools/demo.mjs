// npm run demo: serves the page of web-demo/ at http://localhost:8077/, building the module first if need be.
//
//   npm run demo                        serve this checkout
//   npm run demo -- --port 9000         another port; 0 takes a free one
//   npm run demo -- --models FOLDER     pipelines from another folder
//   npm run demo -- --out FOLDER        copy the static files there instead, ready for any web host
//   npm run demo -- --no-build          take the module as it is in dist/

import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { StepFailed, buildWasm, root, runMain, say, setup } from './steps.mjs'

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:"
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json', '.wasm': 'application/wasm', '.onenlp': 'application/octet-stream',
}
// What the page consists of; nothing else of the checkout is served.
const FOLDERS = ['web-demo', 'js', 'dist', 'models']

/**
 * A server of the page.
 *
 * @param {{ port?: number, folders?: Record<string, string> }} [options] `folders`: others in place of the checkout's, by name
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve({ port = 0, folders = {} } = {}) {
  const server = createServer((request, response) => {
    const answer = (status, text, headers = {}) => response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(text)
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'GET only')
    let path
    try {
      path = normalize(decodeURIComponent(new URL(`http://localhost${request.url}`).pathname))
    } catch {
      return answer(400, 'no such address')
    }
    if (path === '/') return answer(302, '', { location: '/web-demo/' })
    if (path.endsWith('/')) path += 'index.html'
    const [, folder, ...rest] = path.split('/')
    if (!FOLDERS.includes(folder) || rest.some((part) => part === '..' || part.startsWith('.') || part.includes('\0'))) return answer(404, 'not found')
    const file = join(folders[folder] ?? join(root, folder), ...rest)
    if (!existsSync(file) || !statSync(file).isFile()) return answer(404, 'not found')
    const { size, mtimeMs } = statSync(file)
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': size,
      etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    })
    if (request.method === 'HEAD') return response.end()
    createReadStream(file).on('error', () => response.destroy()).pipe(response)
  })
  await new Promise((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done))
  return {
    url: `http://localhost:${server.address().port}/web-demo/`,
    close: () => new Promise((done) => {
      server.close(done)
      server.closeAllConnections()
    }),
  }
}

/** Copies the static files: the same folders, and a first page that leads to the page. */
async function copyTo(folder, models) {
  await mkdir(folder, { recursive: true })
  for (const name of ['web-demo', 'js', 'dist']) await cp(join(root, name), join(folder, name), { recursive: true })
  for (const { file } of JSON.parse(readFileSync(join(root, 'web-demo/pipelines.json'), 'utf8'))) {
    const name = file.replace('../models/', '')
    if (!existsSync(join(models, name))) say(`${join(models, name)} is missing: the page will say so`)
    else await cp(join(models, name), join(folder, 'models', name))
  }
  await writeFile(join(folder, 'index.html'), '<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url=web-demo/">\n<title>onenlp</title>\n<a href="web-demo/">onenlp</a>\n')
}

async function main() {
  let values
  try {
    ({ values } = parseArgs({ options: { port: { type: 'string' }, models: { type: 'string' }, out: { type: 'string' }, 'no-build': { type: 'boolean' } } }))
  } catch (error) {
    say(`${error.message}\nusage: npm run demo -- [--port NUMBER] [--models FOLDER] [--out FOLDER] [--no-build]`)
    return 2
  }
  const from = process.env.INIT_CWD ?? process.cwd()
  const models = values.models === undefined ? join(root, 'models') : resolve(from, values.models)
  if (!values['no-build']) {
    setup('wasm')
    buildWasm()
  }
  if (values.out !== undefined) {
    await copyTo(resolve(from, values.out), models)
    console.log(`The page is in ${values.out}: put it on any web host.`)
    return 0
  }
  const { url } = await serve({ port: Number(values.port ?? 8077), folders: { models } }).catch((error) => {
    throw new StepFailed(error.code === 'EADDRINUSE' ? `port ${values.port ?? 8077} is taken; try --port 0` : error.message)
  })
  console.log(`The page is at ${url}  (stop with Ctrl+C)`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(main)
