// The packed package after bundling, in Chromium under a strict policy: Vite and webpack find the module and the worker
// by `new URL('...', import.meta.url)`, esbuild is told of them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { englishModel, root, unless } from '../js/helpers/runtime.mjs'
import { launch, resultOf, serve, withPage } from './browser.mjs'
import { programs, project, tool } from './project.mjs'

const require = createRequire(import.meta.url)
const here = project()
let expected, browser

const page = (script, attributes = '') => `<!doctype html><meta charset="utf-8"><script ${attributes} src="${script}"></script>`

/** The program as an application has it: nothing in it is for a bundler's sake, unless that needs telling. */
const app = ({ has = '{ pool: true }', imports = 'import { url } from \'onenlp-model-en\'' } = {}) => `
import * as onenlp from 'onenlp'
import * as formats from 'onenlp/formats'
import { size } from 'onenlp-model-en'
import { check } from './check.mjs'
${imports}
const bytesOf = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer())
window.result = (async () => {
  const result = await check(onenlp, formats, await bytesOf('/en.onenlp'), ${has})
  const { length } = await bytesOf(url)
  if (length !== size) throw new Error(url + ' has ' + length + ' bytes, want ' + size)
  return result
})().catch((error) => 'failed: ' + (error?.stack ?? error))
`

async function inBrowser(folder) {
  const server = await serve(here.path(folder), { files: { '/en.onenlp': here.path('en.onenlp') } })
  try {
    await withPage(browser, server.url, async (page) => assert.equal(await resultOf(page), expected))
  } finally {
    await server.close()
  }
}

describe('bundled', { skip: unless(programs.chromium, tool('playwright-core'), englishModel) }, () => {
  before(async () => {
    expected = await here.expected()
    browser = await launch()
    here.install('onenlp-model-en', 'packages/onenlp-model-en')
    here.write('app.mjs', app())
  })
  after(() => browser?.close())

  describe('Vite', { skip: unless(tool('vite')) }, () => {
    const options = { configFile: false, logLevel: 'warn', root: here.path('.'), cacheDir: here.path('.vite') }
    before(() => here.write('index.html', page('/app.mjs', 'type="module"')))

    test('build', async () => {
      const { build } = await import('vite')
      await build({ ...options, build: { outDir: 'vite', emptyOutDir: true } })
      await inBrowser('vite')
    })

    test('development server', async () => {
      const { createServer } = await import('vite')
      const server = await createServer({ ...options, server: { port: 0, host: '127.0.0.1', watch: null } })
      try {
        await server.listen()
        await withPage(browser, `http://127.0.0.1:${server.httpServer.address().port}`, async (page) => {
          assert.equal(await resultOf(page), expected)
        })
      } finally {
        await server.close()
      }
    })
  })

  test('webpack', { skip: unless(tool('webpack')) }, async () => {
    const stats = await new Promise((resolve, reject) => require('webpack')({
      mode: 'production', context: here.path('.'), entry: './app.mjs', output: { path: here.path('webpack') }, performance: false,
    }, (error, stats) => (error ? reject(error) : resolve(stats))))
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
    assert.deepEqual([errors, warnings], [[], []])
    here.write('webpack/index.html', page('/main.js'))
    await inBrowser('webpack')
  })

  test('esbuild', { skip: unless(tool('esbuild')) }, async () => {
    here.write('app.js', app({
      has: '{ pool: true, wasm, worker: () => new Worker(\'/worker.js\', { type: \'module\' }) }',
      imports: 'import wasm from \'onenlp/onenlp.wasm\'\nimport url from \'onenlp-model-en/en.onenlp\'',
    }))
    // As the document says.
    const [, args] = readFileSync(join(root, 'docs/javascript.md'), 'utf8').match(/^esbuild (.*)$/m)
    here.run(tool('.bin/esbuild'), [...args.replace('--outdir=out', '--outdir=esbuild').split(' '), '--loader:.onenlp=file'])
    here.write('esbuild/index.html', page('/app.js', 'type="module"'))
    await inBrowser('esbuild')
  })
})
