// Programs that must not compile: tsc reports a comment below that stands over no error.

import { Doc, OnenlpError, Pipeline, Pool, createPool, loadPipeline } from 'onenlp'
import { align, convert, evaluate, readConllu, readJsonl, writeConllu } from 'onenlp/formats'
import { renderArcs, renderTable } from 'onenlp/render'
// @ts-expect-error what is not exported is no public name
import type { Stretch } from 'onenlp'

// @ts-expect-error a pipeline comes from loadPipeline
new Pipeline()
// @ts-expect-error a pool comes from createPool
new Pool()
// @ts-expect-error no source
loadPipeline()
// @ts-expect-error a number is no source
loadPipeline(7)
// @ts-expect-error a typo in an option
loadPipeline('x', { onprogress() {} })
// @ts-expect-error a limit is a number
loadPipeline('x', { maxMemory: '1 GB' })
// @ts-expect-error a module is no number
loadPipeline('x', { wasm: 1 })

const nlp = await loadPipeline('x')
// @ts-expect-error it is a promise
loadPipeline('x').annotate('text')
// @ts-expect-error no number is annotated
nlp.annotate(7)
// @ts-expect-error tokens are strings or objects with a form
nlp.annotate({ tokens: [{ text: 'a' }] })
// @ts-expect-error annotate is synchronous and has no progress
nlp.annotate('x', { onProgress() {} })
// @ts-expect-error names of components, not one name
nlp.annotate('x', { components: 'tagger' })
// @ts-expect-error JSON Lines are many texts
nlp.annotate({ jsonl: '' })
// @ts-expect-error there is no such output
nlp.write('x', { output: 'xml' })
// @ts-expect-error the language is read-only
nlp.language = 'de'
// @ts-expect-error metadata may lack any key
nlp.metadata['name'].length

const doc = nlp.annotate('x')
// @ts-expect-error a lemma may be missing
doc.tokens[0]!.lemma.length
// @ts-expect-error tokens are views
doc.tokens[0]!.upos = 'NOUN'
// @ts-expect-error there is no such column
doc.tokens[0]!.pos
// @ts-expect-error a Doc is made of columns
new Doc('text')
// @ts-expect-error no such code
new OnenlpError('TYPO', 'x')
// @ts-expect-error how many workers is a number
createPool('x', { size: 'all' })
// @ts-expect-error there is no such format
convert('x', { to: 'xml' })
// @ts-expect-error two files
evaluate('x')
// @ts-expect-error a number is no content
readConllu(7)
// @ts-expect-error they come one after another
readConllu('').then()
// @ts-expect-error there is no such choice
readJsonl('', { misaligned: 'keep' })
// @ts-expect-error CoNLL-U has no misaligned entities
readConllu('', { misaligned: 'skip' })
// @ts-expect-error many documents
writeConllu({ text: 'a' })
// @ts-expect-error a document has a text
writeConllu([{ tokens: [] }])
// @ts-expect-error two documents
align('x')
for await (const sentence of readConllu('')) {
  // @ts-expect-error a lemma may be missing
  sentence.lemma[0].length
}
// @ts-expect-error a form is a string
renderArcs([{ form: 1 }])
// @ts-expect-error there is no such theme
renderArcs([], { theme: 'blue' })
// @ts-expect-error a column is a number
renderTable('', { sort: { column: 'upos' } })
// @ts-expect-error nothing is exported by a worker's module
import { serve } from 'onenlp/worker'
// @ts-expect-error there is no such entry
import * as core from 'onenlp/core'
