// Accessibility, small screens, and what the page weighs.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { annotate, dropFile, missing, selectMode, selectView, start, stop, withPage } from './page.mjs'

const root = new URL('../../', import.meta.url)
const VIEWS = ['words', 'arcs', 'tree', 'entities', 'cats', 'spans', 'table', 'json', 'code']
const axe = () => readFileSync(fileURLToPath(new URL('node_modules/axe-core/axe.min.js', root)), 'utf8')

const DOC = JSON.stringify({
  text: 'Ada met Bob in Paris.', tokens: [[0, 3], [4, 7], [8, 11], [12, 14], [15, 20], [20, 21]],
  entities: [[0, 3, 'PER'], [8, 11, 'PER'], [15, 20, 'LOC']], cats: { travel: 0.9, sport: 0.1 }, spans: { sc: [[0, 11, 'MEETING'], [8, 20, 'PLACE']] },
})
const GOLD = '1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\tdogs\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n3\tslept\tsleep\tVERB\t_\t_\t0\troot\t_\t_\n\n'

/** Every state of the page that looks different, one after another. */
async function everywhere(page, visit) {
  await annotate(page, 'The dogs that Ada saw slept in Paris. Didn\'t they?')
  for (const view of VIEWS) {
    await selectView(page, view)
    await visit(`view ${view}`)
  }
  await selectMode(page, 'pipeline')
  await page.locator('#card .facts').waitFor()
  await visit('pipeline')
  await dropFile(page, 'gold.conllu', GOLD)
  await dropFile(page, 'doc.jsonl', DOC)
  await page.locator('.file', { hasText: 'gold.conllu' }).waitFor()
  await visit('files')
  await page.locator('.file', { hasText: 'doc.jsonl' }).getByRole('button', { name: 'Look at it' }).click()
  await page.locator('#status', { hasText: 'doc.jsonl' }).waitFor()
  for (const view of ['entities', 'cats', 'spans']) {
    await selectView(page, view)
    await visit(`${view} of a file`)
  }
  await selectMode(page, 'files')
  await page.locator('.file', { hasText: 'gold.conllu' }).getByRole('button', { name: 'Compare with gold' }).click()
  await page.locator('.on-scores').waitFor()
  await visit('comparison')
  await dropFile(page, 'broken.onenlp', Buffer.from('no'))
  await page.locator('#load-error').waitFor()
  await visit('an error')
}

describe('access', { skip: missing }, () => {
  before(() => start({ small: true }))
  after(stop)

  for (const colorScheme of ['light', 'dark']) {
    test(`axe-core finds no serious problem (${colorScheme})`, { timeout: 300_000 }, () => withPage(async (page) => {
      // As an extension does: in a world of its own, past the page's policy.
      const session = await page.context().newCDPSession(page)
      const { frameTree } = await session.send('Page.getFrameTree')
      const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' })
      const run = async (expression) => {
        const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true })
        assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description)
        return result.value
      }
      await run(`${axe()}; 0`)
      const found = []
      let checks = 0
      await everywhere(page, async (where) => {
        const result = await run(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations, passes }) => ({ violations: violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + ' ' + (any[0]?.message ?? '')).join(' | ')), passes: passes.length }))`)
        checks += result.passes
        found.push(...result.violations.map((text) => `${where}: ${text}`))
      })
      assert.ok(checks > 200, 'axe has checked something')
      assert.deepEqual(found, [])
    }, { options: { colorScheme, reducedMotion: 'reduce' } }))
  }

  for (const width of [320, 390, 768, 1920]) {
    test(`nothing is cut or overlaps at ${width} pixels`, () => withPage(async (page) => {
      await everywhere(page, async (where) => {
        const wide = await page.evaluate(() => {
          const room = document.documentElement.clientWidth
          if (document.documentElement.scrollWidth <= room) return []
          return [...document.querySelectorAll('body *')].filter((node) => node.getBoundingClientRect().right > room + 1 && !node.closest('.scroll, .view-tabs, pre')).slice(0, 5).map((node) => `${node.tagName}.${node.className} ${node.id}`)
        })
        assert.deepEqual(wide, [], `${where} needs no sideways scrolling`)
        // Neighbours in a drawing keep apart.
        const overlaps = await page.evaluate(() => [...document.querySelectorAll('.on-arcs, .on-tree')].flatMap((svg) => {
          const boxes = [...svg.querySelectorAll('text.on-form, text.on-deprel')].map((node) => [node.textContent, node.getBoundingClientRect()])
          const pairs = []
          for (const [i, [a, x]] of boxes.entries()) {
            for (const [b, y] of boxes.slice(i + 1)) {
              if (x.width && y.width && x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 4 && y.top < x.bottom - 4) pairs.push(`${a} / ${b}`)
            }
          }
          return pairs
        }))
        assert.deepEqual(overlaps, [], `${where}: texts do not overlap`)
      })
    }, { options: { viewport: { width, height: 800 } } }))
  }

  test('moves nothing where motion is to be reduced', () => withPage(async (page) => {
    const moving = await page.evaluate(() => [...document.querySelectorAll('body *')].filter((node) => {
      const { transitionDuration, animationName } = getComputedStyle(node)
      return transitionDuration.split(',').some((time) => parseFloat(time) > 0) || animationName !== 'none'
    }).length)
    assert.equal(moving, 0)
  }, { options: { reducedMotion: 'reduce' } }))
})

const filesOfWorker = () => readFileSync(new URL('web-demo/sw.js', root), 'utf8').match(/const FILES = \[([\s\S]*?)\]/)[1].match(/'[^']+'/g).map((name) => name.slice(1, -1))

test('the service worker lists every module that the page imports', () => {
  const modules = new Set()
  const todo = ['app.js', 'worker.js'].map((name) => new URL(`web-demo/${name}`, root).href)
  for (const url of todo) {
    if (modules.has(url)) continue
    modules.add(url)
    for (const [, from] of readFileSync(fileURLToPath(url), 'utf8').matchAll(/^(?:import|export)\b[^'"]*?'(\.\.?\/[^']+\.js)'/gm)) todo.push(new URL(from, url).href)
  }
  const listed = filesOfWorker().filter((name) => name.endsWith('.js')).map((name) => new URL(name, new URL('web-demo/', root)).href)
  assert.deepEqual(listed.toSorted(), [...modules].sort(), 'FILES of web-demo/sw.js holds the modules that the page imports, and no other')
})

test('page, module and glue are under 400 KB compressed', { skip: missing }, () => {
  const files = filesOfWorker()
  const sizes = files.map((name) => [name, gzipSync(readFileSync(new URL(name === './' ? './index.html' : name, new URL('web-demo/', root)), null), { level: 9 }).length])
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  console.log(`# ${sizes.length} files, ${(total / 1000).toFixed(1)} kB compressed, of it the module ${(sizes.find(([name]) => name.endsWith('.wasm'))[1] / 1000).toFixed(1)} kB`)
  assert.ok(total < 400_000, `${total} bytes: ${sizes.toSorted((a, b) => b[1] - a[1]).slice(0, 5).join('; ')}`)
})
