// Every public name of onenlp/render in a strict program. Compiled, never run.

import {
  COMPARED, CONLLU_COLUMNS, colourOfLabel, compareSentences, confusionOf, deprelInWords, directionOf, escape, featsInWords, formatJson, headsOf,
  layoutArcs, renderArcs, renderCard, renderCats, renderConfusion, renderDocWords, renderEntities, renderJson, renderLegend, renderOutline,
  renderScores, renderSpans, renderTable, renderTree, renderWords, rowsOfConllu, sentencesOf, subtreeOf, uposInWords,
} from 'onenlp/render'
import type {
  Arc, ArcLayout, ArcOptions, Confusion, Direction, DocJson, DrawingOptions, Row, Score, Sentence, SentenceLike, Triple, Word,
} from 'onenlp/render'
import { interact, makeFocusable } from 'onenlp/render/interact.js'

const triple: Triple = [0, 3, 'PER']
const doc: DocJson = {
  text: 'Ada.', tokens: [[0, 3], [3, 4]], form: ['Ada', '.'], word_token: [0, 1], sentences: [[0, 2]], ranges: [[0, 2, 'Ada.']],
  lemma: ['Ada', null], upos: ['PROPN', null], xpos: [null, null], feats: ['Number=Sing', null], head: [0, 1], deprel: ['root', 'punct'],
  misc: [null, null], entities: [triple], entity_scores: [1], spans: { names: [triple] }, span_scores: { names: [null] }, cats: { short: true },
}
const word: Word = {
  form: 'Ada', index: 0, id: 1, text: 'Ada', start: 0, end: 3, lemma: 'Ada', upos: 'PROPN', xpos: null, feats: null, head: 0, deprel: 'root', misc: null,
}
const sentence: Sentence = { words: [word], ranges: [{ first: 0, last: 1, form: 'Ada' }], text: 'Ada', index: 0, first: 0, last: 1, start: 0, end: 3 }
const sentences: SentenceLike[] = [sentence, [word], doc, ...sentencesOf(doc)]
const direction: Direction = directionOf('Ada')
const drawing: DrawingOptions = {
  direction, theme: 'dark', interactive: true, label: 'a tree', measure: (text, role) => text.length * (role === 'form' ? 8 : 6),
}
const options: ArcOptions = { ...drawing, gold: sentence, lemmas: true, upos: false }

const layout: ArcLayout = layoutArcs(sentences[0]!, options)
const arcs: Arc[] = [...layout.arcs, ...layout.goldArcs]
console.log(layout.sentence.words.length, layout.gold?.words.length, layout.direction, layout.heads, layout.width, layout.height, layout.rows['form'])
console.log(layout.boxes.map(({ x, width, goldUpos }) => [x, width, goldUpos]), layout.brackets.map(({ from, to, x, form, width }) => [from, to, x, form, width]))
for (const { from, to, dependent, head, deprel, level, kind, fromX, toX, tipX, y, base, labelWidth } of arcs) {
  console.log(from, to, dependent, head, deprel, level, kind === 'on-wrong', fromX, toX, tipX, y, base, labelWidth)
}
const svg: string[] = [renderArcs(sentence, options), renderTree(sentence, drawing)]
const html: string[] = [
  renderOutline(sentence), renderWords(sentence, { direction }), renderDocWords(doc), renderCard(word, [word]), renderEntities(doc, { start: 0, end: 4 }),
  renderSpans(doc, 'names', { start: 0 }), renderCats(doc, { limit: 3 }), renderLegend(['PER']), renderJson(doc, { width: 80 }), formatJson(doc, 80),
]
const rows: Row[] = rowsOfConllu('')
console.log(rows[0]?.sentence, rows[0]?.columns[0], CONLLU_COLUMNS.length)
html.push(renderTable(rows, { sort: { column: 1, descending: true }, caption: 'words', from: 0, limit: 50 }), renderTable('', { sort: null }))

const differences = compareSentences(sentence, doc, { ignoreSubtypes: true })
console.log(differences?.map(({ word, columns }) => `${word} ${columns.join()}`), COMPARED)
const confusion: Confusion = confusionOf([[sentence, doc]], 'upos')
console.log(confusion.column, confusion.labels, confusion.counts.get('NOUN')?.get('VERB'))
const score: Score = { precision: 1, recall: 1, f1: 1, alignedAccuracy: null }
html.push(renderConfusion(confusion, { limit: 10, buttons: true }), renderScores({ UPOS: score, XPOS: null }))

const inWords = featsInWords('Number=Sing').map(({ name, value, nameInWords, valueInWords }) => `${name}=${value}: ${nameInWords} ${valueInWords}`)
console.log(svg, html, inWords, uposInWords('NOUN')?.length, deprelInWords('nsubj'), headsOf([word])[0], subtreeOf([null], 0), colourOfLabel('PER'), escape('<'))
const end: () => void = interact(document.body, { card: null, contentOf: (word) => word.textContent })
makeFocusable(document.body, (word) => word.id)
end()
