// onenlp/render: what is drawn where, and that nothing of a text becomes markup.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import * as render from '../../js/render/index.js'
import { BASE_COLOURS, LABEL_COLOURS, UPOS_COLOURS } from '../../js/render/theme.js'
import { RELATIONS, UPOS } from '../../js/render/names.js'

const {
  compareSentences, confusionOf, directionOf, featsInWords, formatJson, layoutArcs, renderArcs, renderCard, renderCats, renderConfusion, renderDocWords,
  renderEntities, renderJson, renderLegend, renderOutline, renderScores, renderSpans, renderTable, renderTree, renderWords, sentencesOf, subtreeOf,
} = render

const words = (...rows) => rows.map(([form, upos, head, deprel], i) => ({ id: i + 1, form, upos, head, deprel }))
const SENTENCE = words(['The', 'DET', 2, 'det'], ['dogs', 'NOUN', 3, 'nsubj'], ['slept', 'VERB', 0, 'root'], ['here', 'ADV', 3, 'advmod'], ['.', 'PUNCT', 3, 'punct'])

const DOC = {
  text: "Ada met Bob. They don't agree.",
  tokens: [[0, 3], [4, 7], [8, 11], [11, 12], [13, 17], [18, 20], [20, 23], [24, 29], [29, 30]],
  sentences: [[0, 4], [4, 9]],
  ranges: [[5, 7, "don't"]],
  form: ['Ada', 'met', 'Bob', '.', 'They', 'do', "n't", 'agree', '.'],
  lemma: ['Ada', 'meet', 'Bob', '.', 'they', 'do', 'not', 'agree', '.'],
  upos: ['PROPN', 'VERB', 'PROPN', 'PUNCT', 'PRON', 'AUX', 'PART', 'VERB', 'PUNCT'],
  feats: ['Number=Sing', 'Tense=Past', null, null, 'Case=Nom|Number=Plur', null, null, null, null],
  head: [2, 0, 2, 2, 4, 4, 4, 0, 4],
  deprel: ['nsubj', 'root', 'obj', 'punct', 'nsubj', 'aux', 'advmod', 'root', 'punct'],
  entities: [[0, 3, 'PER'], [8, 11, 'PER']],
  entity_scores: [0.99, 0.5],
  cats: { news: 0.75, sport: 0.25, other: 0 },
  spans: { sc: [[0, 11, 'MEETING'], [8, 12, 'END'], [13, 23, 'WHO']] },
}

const VOID = new Set(['br', 'wbr', 'hr', 'img', 'input'])

/** A small strict reader: every tag closed in order, attributes quoted, no '<' or '&' that is no markup. */
function parse(markup) {
  const elements = []
  const open = []
  let text = ''
  let at = 0
  for (const match of markup.matchAll(/<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+(?:="[^"<>]*")?)*)\s*(\/?)>/g)) {
    text += markup.slice(at, match.index)
    at = match.index + match[0].length
    const [, closing, name, attributes, empty] = match
    if (closing) {
      assert.equal(open.pop()?.name, name, `</${name}> closes what is open`)
      continue
    }
    const element = { name, parent: open.at(-1) ?? null, start: text.length, attributes: Object.fromEntries([...attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, key, value = '']) => [key, decode(value)])) }
    elements.push(element)
    if (!empty && !VOID.has(name)) open.push(element)
    element.textAt = text.length
  }
  text += markup.slice(at)
  assert.deepEqual(open, [], 'all is closed')
  assert.doesNotMatch(text, /[<>]/)
  assert.doesNotMatch(text, /&(?!amp;|lt;|gt;|quot;|#39;)/)
  return { elements, text: decode(text) }
}

const decode = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name])
const classesOf = ({ attributes }) => (attributes.class ?? '').split(' ')
const withClass = (elements, name) => elements.filter((element) => classesOf(element).includes(name))

