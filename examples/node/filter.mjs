// Standard input to standard output: paragraphs of text in (an empty line ends one), a line of JSON for each out.

import { pipeline as connect } from 'node:stream/promises'

import { loadPipeline } from 'onenlp'
import { url } from 'onenlp-model-en'

/** The paragraphs of a stream, each as soon as it has ended. */
async function* paragraphs(chunks) {
  let rest = ''
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split(/\r?\n[\t ]*\r?\n\s*/)
    rest = parts.pop()
    yield* parts.filter((part) => part.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}

async function* annotated(texts) {
  for await (const doc of nlp.pipe(texts)) yield `${JSON.stringify(doc)}\n`
}

const nlp = await loadPipeline(url)
try {
  await connect(process.stdin.setEncoding('utf8'), paragraphs, annotated, process.stdout)
} catch (error) {
  // The reader has seen enough (`| head`).
  if (error.code !== 'EPIPE') throw error
} finally {
  nlp.close()
}
