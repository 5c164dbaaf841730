// The server of the page and its static files, without a browser.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { serve } from '../../tools/demo.mjs'
import { englishModel, root, temporaryFolder, unless, wasm } from './helpers/runtime.mjs'

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:"
const pageFiles = readdirSync(join(root, 'web-demo'))

describe('the demo server', () => {
  let server
  before(async () => { server = await serve({ folders: { models: join(root, 'tests/fixtures') } }) })
  after(() => server.close())

  /** As fetch, but the path goes out as it is. */
  const get = (path, method = 'GET') => new Promise((done, failed) => {
    const { port } = new URL(server.url)
    request({ host: '127.0.0.1', port, path, method }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk)).on('end', () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }))
    }).on('error', failed).end()
  })

  test('serves the page with its policy and the right types', async () => {
    assert.equal((await get('/')).headers.location, '/web-demo/')
    const page = await get('/web-demo/')
    assert.equal(page.status, 200)
    assert.equal(page.headers['content-security-policy'], POLICY)
    assert.deepEqual(page.body, readFileSync(join(root, 'web-demo/index.html')))
    assert.match((await get('/web-demo/app.js')).headers['content-type'], /^text\/javascript/)
    assert.match((await get('/js/render/render.css?x=1')).headers['content-type'], /^text\/css/)
    if (existsSync(join(root, 'dist/onenlp.wasm'))) assert.equal((await get('/dist/onenlp.wasm', 'HEAD')).headers['content-type'], 'application/wasm')
  })

  test('serves nothing else', async () => {
    for (const path of ['/package.json', '/web-demo/../package.json', '/web-demo/%2e%2e/package.json', '/web-demo/..%2fpackage.json', '/js/../../etc/passwd', '//package.json',
      '/web-demo/%00', '/web-demo', '/js/', '/tools/demo.mjs', '/.git/config', '/web-demo/.git', '/web-demo/nothing.js', '/models/../package.json', '/models/%2e%2e/%2e%2e/package.json']) {
      const { status, body } = await get(path)
      assert.ok(status === 404 || status === 400, `${path}: ${status}`)
      assert.doesNotMatch(body.toString(), /devDependencies|\[core\]/)
    }
    assert.equal((await get('/web-demo/%zz')).status, 400)
    assert.equal((await get('/web-demo/', 'POST')).status, 405)
  })
})

test('copies a site that is complete', { skip: unless(wasm) }, () => {
  const folder = temporaryFolder().path('site')
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/demo.mjs'), '--no-build', '--out', folder], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  const listed = readFileSync(join(root, 'web-demo/sw.js'), 'utf8').match(/const FILES = \[([\s\S]*?)\]/)[1].match(/'[^']+'/g).map((name) => name.slice(1, -1))
  for (const name of listed) assert.ok(existsSync(join(folder, 'web-demo', name === './' ? 'index.html' : name)), name)
  assert.match(readFileSync(join(folder, 'index.html'), 'utf8'), /url=web-demo\//)
  if (existsSync(englishModel)) assert.ok(existsSync(join(folder, 'models/en.onenlp')))
})

describe('the files of the page', () => {
  const read = (name) => readFileSync(join(root, 'web-demo', name), 'utf8')
  test('no inline script or style, no other host', () => {
    const html = read('index.html')
    assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:">/)
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)/)
    for (const name of pageFiles) {
      const text = read(name).replaceAll('http://www.w3.org/2000/svg', '')
      if (name !== 'samples.js') assert.doesNotMatch(text, /(?:https?:)?\/\/[a-z0-9-]+\.[a-z]{2,}/i, name)
      assert.doesNotMatch(text, /\beval\(|new Function\(|document\.write/, name)
    }
  })
  test('what the page refers to by id is there, and once', () => {
    const html = read('index.html')
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    const scripts = pageFiles.filter((name) => name.endsWith('.js')).map(read).join('\n')
    const made = new Set([...scripts.matchAll(/\bid: '([^']+)'/g)].map(([, id]) => id))
    for (const [, id] of scripts.matchAll(/byId\('([^']+)'\)/g)) assert.ok(ids.includes(id) || made.has(id), `#${id}`)
    for (const [, id] of html.matchAll(/(?:aria-controls|aria-labelledby|aria-describedby|for)="([^"]+)"/g)) assert.ok(ids.includes(id), `#${id}`)
  })
  test('pipelines of the menu lie in models/', () => {
    for (const { id, name, file } of JSON.parse(read('pipelines.json'))) {
      assert.ok(id && name)
      assert.match(file, /^\.\.\/models\/[\w.-]+\.onenlp$/)
    }
  })
})