describe('escaping', () => {
  const hostile = `<script>alert("1")</script>'&<img src=x onerror=alert(1)>\u0000\u0001\ud800</svg><style>`
  const sentence = words([hostile, hostile, 2, hostile], ['b', 'NOUN', 0, 'root']).map((word) => ({ ...word, lemma: hostile, xpos: hostile, feats: `${hostile}=${hostile}`, misc: hostile }))
  const doc = {
    text: hostile, tokens: [[0, 5], [5, hostile.length]], form: [hostile, hostile], upos: [hostile, hostile], entities: [[0, 5, hostile]], cats: { [hostile]: 0.5 },
    spans: { [hostile]: [[0, 5, hostile]], sc: [] }, head: [0, 1], deprel: [hostile, hostile], ranges: [[0, 2, hostile]],
  }
  const drawings = {
    arcs: renderArcs({ words: sentence, text: hostile }, { lemmas: true, interactive: true }),
    'arcs with gold': renderArcs({ words: sentence }, { gold: { words: sentence.map((word) => ({ ...word, deprel: 'x', upos: 'y' })) } }),
    'arcs in a file': renderArcs({ words: sentence }, { theme: 'light', lemmas: true }),
    tree: renderTree({ words: sentence }, { interactive: true }),
    outline: renderOutline({ words: sentence }),
    words: renderWords({ words: sentence, text: hostile }),
    'words of a document': renderDocWords(doc),
    card: renderCard(sentence[0], sentence),
    entities: renderEntities(doc),
    spans: renderSpans(doc, hostile),
    cats: renderCats(doc),
    legend: renderLegend([hostile]),
    table: renderTable(`1\t${hostile.replace(/[\t\n]/g, '')}\t${Array(8).fill(hostile).join('\t')}\n\n`, { caption: hostile }),
    json: renderJson({ [hostile]: [hostile, 1, null, true] }),
    confusion: renderConfusion(confusionOf([[{ words: sentence }, { words: sentence.map((word) => ({ ...word, deprel: `${hostile}2` })) }]], 'deprel'), { buttons: true }),
    scores: renderScores({ [hostile]: { precision: 1, recall: 1, f1: 1, alignedAccuracy: null } }),
  }
  for (const [name, markup] of Object.entries(drawings)) {
    test(name, () => {
      const { elements, text } = parse(markup)
      const allowed = /^(svg|g|path|rect|text|p|span|div|dl|dt|dd|code|bdi|mark|table|caption|thead|tbody|tr|th|td|button|ul|li|wbr)$/
      for (const element of elements) {
        assert.match(element.name, allowed)
        for (const attribute of Object.keys(element.attributes)) assert.doesNotMatch(attribute, /^(style|on.*|href|src)$/)
      }
      assert.ok(text.includes('<script>') || Object.values(elements).some(({ attributes }) => Object.values(attributes).some((value) => value.includes('<script>'))), 'the text is there')
      assert.doesNotMatch(markup, /[\0\x01]|[\ud800-\udbff](?![\udc00-\udfff])/)
    })
  }
})

describe('sentencesOf', () => {
  test('columns, ranges and offsets', () => {
    const [first, second] = sentencesOf(DOC)
    assert.equal(first.text, 'Ada met Bob.')
    assert.deepEqual(first.ranges, [])
    assert.deepEqual(second.ranges, [{ first: 1, last: 3, form: "don't" }])
    assert.deepEqual(second.words.map(({ id, form, lemma, head }) => [id, form, lemma, head])[2], [3, "n't", 'not', 4])
    assert.equal(second.words[2].index, 6)
  })
  test('a line of JSON Lines is one sentence without columns', () => {
    const [only, ...rest] = sentencesOf({ text: 'Hi there', tokens: [[0, 2], [3, 8]] })
    assert.deepEqual(rest, [])
    assert.deepEqual(only.words.map(({ form }) => form), ['Hi', 'there'])
    assert.deepEqual(sentencesOf({ text: '' }), [])
  })
  test('words that share a surface form', () => {
    const [{ words: shared }] = sentencesOf({ text: 'à la', tokens: [[0, 1], [2, 4]], word_token: [0, 0, 1], form: ['a', 'a', 'la'] })
    assert.deepEqual(shared.map(({ form, text }) => [form, text]), [['a', 'à'], ['a', 'à'], ['la', 'la']])
  })
})

