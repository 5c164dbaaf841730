// The packages of pipelines: made of models/ as it is, packed alike, and used from Node and from bundles.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

import { packages } from '../../tools/model-packages.mjs'
import { root, temporaryFolder, unless } from './helpers/runtime.mjs'

const folder = temporaryFolder()
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

// A copy, because packing puts files into the folder of the package.
const copy = folder.path('copy')
for (const name of ['packages', 'models', 'tools', 'js/core', 'package.json']) {
  mkdirSync(copy, { recursive: true })
  cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !/\.(tgz|md)$/.test(path) || path.includes('/models/') })
}

function pack(name, target) {
  mkdirSync(folder.path(target), { recursive: true })
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder.path(target)], { cwd: join(copy, 'packages', name), encoding: 'utf8' })
  return { status, stderr, file: status === 0 ? join(folder.path(target), JSON.parse(stdout.slice(stdout.indexOf('['))).at(0).filename) : null }
}

test('they are made of the pipelines as they are', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/model-packages.mjs', '--check'], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.deepEqual(readdirSync(join(root, 'packages')).sort(), packages.map(({ id }) => `onenlp-model-${id}`).sort())
})

test('the examples ask for the packages as they are now', () => {
  let asked = 0
  for (const example of readdirSync(join(root, 'examples'))) {
    for (const name of ['package.json', 'deno.json'].map((file) => join(root, 'examples', example, file)).filter(existsSync)) {
      for (const [, id, version] of readFileSync(name, 'utf8').matchAll(/"onenlp-model-([\w-]+)": "(?:npm:[\w-]+@)?\^([\d.]+)"/g)) {
        assert.equal(version, packages.find((row) => row.id === id)?.version, `onenlp-model-${id} in ${name}`)
        asked++
      }
    }
  }
  assert.ok(asked > 0)
})

for (const { id, license, language } of packages) {
  const name = `onenlp-model-${id}`
  const installed = folder.path(`node_modules/${name}`)

  describe(name, () => {
    let tarball
    before(() => {
      const { status, stderr, file } = pack(name, 'packed')
      assert.equal(status, 0, stderr)
      tarball = file
      mkdirSync(installed, { recursive: true })
      assert.equal(spawnSync('tar', ['-xzf', file, '-C', installed, '--strip-components=1']).status, 0)
      if (!existsSync(folder.path('node_modules/onenlp'))) symlinkSync(root, folder.path('node_modules/onenlp'))
    })

    test('holds what it should, and is the same when packed again', () => {
      assert.deepEqual(readdirSync(installed).sort(), ['README.md', `${id}.onenlp`, 'index.cjs', 'index.d.cts', 'index.d.ts', 'index.js', 'package.json'].sort())
      assert.equal(sha256(join(installed, `${id}.onenlp`)), sha256(join(root, `models/${id}.onenlp`)))
      const card = readFileSync(join(installed, 'README.md'), 'utf8')
      assert.match(card, /\| licence \|/)
      assert.doesNotMatch(card, /\]\(\.\./)
      const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
      assert.equal(about.license, license)
      if (id === packages[0].id) assert.equal(sha256(pack(name, 'again').file), sha256(tarball))
    })

    test('from Node, both kinds, and the command', () => {
      const esm = folder.write(`${id}.mjs`, `
import { loadPipeline } from 'onenlp'
import * as model from '${name}'
const { url, sha256, size, language } = model
const nlp = await loadPipeline(url, { sha256, onProgress: ({ total }) => { if (total !== size) process.exit(3) } })
if (nlp.language !== language || language !== '${language}') process.exit(4)
console.log(nlp.annotate('Ada met Bob in Paris.').length, Object.keys(model).join())
nlp.close()
`)
      const run = (file) => spawnSync(process.execPath, [file], { cwd: folder.path('.'), encoding: 'utf8' })
      const { status, stdout, stderr } = run(esm)
      assert.equal(status, 0, stderr)
      assert.equal(stdout, '6 language,sha256,size,url\n')
      const cjs = folder.write(`${id}.cjs`, `
const model = require('${name}')
require('onenlp').loadPipeline(model.url, { sha256: model.sha256 }).then((nlp) => console.log(nlp.components.length > 0, Object.keys(model).sort().join()))
`)
      assert.equal(run(cjs).stdout, 'true language,sha256,size,url\n')
      const { stdout: resolved } = spawnSync(process.execPath, ['-p', `require.resolve('${name}/${id}.onenlp')`], { cwd: folder.path('.'), encoding: 'utf8' })
      assert.match(resolved, new RegExp(`${id}\\.onenlp\n$`))
    })
  })
}

describe('in a bundle, the file comes along', () => {
  const entry = folder.write('bundled.mjs', `export { sha256, url } from 'onenlp-model-en'\n`)

  /** The bundle says where the file is; it must be the pipeline. */
  async function check(bundle) {
    const { url, sha256: want } = await import(pathToFileURL(bundle))
    assert.equal(url.protocol, 'file:')
    assert.ok(url.href.startsWith(pathToFileURL(join(bundle, '..')).href), `${url} is beside the bundle`)
    assert.equal(sha256(url), want)
  }

  test('Vite', { skip: unless(join(root, 'node_modules/vite')) }, async () => {
    const { build } = await import('vite')
    const outDir = folder.path('vite')
    await build({
      root: folder.path('.'), base: './', logLevel: 'error', configFile: false,
      build: { outDir, minify: false, target: 'esnext', modulePreload: false,
        rollupOptions: { input: entry, preserveEntrySignatures: 'strict', output: { entryFileNames: 'bundle.mjs', format: 'es' } } },
    })
    await check(join(outDir, 'bundle.mjs'))
  })

  test('webpack', { skip: unless(join(root, 'node_modules/webpack')) }, async () => {
    const { default: webpack } = await import('webpack')
    const path = folder.path('webpack')
    const stats = await new Promise((resolve, reject) => webpack({
      mode: 'production', entry, context: folder.path('.'), experiments: { outputModule: true },
      output: { path, filename: 'bundle.mjs', library: { type: 'module' }, module: true, publicPath: 'auto' },
      optimization: { minimize: false }, target: ['web', 'es2022'],
    }, (error, stats) => (error ? reject(error) : resolve(stats))))
    assert.equal(stats.hasErrors(), false, stats.toString())
    await check(join(path, 'bundle.mjs'))
  })
})

test('another pipeline than the package was made for is refused', () => {
  appendFileSync(join(copy, 'models/en.onenlp'), 'x')
  const { status, stderr } = pack('onenlp-model-en', 'refused')
  assert.notEqual(status, 0)
  assert.match(stderr, /packages\/onenlp-model-en\/index\.js.* not made from models\/ as it is; run node tools\/model-packages\.mjs/)
  assert.deepEqual(readdirSync(folder.path('refused')), [])
})
