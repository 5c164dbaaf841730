// Whole files, the comparison with gold annotation, and use without a network.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { annotate, annotated, downloaded, dropFile, inputFile, missing, selectMode, selectView, start, stop, withPage } from './page.mjs'

const word = (id, form, upos, head, deprel) => [id, form, form.toLowerCase(), upos, '_', '_', head, deprel, '_', '_'].join('\t')
const GOLD = [
  '# sent_id = 1', '# text = The dogs slept .', word(1, 'The', 'DET', 2, 'det'), word(2, 'dogs', 'NOUN', 3, 'nsubj'), word(3, 'slept', 'VERB', 0, 'root'), word(4, '.', 'PUNCT', 3, 'punct'), '',
  '# sent_id = 2', '# text = Cats saw a house', word(1, 'Cats', 'NOUN', 2, 'nsubj'), word(2, 'saw', 'VERB', 0, 'root'), word(3, 'a', 'DET', 4, 'det'), word(4, 'house', 'NOUN', 2, 'obj'), '', '',
].join('\n')
const JSON_LINE = JSON.stringify({
  text: 'Ada met Bob in Paris. Nice!', tokens: [[0, 3], [4, 7], [8, 11], [12, 14], [15, 20], [20, 21], [22, 26], [26, 27]],
  entities: [[0, 3, 'PER'], [15, 20, 'LOC']], cats: { travel: 0.9, sport: 0.1 }, spans: { sc: [[0, 11, 'MEETING'], [8, 20, 'PLACE'], [8, 11, 'PERSON']] },
})