test('direction is that of most letters', () => {
  assert.equal(directionOf('Ada met Bob'), 'ltr')
  assert.equal(directionOf('كتبت سارة'), 'rtl')
  assert.equal(directionOf('OSM: كتبت سارة رسالة'), 'rtl')
  assert.equal(directionOf('The word שלום means peace'), 'ltr')
  assert.equal(directionOf('123 …'), 'ltr')
})

test('subtrees', () => {
  assert.deepEqual(subtreeOf([1, 2, -1, 2, 2], 1), [0, 1])
  assert.deepEqual(subtreeOf([1, 2, -1, 2, 2], 2), [0, 1, 2, 3, 4])
  assert.deepEqual(subtreeOf([1, 0], 0), [0, 1], 'a cycle ends')
})

/** Sentences with every kind of tree, made from a number. */
function randomSentence(seed, projective) {
  let x = seed * 2654435761 >>> 0 || 1
  const next = (n) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % n
  }
  const count = 1 + next(24)
  const heads = new Array(count).fill(0)
  if (projective) {
    // Every stretch hangs on one of its words.
    const attach = (from, to, head) => {
      if (from >= to) return
      const top = from + next(to - from)
      heads[top] = head
      attach(from, top, top + 1)
      attach(top + 1, to, top + 1)
    }
    attach(0, count, 0)
  } else {
    for (let i = 1; i < count; i++) heads[i] = 1 + next(i)
  }
  const relations = Object.keys(RELATIONS)
  return words(...heads.map((head) => ['w'.repeat(1 + next(9)), Object.keys(UPOS)[next(17)], head, head === 0 ? 'root' : relations[next(relations.length)]]))
}

