// The packed package in the real runtimes: one program, the same assertions, the same annotation.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, relative } from 'node:path'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { loadPipeline } from '../../js/node.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { root, temporaryFolder, unless } from './helpers/runtime.mjs'

const folder = temporaryFolder()
const installed = folder.path('node_modules/onenlp')
const file = englishPipeline()
const tool = (name) => join(root, 'node_modules', name)
const chromium = '/usr/bin/chromium'
const TEXT = 'Ada 😀 didn\'t meet Bob.\n\nShe left.'
let expected

function pack(target) {
  mkdirSync(target, { recursive: true })
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return join(target, JSON.parse(stdout)[0].filename)
}

before(async () => {
  const tarball = pack(folder.path('pack'))
  mkdirSync(installed, { recursive: true })
  assert.equal(spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']).status, 0)
  folder.write('package.json', '{ "private": true, "type": "module" }')
  folder.write('en.onenlp', file)
  copyFileSync(new URL('runtimes/check.mjs', import.meta.url), folder.path('check.mjs'))
  const nlp = await loadPipeline(file)
  expected = nlp.annotate(TEXT).toConllu()
  nlp.close()
})

test('the package holds what it should, and is the same when packed again', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => relative(installed, join(entry.parentPath ?? entry.path, entry.name)))
  for (const name of ['package.json', 'README.md', 'LICENSE', 'dist/onenlp.wasm', 'docs/javascript.md', 'js/index.js', 'js/node.cjs']) {
    assert.ok(files.includes(name), name)
  }
  for (const name of files) assert.match(name, /^(js\/|dist\/onenlp\.wasm$|docs\/javascript\.md$|package\.json$|README\.md$|LICENSE$)/)
  const { dependencies, exports, bin, main, types } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined)
  const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targets))
  for (const target of [...targets(exports), ...targets(bin), main, types]) assert.ok(existsSync(join(installed, target)), target)
  assert.deepEqual(Object.keys(exports['.']), ['workerd', 'deno', 'node', 'browser', 'default'])
  const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')
  assert.equal(hash(pack(folder.path('again'))), hash(join(folder.path('pack'), readdirSync(folder.path('pack'))[0])))
})

