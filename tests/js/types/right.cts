// The same package by require(). Compiled, never run.

import onenlp = require('onenlp')
import formats = require('onenlp/formats')

const nlp: Promise<onenlp.Pipeline> = onenlp.loadPipeline('en.onenlp')
const text: Promise<string> = formats.convert('')
console.log(nlp, text, new onenlp.OnenlpError('IO', 'mine') instanceof formats.OnenlpError)
async function sentences(): Promise<number> {
  let count = 0
  for await (const { form } of formats.readConllu('')) count += form.length
  return count
}
console.log(sentences())