describe('dependency arcs', () => {
  test('an arc for every word, to its head', () => {
    const { elements } = parse(renderArcs(SENTENCE))
    const arcs = withClass(elements, 'on-arc')
    assert.deepEqual(arcs.map(({ attributes }) => [attributes['data-dependent'], attributes['data-head']]).sort(), [['0', '1'], ['1', '2'], ['2', '-1'], ['3', '2'], ['4', '2']])
    assert.equal(elements[0].attributes.role, 'img')
    assert.match(elements[0].attributes['aria-label'], /dogs: nsubj of slept/)
  })

  test('levels: no two lines of one level over the same words, none crosses another in a projective tree, labels fit', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const sentence = randomSentence(seed, seed % 2 === 0)
      const { arcs, boxes, width, height } = layoutArcs({ words: sentence })
      const lines = arcs.filter(({ head }) => head >= 0)
      for (const [i, a] of lines.entries()) {
        const [left, right] = [Math.min(a.fromX, a.toX), Math.max(a.fromX, a.toX)]
        assert.ok(right - left >= a.labelWidth + 10, `seed ${seed}: the label ${a.deprel} fits on its line`)
        assert.ok(a.y >= 0 && a.y < height && left >= 0 && right <= width)
        for (const b of lines.slice(i + 1)) {
          const [left2, right2] = [Math.min(b.fromX, b.toX), Math.max(b.fromX, b.toX)]
          if (a.level === b.level) assert.ok(right <= left2 || right2 <= left, `seed ${seed}: lines of level ${a.level} keep apart`)
          if (seed % 2 === 0) {
            // The ends of the higher one never cut the lower one.
            const [high, low] = a.level > b.level ? [a, b] : [b, a]
            if (high.level === low.level) continue
            const inside = (x) => x > Math.min(low.fromX, low.toX) && x < Math.max(low.fromX, low.toX)
            assert.ok(!inside(high.fromX) && !inside(high.toX), `seed ${seed}: ${high.deprel} does not cross ${low.deprel}`)
          }
        }
      }
      for (let i = 1; i < boxes.length; i++) {
        assert.ok(boxes[i].x - boxes[i].width / 2 >= boxes[i - 1].x + boxes[i - 1].width / 2 + 8, `seed ${seed}: words keep apart`)
      }
    }
  })

  test('right-to-left is the mirror image', () => {
    const left = layoutArcs(SENTENCE, { direction: 'ltr' })
    const right = layoutArcs(SENTENCE, { direction: 'rtl' })
    left.boxes.forEach((box, i) => assert.ok(Math.abs(box.x + right.boxes[i].x - left.width) < 1e-6))
    left.arcs.forEach((arc, i) => assert.ok(Math.abs(arc.tipX + right.arcs[i].tipX - left.width) < 1e-6))
    const { elements } = parse(renderArcs(words(['كتبت', 'VERB', 0, 'root'], ['سارة', 'PROPN', 1, 'nsubj'])))
    assert.equal(elements[0].attributes.direction, 'rtl')
  })

  test('what differs from gold is drawn below, and marked above', () => {
    const predicted = SENTENCE.map((word, i) => (i === 3 ? { ...word, head: 2, deprel: 'advmod', upos: 'NOUN' } : i === 0 ? { ...word, deprel: 'case' } : word))
    const { elements, text } = parse(renderArcs({ words: predicted }, { gold: { words: SENTENCE } }))
    const of = (kind) => withClass(elements, kind).filter((element) => classesOf(element).includes('on-arc')).map(({ attributes }) => attributes['data-dependent'])
    assert.deepEqual(of('on-wrong'), ['0', '3'])
    assert.deepEqual(of('on-gold').sort(), ['0', '3'])
    assert.ok(text.includes('ADV'), 'the gold part of speech')
    const { arcs, goldArcs } = layoutArcs({ words: predicted }, { gold: { words: SENTENCE } })
    assert.ok(goldArcs.every(({ y, base }) => y > base) && arcs.every(({ y, base }) => y < base))
    const same = parse(renderArcs(SENTENCE, { gold: { words: SENTENCE } }))
    assert.equal(withClass(same.elements, 'on-wrong').length + withClass(same.elements, 'on-gold').length, 0)
  })

  test('bad trees are drawn as far as they go', () => {
    for (const heads of [[9, -4, null, 4, 1.5], [2, 1, 3, 3, 3], [undefined, '2', NaN, 0, 0]]) {
      const sentence = SENTENCE.map((word, i) => ({ ...word, head: heads[i] }))
      for (const markup of [renderArcs(sentence), renderTree(sentence), renderOutline(sentence)]) {
        const { text } = parse(markup)
        for (const { form } of SENTENCE) assert.ok(text.includes(form))
        assert.doesNotMatch(markup, /NaN|undefined|Infinity/)
      }
    }
    for (const nothing of [[], { words: [] }, {}]) for (const draw of [renderArcs, renderTree, renderOutline, renderWords]) assert.doesNotMatch(draw(nothing), /NaN|undefined|Infinity/)
  })

  test('a file that stands alone has its looks in attributes', () => {
    for (const theme of ['light', 'dark']) {
      for (const markup of [renderArcs(SENTENCE, { theme, lemmas: true }), renderTree(SENTENCE, { theme }), renderArcs(SENTENCE, { theme, gold: { words: SENTENCE.map((word) => ({ ...word, head: 0 })) } })]) {
        const { elements } = parse(markup)
        assert.equal(elements[0].attributes.xmlns, 'http://www.w3.org/2000/svg')
        for (const element of elements) {
          if (element.name === 'text') assert.match(element.attributes.fill ?? '', /^#[0-9a-f]{6}$/, markup)
          if (element.name === 'path') assert.ok(element.attributes.stroke || element.attributes.fill)
        }
      }
    }
  })

  test('multiword tokens have a bracket with their form', () => {
    const second = sentencesOf(DOC)[1]
    const { elements, text } = parse(renderArcs(second))
    assert.equal(withClass(elements, 'on-bracket').length, 1)
    assert.ok(text.includes("don't"))
  })

  test('a long sentence takes time in proportion', () => {
    const make = (count) => words(...Array.from({ length: count }, (_, i) => ['word', 'NOUN', i, i === 0 ? 'root' : 'nmod']))
    renderArcs(make(500))
    const time = (count) => {
      const start = process.cpuUsage()
      renderArcs(make(count))
      return process.cpuUsage(start).user
    }
    const small = Math.min(time(1000), time(1000), time(1000))
    assert.ok(Math.min(time(8000), time(8000)) < 40 * small + 50_000)
  })
})

