// Tokens of other systems as CoNLL-U, for the evaluation. A token: form, and what there is of lemma, upos, xpos, feats.
export function conlluOf(sentences) {
  const column = (value) => (value ? String(value).replace(/\s/g, ' ') : '_')
  const lines = []
  for (const tokens of sentences) {
    // A tree without meaning, since evaluations want one.
    tokens.forEach(({ form, lemma, upos, xpos, feats }, i) => lines.push([
      i + 1, form.replace(/\s/g, ' '), column(lemma), column(upos), column(xpos), column(feats), i === 0 ? 0 : 1,
      i === 0 ? 'root' : 'dep', '_', '_'].join('\t')))
    if (tokens.length > 0) lines.push('')
  }
  return lines.length > 0 ? `${lines.join('\n')}\n` : ''
}
