// Code that makes what is on the screen.

const RENDER = {
  words: ['renderDocWords', 'renderDocWords(json)'],
  arcs: ['renderArcs, sentencesOf', "sentencesOf(json).map((sentence) => renderArcs(sentence)).join('')"],
  tree: ['renderTree, sentencesOf', "sentencesOf(json).map((sentence) => renderTree(sentence)).join('')"],
  entities: ['renderEntities', 'renderEntities(json)'],
  cats: ['renderCats', 'renderCats(json)'],
  spans: ['renderSpans', 'renderSpans(json)'],
  table: ['renderTable', 'renderTable(doc.toConllu())'],
  json: ['renderJson', '`<pre>${renderJson(json)}</pre>`'],
}

/** A string literal of JavaScript, safe in a script element too. */
const literal = (text) => JSON.stringify(text).replace(/</g, '\\u003c').replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029')

/** A word of a POSIX shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * @param {{ text: string, card: { file?: string, components?: string[] | null } | null }} state
 * @param {string} view
 */
export function codeSnippets({ text, card, components }, view) {
  const file = card?.file ?? 'en.onenlp'
  const [names, expression] = RENDER[view] ?? RENDER.arcs
  const some = components ? `, { components: ${JSON.stringify(components)} }` : ''
  const needsJson = expression.includes('json')
  const shown = view === 'json' || view === 'table' ? view : 'conllu'
  return [
    {
      title: 'In a page',
      language: 'JavaScript',
      code: [
        "import { loadPipeline } from 'onenlp'",
        `import { ${names} } from 'onenlp/render'`,
        '// and in the page: <link rel="stylesheet" href="…/onenlp/js/render/render.css">',
        '',
        `const nlp = await loadPipeline(${literal(`/models/${file}`)})`,
        `const doc = nlp.annotate(${literal(text)}${some})`,
        ...(needsJson ? ['const json = doc.toJSON()'] : []),
        `document.querySelector('#annotation').innerHTML = ${expression}`,
        '',
      ].join('\n'),
    },
    {
      title: 'In Node, Deno or Bun',
      language: 'JavaScript',
      code: [
        "import { loadPipeline } from 'onenlp'",
        '',
        `const nlp = await loadPipeline(${literal(file)})`,
        `const doc = nlp.annotate(${literal(text)}${some})`,
        'for (const { form, lemma, upos, feats, head, deprel } of doc.tokens) console.log(form, lemma, upos, feats, head, deprel)',
        'nlp.close()',
        '',
      ].join('\n'),
    },
    {
      title: 'At the command line',
      language: 'shell',
      code: `npx onenlp annotate -m ${quoted(file)} -o ${shown === 'json' ? 'json' : 'conllu'}${components ? ` -c ${quoted(components.join(','))}` : ''} -t ${quoted(text)}\n`,
    },
  ]
}