describe('tree', () => {
  test('dependents below their heads, words in order, columns apart', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const sentence = randomSentence(seed, true)
      const { elements } = parse(renderTree({ words: sentence }))
      const at = elements.filter((element) => classesOf(element).includes('on-form')).map(({ attributes }) => [Number(attributes.x), Number(attributes.y)])
      sentence.forEach(({ head }, i) => {
        if (i > 0) assert.ok(at[i][0] > at[i - 1][0])
        if (head > 0) assert.ok(at[i][1] > at[head - 1][1])
        assert.ok(at[i][0] > 0 && at[i][1] > 20 && at[i][1] < Number(elements[0].attributes.height))
      })
    }
  })
  test('the outline nests as the tree does', () => {
    const { elements, text } = parse(renderOutline(SENTENCE))
    const depth = (element) => (element ? depth(element.parent) + (element.name === 'ul' ? 1 : 0) : 0)
    const forms = withClass(elements, 'on-form').map((element) => [element.attributes['data-word'], depth(element)])
    assert.deepEqual(forms, [['2', 1], ['1', 2], ['0', 3], ['3', 2], ['4', 2]])
    assert.match(text, /^root slept VERB/)
  })
  test('as deep as a sentence is long', () => {
    const { elements } = parse(renderOutline(words(...Array.from({ length: 3000 }, (_, i) => ['w', 'X', i, 'dep']))))
    assert.equal(withClass(elements, 'on-form').length, 3000)
  })
})

describe('text', () => {
  test('words keep the blanks of the text', () => {
    const { text, elements } = parse(renderWords(sentencesOf({ ...DOC, upos: undefined })[0]))
    assert.equal(text, 'Ada met Bob.')
    assert.equal(withClass(elements, 'on-word').length, 4)
  })
  test('a multiword token whose words do not spell it shows its form', () => {
    const doc = { text: 'del mar', tokens: [[0, 2], [2, 3], [4, 7]], form: ['de', 'el', 'mar'], ranges: [[0, 2, 'del']] }
    assert.equal(parse(renderDocWords(doc)).text, 'deldeel mar')
    assert.doesNotMatch(renderDocWords({ ...DOC }), /on-range/)
  })
  test('the card says features in words', () => {
    const [, second] = sentencesOf(DOC)
    const { text } = parse(renderCard(second.words[0], second.words))
    for (const part of ['They', 'pronoun', 'Nom', 'case: nominative', 'number: plural', 'agree', 'nominal subject']) assert.ok(text.includes(part), `${part} in ${text}`)
  })
  test('features in words', () => {
    assert.deepEqual(featsInWords('Case=Acc,Nom|Number[psor]=Plur|Odd=Strange').map(({ nameInWords, valueInWords }) => `${nameInWords}: ${valueInWords}`),
      ['case: accusative or nominative', 'number (possessor): plural', 'Odd: Strange'])
    assert.deepEqual(featsInWords('_'), [])
    assert.deepEqual(featsInWords(null), [])
    assert.equal(featsInWords('constructor=__proto__')[0].nameInWords, 'constructor')
  })
  test('entities lie where they are', () => {
    const { elements, text } = parse(renderEntities(DOC))
    assert.equal(text, "AdaPER met BobPER. They don't agree.")
    assert.deepEqual(withClass(elements, 'on-entity').map(({ attributes }) => attributes.title), ['PER, score 0.99', 'PER, score 0.5'])
    assert.equal(parse(renderEntities(DOC, { start: 13, end: 30 })).text, "They don't agree.")
    // Offsets that lie.
    assert.equal(parse(renderEntities({ text: 'abc', entities: [[-1, 2, 'A'], [2, 9, 'B'], [2, 1, 'C'], ['x', 2, 'D'], null] })).text, 'abc')
  })
  test('spans lie in layers, each label once, the text complete', () => {
    const { elements, text } = parse(renderSpans(DOC))
    assert.deepEqual(withClass(elements, 'on-span-label').length, 3)
    assert.equal(text.replaceAll(/MEETING|END|WHO/g, ''), DOC.text)
    // Two spans that overlap never share a layer: over 'Bob' there are two bars.
    const pieces = withClass(elements, 'on-piece').map((piece) => elements.filter(({ parent }) => parent === piece).filter((element) => classesOf(element).includes('on-bar') && !classesOf(element).includes('on-no-bar')).length)
    assert.equal(Math.max(...pieces), 2)
    assert.equal(parse(renderSpans(DOC, 'none')).text, DOC.text)
    assert.equal(parse(renderSpans({ text: 'x' }, '__proto__')).text, 'x')
  })
  test('categories, the highest first', () => {
    const { elements } = parse(renderCats({ cats: { low: 0.1, high: 0.75, yes: true, broken: NaN } }))
    assert.deepEqual(withClass(elements, 'on-bar-fill').map(({ attributes }) => attributes.width), ['100%', '75%', '10%'])
  })
})

