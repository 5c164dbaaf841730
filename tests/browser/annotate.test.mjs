// The page as one types: views, cards, hostile text, right-to-left text, keyboard, sharing, export.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { annotate, annotated, dropFile, downloaded, missing, longestTask, selectMode, selectView, smallPipeline, start, startTrace, stop, stopTrace, withPage } from './page.mjs'

const VIEWS = ['words', 'arcs', 'tree', 'entities', 'cats', 'spans', 'table', 'json', 'code']

describe('the page', { skip: missing }, () => {
  before(() => start())
  after(stop)

  test('annotates as one types', () => withPage(async (page) => {
    await selectView(page, 'words')
    await page.fill('#text', '')
    await page.locator('#text').pressSequentially('Zebras sleep', { delay: 20 })
    await page.locator('.on-word .on-form', { hasText: /^sleep$/ }).waitFor()
    assert.deepEqual(await page.locator('.on-word .on-form').allTextContents(), ['Zebras', 'sleep'])
    await page.locator('#text').pressSequentially(' here.')
    await page.locator('.on-word .on-form', { hasText: /^here$/ }).waitFor()
    await annotated(page, /^4 words, /)
    // What is gone from the text is gone from the views.
    await page.fill('#text', '')
    await page.waitForFunction(() => !document.querySelector('.on-word'))
  }))

  test('keeps the drawing of a sentence that did not change', () => withPage(async (page) => {
    await annotate(page, 'The first one stays.\n\nThe second one grows')
    await page.evaluate(() => { document.querySelector('.sentence svg').marked = true })
    await annotate(page, 'The first one stays.\n\nThe second one grows quickly')
    assert.equal(await page.evaluate(() => document.querySelector('.sentence svg').marked), true)
  }))

  test('typing into a text of 500 words never holds the page for more than 50 ms', { timeout: 300_000 }, () => withPage(async (page) => {
    const text = 'The old dog sleeps near the wide river in the sun, and nobody sees it. '.repeat(32) + '\n\nThe'
    for (const view of ['words', 'arcs', 'tree', 'table']) {
      await selectView(page, view)
      await page.fill('#text', '')
      await page.locator('#status').filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
      await page.fill('#text', text)
      await annotated(page, /^5\d\d words/)
      const words = Number((await page.locator('#status').textContent()).match(/^\d+/)[0])
      // The processor time of the tasks of the page's thread: on a machine with nothing else to do it is
      // their length, on a busy one it does not count the others' work. The best of some attempts counts,
      // since a first one compiles code and fills caches.
      const attempts = []
      for (let i = 0; i < 3 && !attempts.some(({ longest }) => longest <= 50); i++) {
        await startTrace(page)
        await page.focus('#text')
        await page.keyboard.press('ControlOrMeta+End')
        await page.keyboard.type(` cat${i} runs`, { delay: 60 })
        await page.waitForFunction((least) => parseInt(document.querySelector('#status').textContent) >= least, words + 2 * (i + 1))
        await page.waitForTimeout(500)
        attempts.push(longestTask(await stopTrace()))
      }
      const best = attempts.toSorted((a, b) => a.longest - b.longest)[0]
      console.log(`# ${view}: ${best.tasks} tasks, the longest ${best.longest.toFixed(1)} ms`)
      assert.ok(best.tasks > 20, 'the trace has tasks')
      assert.ok(best.longest <= 50, `${view}: the longest tasks of the attempts took ${attempts.map(({ longest }) => Math.round(longest)).join(', ')} ms`)
    }
  }))

  test('switches views', () => withPage(async (page) => {
    for (const view of VIEWS) {
      await selectView(page, view)
      assert.equal(await page.locator('.pane [role="tab"][aria-selected="true"]').getAttribute('data-view'), view)
      const shown = await page.locator('.view-body > *').count()
      const message = await page.locator('.view-message').isVisible()
      assert.ok((shown > 0) !== message, `${view} shows something or says why not`)
    }
    await selectView(page, 'tree')
    await page.getByLabel('As an outline').check()
    await page.locator('.on-outline li li').first().waitFor()
    // A second view beside the first.
    await page.check('#split')
    assert.equal(await page.locator('.pane').count(), 2)
  }))

  test('shows a card of the word under the pointer, and its subtree', () => withPage(async (page) => {
    await dropFile(page, 'dogs.conllu', '1\tThe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t2\tdet\t_\t_\n' +
      '2\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t3\tnsubj\t_\tGloss=Hunde\n3\tslept\tsleep\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n\n')
    await page.getByRole('button', { name: 'Look at it' }).click()
    const dogs = page.locator('.on-node', { hasText: 'dogs' })
    await dogs.hover()
    const card = page.locator('#word-card')
    await card.waitFor()
    const text = await card.textContent()
    for (const part of ['dog', 'noun', 'NNS', 'number: plural', 'nominal subject', 'slept', 'Gloss=Hunde']) assert.ok(text.includes(part), `${part} in ${text}`)
    const lit = await page.locator('.on-node.on-lit').count()
    assert.equal(lit, 2)
    assert.equal(lit, (await dogs.getAttribute('data-subtree')).split(' ').length)
    await page.mouse.move(5, 5)
    await card.waitFor({ state: 'hidden' })
    assert.equal(await page.locator('.on-focused').count(), 0)
  }))

  test('shows markup in a text as text', () => withPage(async (page) => {
    const hostile = '<script>window.hacked=1</script> <img src=x onerror="window.hacked=2"> &amp; "quotes\' </svg><style>*{display:none}</style>'
    await page.fill('#text', hostile)
    for (const view of VIEWS) {
      await selectView(page, view)
      if (!await page.locator('.view-message').isVisible()) {
        await page.locator('.view-body', { hasText: 'script' }).waitFor()
        assert.match((await page.locator('.view-body').textContent()).replace(/\s+/g, ' '), /<\s?.*script/)
      }
      assert.equal(await page.locator('.view script, .view img, .view style, .view [onerror], .view [style]').count(), 0, view)
      assert.equal(await page.evaluate(() => window.hacked), undefined)
    }
    await selectView(page, 'arcs')
    const { bytes } = await downloaded(page, () => page.locator('.sentence-tools button').first().click())
    assert.doesNotMatch(bytes.toString(), /<script|<img|<style/)
  }))

  test('draws right-to-left text from right to left', () => withPage(async (page) => {
    await page.fill('#text', 'كتبت سارة رسالة طويلة.')
    await page.locator('.on-node', { hasText: 'رسالة' }).waitFor()
    const at = async (selector, text) => (await page.locator(selector, { hasText: text }).first().boundingBox()).x
    assert.ok(await at('.on-node', 'كتبت') > await at('.on-node', 'سارة'))
    assert.ok(await at('.on-node', 'سارة') > await at('.on-node', 'رسالة'))
    assert.equal(await page.locator('svg.on-arcs').getAttribute('direction'), 'rtl')
    await selectView(page, 'words')
    assert.ok(await at('.on-word', 'كتبت') > await at('.on-word', 'سارة'))
    // The text itself is in order, for those who copy it.
    assert.deepEqual((await page.locator('.on-word .on-form').allTextContents()).slice(0, 2), ['كتبت', 'سارة'])
    // Arrow keys go the way that the text runs.
    await page.locator('.on-word').first().focus()
    await page.keyboard.press('ArrowLeft')
    assert.match(await page.evaluate(() => document.activeElement.textContent), /سارة/)
  }))

  test('works with the keyboard alone', () => withPage(async (page) => {
    await annotate(page, 'Ada met Bob.')
    // From the top: the link past the header comes first.
    await page.keyboard.press('Tab')
    await page.evaluate(() => { document.activeElement?.blur(); scrollTo(0, 0) })
    await page.locator('.skip').focus()
    const visited = []
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab')
      const where = await page.evaluate(() => {
        const node = document.activeElement
        const outline = getComputedStyle(node).outlineStyle !== 'none' || node.matches('.on-node')
        return { name: node.matches('.on-node') ? 'on-node' : node.id || node.dataset.view || node.className.baseVal || node.className || node.textContent.trim(), visible: outline }
      })
      visited.push(where.name)
      assert.ok(where.visible, `the focus on ${where.name} is seen`)
      if (where.name === 'on-node') break
    }
    for (const name of ['mode-annotate', 'pipelines', 'open-pipeline', 'theme', 'samples', 'text', 'share', 'split', 'pane-first-arcs', 'on-node']) {
      assert.ok(visited.includes(name), `Tab reaches ${name}: ${visited.join(', ')}`)
    }
    // From the first word on with arrow keys, the card beside it.
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Ada/)
    await page.locator('#word-card', { hasText: 'Ada' }).waitFor()
    await page.keyboard.press('ArrowRight')
    assert.match(await page.evaluate(() => document.activeElement.textContent), /met/)
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-describedby')), 'word-card')
    await page.keyboard.press('End')
    await page.keyboard.press('Escape')
    await page.locator('#word-card').waitFor({ state: 'hidden' })
    // Views and modes by arrow keys.
    await page.locator('[role="tab"][data-view="arcs"]').focus()
    await page.keyboard.press('ArrowLeft')
    await page.locator('.on-word').first().waitFor()
    await page.locator('#mode-annotate').focus()
    await page.keyboard.press('End')
    await page.locator('#card .facts').waitFor()
    await page.keyboard.press('Home')
    assert.ok(await page.locator('#text').isVisible())
  }))

  test('sorts, copies and downloads the table', () => withPage(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await annotate(page, 'Zoe saw Adam.')
    await selectView(page, 'table')
    const forms = () => page.locator('.on-table tbody td:nth-child(2)').allTextContents()
    await page.locator('.on-table td', { hasText: 'Adam' }).first().waitFor()
    assert.deepEqual(await forms(), ['Zoe', 'saw', 'Adam', '.'])
    const head = page.locator('.on-sort', { hasText: 'FORM' })
    await head.click()
    await page.locator('th[aria-sort="ascending"]').waitFor()
    const ascending = await forms()
    assert.ok(ascending.indexOf('Adam') < ascending.indexOf('Zoe'))
    await head.click()
    await page.locator('th[aria-sort="descending"]').waitFor()
    assert.deepEqual(await forms(), ascending.toReversed())
    await head.click()
    await page.waitForFunction(() => !document.querySelector('th[aria-sort="ascending"], th[aria-sort="descending"]'))
    const { name, bytes } = await downloaded(page, () => page.getByRole('button', { name: 'Download' }).click())
    assert.equal(name, 'annotation.conllu')
    assert.match(bytes.toString(), /^1\tZoe\t/m)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.locator('.toast', { hasText: 'copied' }).waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), bytes.toString())
  }))

  test('saves drawings as SVG and PNG that stand alone', () => withPage(async (page) => {
    await annotate(page, 'Ada met Bob.')
    const svg = await downloaded(page, () => page.getByRole('button', { name: 'Save as SVG' }).first().click())
    assert.equal(svg.name, 'ada-met-bob.svg')
    const parsed = await page.evaluate((text) => {
      const document_ = new DOMParser().parseFromString(text, 'image/svg+xml')
      return { error: document_.querySelector('parsererror')?.textContent ?? null, fills: document_.querySelectorAll('text[fill]').length, texts: document_.querySelectorAll('text').length, classes: document_.querySelectorAll('[style], style').length }
    }, svg.bytes.toString())
    assert.equal(parsed.error, null)
    assert.ok(parsed.texts > 0 && parsed.fills === parsed.texts && parsed.classes === 0)
    const png = await downloaded(page, () => page.getByRole('button', { name: 'Save as PNG' }).first().click())
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG')
    // It is not blank.
    const colours = await page.evaluate(async (base64) => {
      const blob = new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type: 'image/png' })
      const bitmap = await createImageBitmap(blob)
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d')
      context.drawImage(bitmap, 0, 0)
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
      return new Set(new Uint32Array(data.buffer)).size
    }, png.bytes.toString('base64'))
    assert.ok(colours > 10, `${colours} colours`)
  }))

  test('a link brings back text and views', () => withPage(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const text of ['Short & “odd” #text % here', `${'A longer text, which a link compresses. '.repeat(40)}End`]) {
      await selectView(page, 'words')
      await page.fill('#text', text)
      await page.click('#share')
      await page.locator('.toast', { hasText: 'Link copied' }).first().waitFor()
      const link = await page.evaluate(() => navigator.clipboard.readText())
      const other = await context.newPage()
      await other.goto(link)
      await annotated(other)
      assert.equal(await other.inputValue('#text'), text)
      assert.equal(await other.locator('.pane [role="tab"][aria-selected="true"]').first().getAttribute('data-view'), 'words')
      await other.close()
    }
  }))

  test('a link that was cut short does no harm', () => withPage(async (page) => {
    await annotated(page)
  }, { hash: '#view=nothing&z=abc%25&mode=x&pipeline=none' }))

  test('shows the code for what is on the screen', () => withPage(async (page) => {
    await page.fill('#text', 'It\'s a "test" </script>\n$(x) `y`')
    await selectView(page, 'tree')
    await selectView(page, 'code')
    const code = await page.locator('pre.code').allTextContents()
    assert.match(code[0], /renderTree/)
    assert.doesNotMatch(code[0], /<\/script>/)
    assert.match(code[0], /nlp\.annotate\("It's a \\"test\\"/)
    assert.match(code[2], /'It'\\''s a "test" <\/script>/)
  }))

  test('components can be switched off', () => withPage(async (page) => {
    await annotate(page, 'Ada met Bob.')
    await page.locator('.components summary').click()
    await page.locator('#components input[value="parser"]').uncheck()
    await page.locator('.view-message', { hasText: 'parser' }).waitFor()
    await page.locator('#components input[value="parser"]').check()
    await page.locator('.on-arcs').waitFor()
  }))

  test('loads a pipeline that is dropped, and shows its card', () => withPage(async (page) => {
    await dropFile(page, 'mine.onenlp', smallPipeline())
    await page.waitForFunction(() => document.querySelector('#pipelines').selectedOptions[0]?.textContent === 'mine.onenlp')
    await annotate(page, 'Dropped and used')
    await selectMode(page, 'pipeline')
    const card = page.locator('#card')
    await card.locator('.facts').waitFor()
    const text = await card.textContent()
    for (const part of ['mine.onenlp', 'English (en)', 'MIT', '7', 'lemmatizer', 'parser']) assert.ok(text.includes(part), `${part} in ${text}`)
    const speed = await page.locator('#speed').textContent()
    assert.match(speed, /load time[\d.]+ m?s/)
    assert.match(speed, /memory[\d.]+ [kM]B/)
    assert.match(speed, /module\d+ kB/)
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.locator('#sustained', { hasText: /^[\d,]+ words\/s/ }).waitFor()
    // The one before is still there.
    await page.selectOption('#pipelines', { index: 0 })
    await page.waitForFunction(() => document.querySelector('#pipelines').selectedOptions[0]?.textContent === 'English')
  }))

  test('shows progress while a pipeline loads, which can be cancelled', () => withPage(async (page, context) => {
    let go
    const held = new Promise((resolve) => { go = resolve })
    await context.route('**/en.onenlp', async (route) => {
      await held
      await route.continue().catch(() => {})
    })
    await page.reload()
    const progress = page.locator('#load-progress')
    await progress.filter({ hasText: 'Loading English' }).waitFor()
    // The page is there meanwhile, and says what it waits for.
    await page.fill('#text', 'Not yet')
    await page.locator('#status', { hasText: 'Waiting for the pipeline' }).waitFor()
    await progress.getByRole('button', { name: 'Cancel' }).click()
    await progress.waitFor({ state: 'hidden' })
    go()
    await dropFile(page, 'mine.onenlp', smallPipeline())
    await annotated(page, /^2 words/)
  }, { ready: false, options: { serviceWorkers: 'block' }, init: () => caches.delete('onenlp-pipelines') }))

  test('keeps a dropped pipeline when asked to', () => withPage(async (page) => {
    await dropFile(page, 'kept.onenlp', smallPipeline())
    await page.waitForFunction(() => document.querySelector('#pipelines').value === 'file:kept.onenlp')
    await selectMode(page, 'pipeline')
    await page.locator('#load-progress').waitFor({ state: 'hidden' })
    await page.locator('#card', { hasText: 'kept.onenlp' }).waitFor()
    await page.check('#keep')
    await page.waitForFunction(async () => (await (await caches.open('onenlp-pipelines')).keys()).some(({ url }) => url.endsWith('kept.onenlp')))
    await page.reload()
    await page.locator('#pipelines option', { hasText: 'kept.onenlp' }).waitFor({ state: 'attached' })
    await selectMode(page, 'pipeline')
    await page.locator('#card', { hasText: 'en.onenlp' }).waitFor()
    await page.selectOption('#pipelines', { label: 'kept.onenlp' })
    await page.waitForFunction(() => document.querySelector('#card').textContent.includes('kept.onenlp'))
  }))

  test('a broken pipeline shows the error and its place, and the page goes on', () => withPage(async (page) => {
    const whole = smallPipeline()
    const alert = page.locator('#load-error')
    await dropFile(page, 'cut.onenlp', whole.subarray(0, whole.length - 100))
    await alert.filter({ hasText: 'cut.onenlp' }).waitFor()
    assert.match(await alert.textContent(), /INVALID_DATA/)
    const flipped = Buffer.from(whole)
    flipped[40] ^= 0xff
    await dropFile(page, 'flipped.onenlp', flipped)
    await alert.filter({ hasText: 'flipped.onenlp' }).waitFor()
    assert.match(await alert.textContent(), /byte|offset|line|column/i)
    await dropFile(page, 'nothing.onenlp', Buffer.from('hello'))
    await alert.filter({ hasText: 'nothing.onenlp' }).waitFor()
    assert.deepEqual(await page.locator('#pipelines option').allTextContents(), ['English', 'English: intents'])
    await annotate(page, 'Still at work')
  }))

  test('two panes, narrow and wide', () => withPage(async (page) => {
    assert.equal(await page.locator('.pane').count(), 2)
    const boxes = await Promise.all([0, 1].map((i) => page.locator('.pane').nth(i).boundingBox()))
    assert.ok(boxes[1].x > boxes[0].x + boxes[0].width - 1, 'side by side where there is room')
  }, { options: { viewport: { width: 1700, height: 900 } } }))
})