test('portable files name no module of a runtime', () => {
  const seen = new Set()
  const visit = (url) => {
    if (seen.has(url.href)) return
    seen.add(url.href)
    const text = readFileSync(url, 'utf8')
    for (const [, from] of text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom '([^']+)'|^import '([^']+)'/gm)) {
      assert.match(from, /^\.\.?\//, `${url.pathname} imports ${from}`)
      visit(new URL(from, url))
    }
    assert.doesNotMatch(text, /\b(eval|new Function)\(/)
  }
  for (const entry of ['index.js', 'formats/index.js', 'pool/worker.js', 'render/index.js']) visit(new URL(`../../js/${entry}`, import.meta.url))
  assert.ok(seen.size > 15)
})

/** Runs a command in the project; returns what it prints. */
function run(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder.path('.'), encoding: 'utf8', env: { ...process.env, ...env }, timeout: 240_000,
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
  return stdout
}

const program = (file) => `
import * as onenlp from 'onenlp'
import * as formats from 'onenlp/formats'
import { check } from './check.mjs'
${file}
console.log(JSON.stringify(await check(onenlp, formats, file, { pool: true })))
`
const byNode = program('import { readFileSync } from \'node:fs\'\nconst file = readFileSync(\'en.onenlp\')')
const byDeno = program('const file = Deno.readFileSync(\'en.onenlp\')')

describe('runtimes', () => {
  test('Node', () => {
    folder.write('node.mjs', byNode)
    assert.equal(JSON.parse(run(process.execPath, ['node.mjs'])), expected)
  })

  test('Node, by require()', () => {
    folder.write('node.cjs', `
const onenlp = require('onenlp')
const formats = require('onenlp/formats')
const file = require('node:fs').readFileSync('en.onenlp')
import('./check.mjs').then(({ check }) => check(onenlp, formats, file, { pool: true })).then((conllu) => console.log(JSON.stringify(conllu)))
onenlp.loadPipeline(7).catch((error) => { if (!(error instanceof onenlp.OnenlpError)) process.exit(3) })
`)
    assert.equal(JSON.parse(run(process.execPath, ['node.cjs'])), expected)
  })

  test('Node, the command', () => {
    assert.equal(run(process.execPath, [join(installed, 'js/cli/onenlp.mjs'), 'annotate', '-m', 'en.onenlp', '-t', TEXT]), expected)
  })

  test('Deno', { skip: unless(tool('deno')) }, () => {
    folder.write('deno.mjs', byDeno)
    const flags = ['--no-remote', '--node-modules-dir=manual', '--allow-read', '--quiet', '--no-lock']
    const printed = run(join(root, 'node_modules/.bin/deno'), ['run', ...flags, 'deno.mjs'], { DENO_DIR: folder.path('deno'), DENO_NO_UPDATE_CHECK: '1' })
    assert.equal(JSON.parse(printed), expected)
  })

  test('Bun', { skip: unless(tool('bun/bin/bun.exe')) }, () => {
    folder.write('bun.mjs', byNode)
    assert.equal(JSON.parse(run(tool('bun/bin/bun.exe'), ['bun.mjs'])), expected)
  })

  test('workerd', { skip: unless(tool('miniflare'), tool('esbuild')) }, async (t) => {
    const { build } = await import('esbuild')
    const { Miniflare } = await import('miniflare')
    folder.write('worker.mjs', `
import * as onenlp from 'onenlp'
import * as formats from 'onenlp/formats'
import file from './en.onenlp'
import { check } from './check.mjs'
export default {
  async fetch() {
    try {
      return new Response(await check(onenlp, formats, new Uint8Array(file), { pool: false }))
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}
`)
    mkdirSync(folder.path('workerd'))
    await build({
      entryPoints: [folder.path('worker.mjs')], outfile: folder.path('workerd/worker.mjs'), bundle: true, format: 'esm',
      conditions: ['workerd', 'worker', 'import'], logLevel: 'error',
      // Binary files stay modules of their own, as wrangler has them.
      plugins: [{
        name: 'binary',
        setup(build) {
          build.onResolve({ filter: /\.(wasm|onenlp)$/ }, ({ path, resolveDir }) => {
            const name = path.split('/').at(-1)
            copyFileSync(join(resolveDir, path), folder.path(`workerd/${name}`))
            return { path: `./${name}`, external: true }
          })
        },
      }],
    })
    const sizes = ['worker.mjs', 'onenlp.wasm'].map((name) => gzipSync(readFileSync(folder.path(`workerd/${name}`)), { level: 9 }).length)
    t.diagnostic(`worker bundle without pipeline: ${sizes.join(' + ')} bytes compressed`)
    assert.ok(sizes[0] + sizes[1] < 300_000)
    const worker = new Miniflare({
      compatibilityDate: '2026-01-01',
      modulesRoot: folder.path('workerd'),
      modules: [
        { type: 'ESModule', path: folder.path('workerd/worker.mjs') },
        { type: 'CompiledWasm', path: folder.path('workerd/onenlp.wasm') },
        { type: 'Data', path: folder.path('workerd/en.onenlp') },
      ],
    })
    try {
      const response = await worker.dispatchFetch('http://localhost/')
      assert.equal(await response.text(), expected)
    } finally {
      await worker.dispose()
    }
  })

  describe('Chromium, under a strict policy', { skip: unless(chromium, tool('playwright-core')) }, () => {
    const page = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.mjs"></script>'
    const inPage = `
import * as onenlp from '/node_modules/onenlp/js/index.js'
import * as formats from '/node_modules/onenlp/js/formats/index.js'
import { check } from '/check.mjs'
export const result = fetch('/en.onenlp').then((response) => response.arrayBuffer())
  .then((bytes) => check(onenlp, formats, new Uint8Array(bytes), { pool: true }))
  .catch((error) => 'failed: ' + (error?.stack ?? error))
export async function sourcesOfCachedLoad() {
  const sources = new Set()
  const nlp = await onenlp.loadPipeline('/en.onenlp', { cache: true, onProgress: ({ source }) => sources.add(source) })
  nlp.close()
  return [...sources]
}
`
    const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }

    for (const wasmType of ['application/wasm', 'text/plain']) {
      test(`page and worker, the module served as ${wasmType}`, async () => {
        folder.write('index.html', page)
        folder.write('in-page.mjs', inPage)
        folder.write('page.mjs', 'import { result, sourcesOfCachedLoad } from \'/in-page.mjs\'\nObject.assign(window, { result, sourcesOfCachedLoad })\n')
        folder.write('in-worker.mjs', 'import { result } from \'/in-page.mjs\'\nresult.then((text) => postMessage(text))\n')
        const server = createServer((request, response) => {
          const path = folder.path(new URL(request.url, 'http://x').pathname.slice(1) || 'index.html')
          if (!existsSync(path)) return response.writeHead(404).end()
          const type = path.endsWith('.wasm') ? wasmType : types[extname(path)] ?? 'application/octet-stream'
          response.writeHead(200, {
            'content-type': type,
            'content-security-policy': 'default-src \'none\'; script-src \'self\' \'wasm-unsafe-eval\'; worker-src \'self\'; connect-src \'self\'',
          }).end(readFileSync(path))
        })
        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
        const { chromium: browserType } = await import('playwright-core')
        const browser = await browserType.launch({ executablePath: chromium, args: ['--no-sandbox'] })
        try {
          const tab = await browser.newPage()
          await tab.goto(`http://127.0.0.1:${server.address().port}/`)
          await tab.waitForFunction(() => window.result !== undefined)
          assert.equal(await tab.evaluate(() => window.result), expected)
          assert.deepEqual(await tab.evaluate(() => window.sourcesOfCachedLoad()), ['network'])
          assert.deepEqual(await tab.evaluate(() => window.sourcesOfCachedLoad()), ['cache'])
          const fromWorker = tab.evaluate(() => new Promise((resolve, reject) => {
            const worker = new Worker('/in-worker.mjs', { type: 'module' })
            worker.onmessage = ({ data }) => resolve(data)
            worker.onerror = (event) => reject(new Error(event.message))
          }))
          assert.equal(await fromWorker, expected)
        } finally {
          await browser.close()
          server.close()
        }
      })
    }
  })
})