describe('table and JSON', () => {
  const CONLLU = '# sent_id = 1\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_\n2\tel\tel\tDET\t_\tA=B|C=D\t3\tdet\t_\t_\n3\tmar\tmar\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No\n\n# x\n1\tA\ta\tX\t_\t_\t0\troot\t_\t_\n\n'
  test('rows with their sentences', () => {
    assert.deepEqual(render.rowsOfConllu(CONLLU).map(({ sentence, columns }) => `${sentence} ${columns[0]}`), ['1 1-2', '1 1', '1 2', '1 3', '2 1'])
    const { elements } = parse(renderTable(CONLLU))
    assert.equal(withClass(elements, 'on-row').length, 5)
    assert.equal(withClass(elements, 'on-sentence-start').length, 2)
    assert.equal(withClass(elements, 'on-range-row').length, 1)
  })
  test('sorted both ways, by number where there are numbers', () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ sentence: 1, columns: [String(i + 1), `f${i}`] }))
    const ids = (sort) => [...renderTable(rows, { sort }).matchAll(/<tr class="on-row[^>]*><td>(\d+)/g)].map(([, id]) => Number(id))
    assert.deepEqual(ids({ column: 0 }), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    assert.deepEqual(ids({ column: 0, descending: true }), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    assert.match(renderTable(rows, { sort: { column: 1, descending: true } }), /aria-sort="descending"><button[^>]*data-column="1"/)
  })
  test('JSON reads back as it was', () => {
    const values = [DOC, [], {}, 'text', null, 1.5e-7, { a: [[1, 2, 'x'], [3, 4, 'y']], 'quoted "key"': { nested: ['a\nb', '\\"'] }, long: Array.from({ length: 200 }, (_, i) => i) }]
    for (const value of values) {
      assert.deepEqual(JSON.parse(formatJson(value)), value)
      assert.deepEqual(JSON.parse(parse(renderJson(value)).text), value)
    }
    assert.ok(formatJson(DOC).split('\n').every((line) => line.length <= 110))
  })
})

describe('comparison', () => {
  test('differences by column', () => {
    const gold = words(['a', 'NOUN', 0, 'root'], ['b', 'DET', 1, 'nmod:poss'], ['c', 'X', 1, 'dep'])
    const predicted = words(['a', 'VERB', 0, 'root'], ['b', 'DET', 3, 'nmod'], ['c', 'X', 1, 'dep'])
    assert.deepEqual(compareSentences({ words: gold }, { words: predicted }), [{ word: 0, columns: ['upos'] }, { word: 1, columns: ['head', 'deprel'] }])
    assert.deepEqual(compareSentences({ words: gold }, { words: predicted }, { ignoreSubtypes: true })[1].columns, ['head'])
    assert.equal(compareSentences({ words: gold }, { words: predicted.slice(1) }), null)
    assert.deepEqual(compareSentences({ words: gold.map((word) => ({ ...word, deprel: null })) }, { words: predicted })[1].columns, ['head'], 'what gold does not say is not wrong')
  })
  test('confusions are counted', () => {
    const pairs = [[{ words: SENTENCE }, { words: SENTENCE.map((word) => ({ ...word, upos: word.upos === 'ADV' ? 'NOUN' : word.upos })) }]]
    const confusion = confusionOf(pairs, 'upos')
    assert.equal(confusion.counts.get('ADV').get('NOUN'), 1)
    assert.deepEqual(confusion.labels.slice(0, 2).sort(), ['ADV', 'NOUN'])
    const { elements } = parse(renderConfusion(confusion, { buttons: true }))
    assert.deepEqual(withClass(elements, 'on-cell').map(({ attributes }) => [attributes['data-gold'], attributes['data-predicted']]), [['ADV', 'NOUN']])
  })
  test('scores in percent, a dash where there is none', () => {
    const { text } = parse(renderScores({ UPOS: { precision: 0.5, recall: 1, f1: 2 / 3, alignedAccuracy: null }, XPOS: null }))
    assert.match(text, /UPOS50\.00100\.0066\.67–XPOS––––/)
  })
})