describe('files', { skip: missing }, () => {
  before(() => start())
  after(stop)

  test('a text of 5 MB is annotated with progress and can be cancelled', () => withPage(async (page) => {
    await selectMode(page, 'files')
    const text = 'The old dog sleeps near the river, and nobody sees it.\n\n'.repeat(Math.ceil(5e6 / 57))
    await page.setInputFiles('#file-input', inputFile('large.txt', text))
    const item = page.locator('.file', { hasText: 'large.txt' })
    assert.match(await item.textContent(), /(4\.9|5\.0|5) MB/)
    await item.getByRole('button', { name: 'Annotate' }).click()
    await item.locator('.progress-words', { hasText: /%, [\d,]+ words, [\d,]+ words\/s/ }).waitFor()
    // The page answers meanwhile.
    await selectMode(page, 'annotate')
    await selectView(page, 'json')
    await selectMode(page, 'files')
    await item.getByRole('button', { name: 'Cancel' }).click()
    await item.locator('.file-result', { hasText: 'Cancelled.' }).waitFor({ timeout: 20_000 })
    await selectMode(page, 'annotate')
    await selectView(page, 'words')
    await annotate(page, 'Free again')
  }))

  test('a pasted text of 5 MB becomes a file', () => withPage(async (page) => {
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'A word. '.repeat(640_000))
      document.querySelector('#text').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.locator('.file', { hasText: '5.1 MB' }).waitFor()
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Annotate/)
    await selectMode(page, 'annotate')
    await page.fill('#text', 'A word. '.repeat(15_000))
    await page.getByRole('button', { name: 'Annotate as a file' }).click()
    await page.locator('.file', { hasText: '120 kB' }).waitFor()
  }))

  test('files of every format are annotated and downloaded', () => withPage(async (page) => {
    await selectMode(page, 'files')
    await page.setInputFiles('#file-input', [inputFile('a.txt', 'Ada met Bob.\n'), inputFile('gold.conllu', GOLD), inputFile('lines.jsonl', `${JSON_LINE}\n${JSON_LINE}\n`)])
    const results = {}
    for (const name of ['a.txt', 'gold.conllu', 'lines.jsonl']) {
      const item = page.locator('.file', { hasText: name })
      await item.getByRole('button', { name: 'Annotate' }).click()
      results[name] = await downloaded(page, () => item.getByRole('button', { name: /Download/ }).click())
    }
    assert.equal(results['a.txt'].name, 'a.conllu')
    assert.match(results['a.txt'].bytes.toString(), /^1\tAda\t[^\n]*\n2\tmet\t/m)
    assert.match(results['gold.conllu'].bytes.toString(), /^# sent_id = 1\n# text = The dogs slept \.\n1\tThe\t/)
    const lines = results['lines.jsonl'].bytes.toString().trim().split('\n').map((line) => JSON.parse(line))
    assert.equal(lines.length, 2)
    assert.equal(lines[1].text, 'Ada met Bob in Paris. Nice!')
    assert.deepEqual(lines[1].tokens[4], [15, 20])
  }))

  test('a broken file shows the error and its line', () => withPage(async (page) => {
    await dropFile(page, 'broken.conllu', GOLD.replace('\t3\tpunct', '\t99\tpunct'))
    const item = page.locator('.file', { hasText: 'broken.conllu' })
    await item.getByRole('button', { name: 'Annotate' }).click()
    await item.locator('.file-result', { hasText: /line 6/ }).waitFor()
    await item.getByRole('button', { name: 'Compare with gold' }).click()
    await page.locator('#compare-result', { hasText: /line 6/ }).waitFor()
    await dropFile(page, 'broken.jsonl', '{"text": 1}\n')
    const lines = page.locator('.file', { hasText: 'broken.jsonl' })
    await lines.getByRole('button', { name: 'Annotate' }).click()
    await lines.locator('.file-result', { hasText: /line 1/ }).waitFor()
  }))

  test('the annotation of a file is looked at: entities, spans, categories', () => withPage(async (page) => {
    await dropFile(page, 'lines.jsonl', JSON_LINE)
    await page.locator('.file').getByRole('button', { name: 'Look at it' }).click()
    await page.locator('#status', { hasText: 'lines.jsonl' }).waitFor()
    await selectView(page, 'entities')
    await page.locator('.on-entity').first().waitFor()
    assert.deepEqual(await page.locator('.on-entity').allTextContents(), ['AdaPER', 'ParisLOC'])
    await selectView(page, 'cats')
    await page.locator('.on-cats tbody tr').first().waitFor()
    assert.deepEqual(await page.locator('.on-cats tbody th').allTextContents(), ['travel', 'sport'])
    await selectView(page, 'spans')
    await page.locator('.on-span-label').first().waitFor()
    assert.deepEqual((await page.locator('.on-span-label').allTextContents()).toSorted(), ['MEETING', 'PERSON', 'PLACE'])
    // Labels and bars of spans lie on layers of their own.
    const labels = await page.locator('.on-span-label').evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })))
    for (const [i, a] of labels.entries()) {
      for (const b of labels.slice(i + 1)) assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, 'labels do not overlap')
    }
    await selectView(page, 'table')
    await page.locator('.view-message', { hasText: 'no CoNLL-U' }).waitFor()
  }))

  test('compares with gold annotation', () => withPage(async (page) => {
    await dropFile(page, 'gold.conllu', GOLD)
    await page.locator('.file').getByRole('button', { name: 'Compare with gold' }).click()
    await page.locator('.on-scores').waitFor()
    const row = async (metric) => page.locator('.on-scores tr', { has: page.locator('th', { hasText: new RegExp(`^${metric}$`) }) }).locator('td').allTextContents()
    // The tokens are those of the gold file.
    assert.deepEqual(await row('Words'), ['100.00', '100.00', '100.00', '–'])
    assert.match((await row('LAS'))[2], /^\d+\.\d\d$/)
    // The gold file has no XPOS.
    assert.deepEqual(await row('XPOS'), ['–', '–', '–', '–'])
    await page.locator('.difference-bar').getByLabel('Only those with differences').uncheck()
    await page.waitForFunction(() => document.querySelectorAll('.difference').length === 2)

    // The drawing agrees with the table: as many gold arcs as wrong heads or relations.
    const wrong = await page.locator('.on-arc.on-wrong').count()
    assert.equal(await page.locator('.on-arc.on-gold').count(), wrong)
    const uas = Number((await row('UAS'))[2])
    const las = Number((await row('LAS'))[2])
    assert.ok(las <= uas)
    assert.ok(wrong >= Math.round(8 * (1 - las / 100)) - 0, `${wrong} arcs differ, LAS ${las}`)

    // The confusion table counts all words; UPOS agrees with the score.
    await page.locator('#compare-result label', { hasText: /^of / }).locator('select').selectOption('upos')
    const right = (await page.locator('.on-confusion .on-right').allTextContents()).map(Number).reduce((a, b) => a + b, 0)
    assert.equal((right / 8 * 100).toFixed(2), (await row('UPOS'))[2])

    // From error to error, and only those of a relation.
    const status = page.locator('#difference-status')
    const errors = Number((await status.textContent()).match(/(\d+) words that differ/)[1])
    if (errors > 0) {
      await page.click('#next-error')
      await status.filter({ hasText: 'looking at error 1' }).waitFor()
      assert.equal(await page.locator('.error-now').count(), 1)
      await page.keyboard.press('n')
      await status.filter({ hasText: `looking at error ${Math.min(2, errors)}` }).waitFor()
      await page.click('#previous-error')
      await status.filter({ hasText: 'looking at error 1' }).waitFor()
      const cells = page.locator('.on-cell')
      if (await cells.count() > 0) {
        const expected = Number(await cells.first().textContent())
        await cells.first().click()
        await status.filter({ hasText: `${expected} words that differ` }).waitFor()
        await status.getByRole('button', { name: 'Show all' }).click()
      }
    }
    await page.locator('.difference-bar').getByLabel('Relation').selectOption('det')
    const some = Number((await status.textContent()).match(/(\d+) words that differ/)[1])
    assert.ok(some <= errors)

    // From raw text, where words and sentences may differ as well.
    await page.locator('#compare-result').getByLabel('Tokens').selectOption('raw')
    await page.locator('.on-scores').waitFor()
    await page.waitForFunction(() => document.querySelector('#compare-result select').value === 'raw')
    assert.notDeepEqual(await row('Sentences'), [])
  }))

  test('compares JSON Lines with gold entities', () => withPage(async (page) => {
    await dropFile(page, 'gold.jsonl', `${JSON.stringify({ text: 'Ada met Bob in Paris.', entities: [[4, 7, 'PER']] })}\n${JSON.stringify({ text: 'Nobody here.', entities: [] })}\n`)
    await page.locator('.file').getByRole('button', { name: 'Compare with gold' }).click()
    const result = page.locator('#compare-result')
    await result.filter({ hasText: '2 texts' }).waitFor()
    // Whatever the pipeline says, "met" is no person; a pipeline without entities has nothing to score.
    const cells = result.locator('.on-scores tr', { has: page.locator('th', { hasText: /^entities: PER$/ }) }).locator('td')
    if (await cells.count() > 0) {
      assert.equal((await cells.allTextContents())[1], '0.00')
      assert.deepEqual(await result.locator('.sentence').first().locator('.on-entities').first().locator('.on-entity').allTextContents(), ['metPER'])
    } else {
      await result.filter({ hasText: 'predicts nothing' }).waitFor()
    }
    const { name, bytes } = await downloaded(page, () => result.getByRole('button', { name: 'Download prediction' }).click())
    assert.equal(name, 'gold.predicted.jsonl')
    assert.equal(bytes.toString().trim().split('\n').length, 2)
  }))

  test('works without a network after the first visit', () => withPage(async (page, context) => {
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.waitForFunction(async () => (await (await caches.open('onenlp-pipelines')).keys()).length > 0)
    await context.setOffline(true)
    await page.reload()
    await annotated(page)
    await annotate(page, 'Nobody is connected')
    await page.reload({ waitUntil: 'load' })
    await annotated(page)
  }))

  test('a kept pipeline gives way to a newer one of the host', () => withPage(async (page) => {
    await page.waitForFunction(async () => (await (await caches.open('onenlp-pipelines')).keys()).length > 0)
    await page.evaluate(async () => {
      const cache = await caches.open('onenlp-pipelines')
      const [{ url }] = await cache.keys()
      await cache.put(url, new Response('an older one', { headers: { 'content-length': '12', etag: '"old"' } }))
    })
    await page.reload()
    await annotated(page)
    await page.waitForFunction(async () => {
      const cache = await caches.open('onenlp-pipelines')
      const [request] = await cache.keys()
      return request && (await (await cache.match(request)).blob()).size > 1000
    })
  }))

  test('the service worker keeps every file that the page loads', () => withPage(async (page) => {
    await page.evaluate(() => navigator.serviceWorker.ready)
    const kept = new Set(await page.evaluate(async () => {
      const name = (await caches.keys()).find((one) => one.startsWith('onenlp-page-'))
      return (await (await caches.open(name)).keys()).map(({ url }) => url)
    }))
    const asked = page.loadedFiles.filter((url) => !url.endsWith('.onenlp') && !url.endsWith('/sw.js'))
    assert.ok(asked.length > 20)
    assert.deepEqual(asked.filter((url) => !kept.has(url)), [])
    assert.deepEqual([...kept].filter((url) => !asked.includes(url) && !/manifest|icon/.test(url)), [], 'and no other')
  }))
})
