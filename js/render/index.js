// onenlp/render: annotations from plain JSON to SVG and HTML. Pure functions: no model, no page, no
// state. Everything is escaped; looks come from the classes and variables of render.css.

export { layoutArcs, renderArcs } from './arcs.js'
export { COMPARED, compareSentences, confusionOf, renderConfusion, renderScores } from './compare.js'
export { directionOf, sentencesOf, subtreeOf, headsOf } from './doc.js'
export { escape } from './escape.js'
export { deprelInWords, featsInWords, uposInWords } from './names.js'
export { CONLLU_COLUMNS, formatJson, renderJson, renderTable, rowsOfConllu } from './table.js'
export { renderCard, renderCats, renderDocWords, renderEntities, renderLegend, renderSpans, renderWords } from './text.js'
export { colourOfLabel } from './theme.js'
export { renderOutline, renderTree } from './tree.js'