describe('colours', () => {
  const css = readFileSync(new URL('../../js/render/render.css', import.meta.url), 'utf8')
  const luminance = (hex) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  test('every text has contrast on its background', () => {
    for (const theme of ['light', 'dark']) {
      for (const [name, pair] of [...Object.entries(UPOS_COLOURS), ...Object.entries(LABEL_COLOURS)]) {
        assert.ok(contrast(pair[theme][0], pair[theme][1]) >= 4.5, `${name} ${theme}: ${contrast(pair[theme][0], pair[theme][1]).toFixed(2)}`)
      }
      for (const name of ['text', 'muted', 'accent', 'wrong', 'gold']) assert.ok(contrast(BASE_COLOURS[name][theme], BASE_COLOURS.surface[theme]) >= 4.5, `${name} ${theme}`)
      for (const name of ['line']) assert.ok(contrast(BASE_COLOURS[name][theme], BASE_COLOURS.surface[theme]) >= 3, `${name} ${theme}`)
      for (const [i, colour] of LABEL_COLOURS.entries()) assert.ok(contrast(colour[theme][2], BASE_COLOURS.surface[theme]) >= 2.4, `line ${i} ${theme}: ${contrast(colour[theme][2], BASE_COLOURS.surface[theme])}`)
    }
  })
  test('render.css has the same', () => {
    const variable = (name) => css.match(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`))?.slice(1)
    for (const [name, { light, dark }] of Object.entries(UPOS_COLOURS)) {
      assert.deepEqual(variable(`upos-${name}`), [light[0], dark[0]])
      assert.deepEqual(variable(`upos-${name}-text`), [light[1], dark[1]])
    }
    LABEL_COLOURS.forEach(({ light, dark }, i) => {
      ;['', '-text', '-line'].forEach((part, k) => assert.deepEqual(variable(`on-colour-${i}${part}`), [light[k], dark[k]]))
    })
    for (const [name, { light, dark }] of Object.entries(BASE_COLOURS)) assert.deepEqual(variable(`on-${name}`), [light, dark])
  })
  test('every universal part of speech has one', () => assert.deepEqual(Object.keys(UPOS_COLOURS).sort(), Object.keys(UPOS).sort()))
})

describe('docs/render.md', () => {
  const text = readFileSync(new URL('../../docs/render.md', import.meta.url), 'utf8')
  test('names every export, and no other function', () => {
    const table = text.slice(text.indexOf('## Functions'), text.indexOf('Options of'))
    const named = new Set([...table.matchAll(/`(\w+)(?:\([^`]*\))?`/g)].map(([, name]) => name).filter((name) => /^[a-z]+[A-Z]|^escape$/.test(name)))
    const exported = Object.keys(render).filter((name) => typeof render[name] === 'function')
    assert.deepEqual([...named].sort(), exported.sort())
  })
  test('its first lines run', async () => {
    const code = text.match(/```js\n([\s\S]*?)```/)[1].replace("'onenlp/render'", JSON.stringify(new URL('../../js/render/index.js', import.meta.url).href))
    const { svg } = await import(`data:text/javascript,${encodeURIComponent(`${code}\nexport { svg }`)}`)
    assert.deepEqual(withClass(parse(svg).elements, 'on-arc').length, 4)
  })
  test('the package has these entries', async () => {
    const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    for (const [, entry] of text.matchAll(/onenlp(\/render[\w./]*)/g)) assert.ok(exports[`.${entry}`], entry)
  })
})
