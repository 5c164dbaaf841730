// Thai texts as the teacher of the Thai pipeline reads them (docs/training.md, "Thai"), and the way back.
//
// Its tokenizer divides text at white space, so words stand one blank apart there; U+2581 before a word says that the
// text itself has a blank in that place.

const mark = '▁'

/** The sentences of CoNLL-U: { paragraph, words: [{ row, form, blank }] }; `blank`: one follows in the text. */
export function sentencesOf(conllu) {
  const found = []
  let sentence = { paragraph: false, words: [] }
  for (const line of `${conllu}\n\n`.split('\n')) {
    const row = line.split('\t')
    if (/^\d+$/.test(row[0])) {
      sentence.words.push({ row, form: row[1], blank: !row[9].split('|').includes('SpaceAfter=No') })
    } else if (line.startsWith('# newpar') || line.startsWith('# newdoc')) {
      sentence.paragraph = true
    } else if (line === '' && sentence.words.length > 0) {
      found.push(sentence)
      sentence = { paragraph: false, words: [] }
    }
  }
  return found
}

const conlluOf = (sentences, rowOf) => sentences.map(({ paragraph, words }) =>
  `${paragraph ? '# newpar\n' : ''}${words.map((word, i) => `${rowOf(word, words[i - 1]).join('\t')}\n`).join('')}\n`).join('')

/** With one blank between all words. */
export const spaced = (sentences) => conlluOf(sentences, ({ row, form }, before) => {
  const seen = `${!before || before.blank ? mark : ''}${form.replace(/[ \u00a0]/g, mark)}`
  return [row[0], seen, '_', row[3], '_', '_', row[6], row[7], '_', '_']
})

/** The sentences as they were, with the parts of speech of the same words in `tagged`. */
export function retagged(sentences, tagged) {
  const words = tagged.flatMap((sentence) => sentence.words)
  if (words.length !== sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)) {
    throw new Error('the tagged text has other words')
  }
  let at = 0
  return conlluOf(sentences, ({ row, form, blank }) =>
    [row[0], form, '_', words[at++].row[3], '_', '_', '_', '_', '_', blank ? '_' : 'SpaceAfter=No'])
}

/** Paragraphs of many words as sentences of some twelve to sixty, which end where the text has a blank if they can. */
export function cut(sentences) {
  const found = []
  let paragraph = []
  const end = () => {
    let first = true
    let part = []
    paragraph.forEach((word, i) => {
      part.push({ ...word, row: [String(part.length + 1), ...word.row.slice(1)] })
      if ((word.blank && part.length >= 12) || part.length >= 60 || i + 1 === paragraph.length) {
        found.push({ paragraph: first, words: part })
        first = false
        part = []
      }
    })
    paragraph = []
  }
  for (const sentence of sentences) {
    if (sentence.paragraph) end()
    paragraph.push(...sentence.words)
  }
  end()
  return found
}

const length = 24

/** The paragraphs of a text (an empty line between two) that share no 24 characters, blanks aside, with these sentences. */
export function without(text, conllus) {
  const known = new Set()
  for (const conllu of conllus) {
    for (const [, sentence] of conllu.matchAll(/^# text = (.*)$/gm)) {
      const letters = sentence.trim().replaceAll(' ', '')
      if (letters.length < length) known.add(letters)
      for (let i = 0; i + length <= letters.length; i++) known.add(letters.slice(i, i + length))
    }
  }
  const isNew = (paragraph) => {
    const letters = paragraph.replaceAll(' ', '')
    for (let i = 0; i + length <= letters.length; i++) {
      if (known.has(letters.slice(i, i + length))) return false
    }
    return true
  }
  return `${text.trim().split('\n\n').filter(isNew).join('\n\n')}\n`
}
