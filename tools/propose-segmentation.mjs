// Proposes a segmentation data set (src/tokenize/data/*.txt) from the tokens of a treebank, and measures one.
//
//   node tools/propose-segmentation.mjs TRAIN.conllu ... --language xx [--include NAME] [--min N] [--out FILE.txt]
//   node tools/propose-segmentation.mjs --measure NAME FILE.conllu [--build build/native]
//
// The proposal has contractions, endings, clitics, elisions, abbreviations and words with signs in them, each with
// the rule that it was found by; a person reads it and keeps what is true of the language. What a surface that has
// several analyses becomes is decided by count: it is an entry if it is divided in more than half of its
// occurrences, and then into the words that it is most often divided into; --ambiguous lists the others.
// Never give it a test set.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const usage = `usage: propose-segmentation.mjs TRAIN.conllu ... --language xx [--include NAME] [--min N] [--ambiguous] [--out FILE]
       propose-segmentation.mjs --measure NAME FILE.conllu [--build DIR]`

export function readSurfaces(text) {
  const sentences = []
  let sentence = []
  let range = null
  for (const line of text.split(/\r?\n/)) {
    if (line === '') {
      if (sentence.length) sentences.push(sentence)
      sentence = []
      range = null
      continue
    }
    if (line[0] === '#') continue
    const [id, form, , , , , , , , misc] = line.split('\t')
    if (id.includes('.')) continue
    const space = !(misc ?? '').split('|').includes('SpaceAfter=No')
    if (id.includes('-')) {
      const last = Number(id.split('-')[1])
      range = { form, words: [], last, space }
      sentence.push(range)
    } else if (range && Number(id) <= range.last) {
      range.words.push(form)
    } else {
      sentence.push({ form, words: [form], space })
    }
  }
  if (sentence.length) sentences.push(sentence)
  return sentences
}

const straight = (text) => text.replace(/[’‘`´ʼ＇]/g, "'")
const count = (map, key, n = 1) => map.set(key, (map.get(key) ?? 0) + n)
const letter = /^[\p{L}\p{M}]/u
const lastLetter = /[\p{L}\p{M}]$/u
const falling = (map) => [...map].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
const plainWord = /^[\p{L}\p{M}\p{N}]+$/u

// A table from a key to the forms seen with it, to choose between "any capitalization" and one spelling.
class Spellings {
  seen = new Map()
  add(form) {
    const key = form.toLowerCase()
    if (!this.seen.has(key)) this.seen.set(key, new Map())
    count(this.seen.get(key), form)
  }
  best(key) {
    const forms = falling(this.seen.get(key))
    return forms.some(([form]) => form === key) ? key : forms[0][0]
  }
}

export function propose(sentences, { min = 2, ambiguous = false } = {}) {
  const out = { options: [], sections: new Map(), notes: [] }
  const section = (name) => {
    if (!out.sections.has(name)) out.sections.set(name, [])
    return out.sections.get(name)
  }

  // Endings (tem-se = tem + se) and clitics (o'r = o + 'r) of ranges; how often a surface ends so at all.
  const endings = new Map()
  const clitics = new Map()
  const surfaces = new Map()
  const tokens = sentences.flat()
  for (const { form, words } of tokens) {
    const surface = straight(form).toLowerCase()
    const parts = words.map((word) => straight(word).toLowerCase())
    if (!surfaces.has(surface)) surfaces.set(surface, new Map())
    count(surfaces.get(surface), parts.join(' '))
    if (words.length < 2) continue
    if (parts.join('') === surface) {
      const last = parts.at(-1)
      if (/^['-]\p{L}/u.test(last)) (clitics.get(last) ?? clitics.set(last, new Set()).get(last)).add(parts[0])
      continue
    }
    let same = 0
    while (same < surface.length && surface[same] === parts[0][same]) same++
    if (same < 2 || !surface.slice(same).includes('-')) continue
    const rule = `+${surface.slice(same)} = +${[parts[0].slice(same), ...parts.slice(1)].join(' ')}`
    if (!endings.has(rule)) endings.set(rule, new Set())
    endings.get(rule).add(surface.slice(0, same))
  }
  const usedEndings = new Map()
  for (const [rule, stems] of [...endings].sort((a, b) => b[1].size - a[1].size)) {
    const ending = rule.slice(1).split(' ')[0]
    if (stems.size < 2 || usedEndings.has(ending)) continue
    const all = [...surfaces.keys()].filter((surface) => surface.endsWith(ending) && surface.length > ending.length)
    if (stems.size < 0.6 * all.length) continue
    usedEndings.set(ending, rule)
    section('endings').push(rule)
  }
  const usedClitics = [...clitics].filter(([clitic, stems]) => stems.size >= 2 &&
    stems.size >= 0.6 * [...surfaces.keys()].filter((s) => s.endsWith(clitic) && s.length > clitic.length).length)
    .map(([clitic]) => clitic)
  if (usedClitics.length) section('clitics').push(usedClitics.map((clitic) => `+${clitic}`).join(' '))
  const covered = (surface, parts) => {
    const rule = [...usedEndings.values()].find((r) => surface.endsWith(r.slice(1).split(' ')[0]))
    if (rule) return true
    return usedClitics.some((clitic) => surface.endsWith(clitic)) && parts.join('') === surface
  }

  // Contractions.
  for (const [surface, analyses] of [...surfaces].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const all = [...analyses.values()].reduce((a, b) => a + b)
    const divided = falling(new Map([...analyses].filter(([words]) => words !== surface && words.includes(' ') && !surface.includes(' '))))
    if (divided.length === 0) continue
    const total = divided.reduce((sum, [, n]) => sum + n, 0)
    const [words, n] = divided[0]
    if (n < min || 2 * total <= all) {
      if (ambiguous) out.notes.push(`${surface}: left whole (${falling(analyses).map(([w, k]) => `${w} ${k}`).join(', ')})`)
      continue
    }
    if (words.split(' ').includes('_') || covered(surface, words.split(' '))) continue
    if (ambiguous && n < all) out.notes.push(`${surface} = ${words}: ${n} of ${all}`)
    section('contractions').push(`${surface} = ${words}`)
  }

  // Contractions that are one word after certain tokens: those after which they are so more often than not.
  const contracted = new Set((out.sections.get('contractions') ?? []).map((line) => line.split(' ')[0]))
  const contexts = new Map()
  tokens.forEach(({ form, words }, i) => {
    const surface = straight(form).toLowerCase()
    if (!contracted.has(surface)) return
    const before = i === 0 ? '^' : straight(tokens[i - 1].form).toLowerCase()
    const key = `${surface} ${before}`
    if (!contexts.has(key)) contexts.set(key, { surface, before, whole: 0, all: 0 })
    contexts.get(key).all++
    if (words.length === 1) contexts.get(key).whole++
  })
  const wholeAfter = new Map()
  for (const { surface, before, whole, all } of contexts.values()) {
    const share = surfaces.get(surface).get(surface) ?? 0
    if (share < 5 || whole < min || 2 * whole <= all || /\s/.test(before)) continue
    if (!wholeAfter.has(surface)) wholeAfter.set(surface, [])
    wholeAfter.get(surface).push(before)
  }
  for (const [surface, list] of wholeAfter) section('whole-after').push(`${surface} = ${list.sort().join(' ')}`)

  // Tokens that part from the next or the one before without white space.
  const prefixes = new Map()
  const suffixes = new Map()
  const hyphens = { kept: 0, parted: 0 }
  sentences.forEach((sentence) => sentence.forEach((token, i) => {
    const text = straight(token.form).toLowerCase()
    const next = sentence[i + 1]
    if (/^[\p{L}\p{M}]+'$/u.test(text) && !token.space && next && letter.test(next.form)) {
      if (!prefixes.has(text)) prefixes.set(text, new Set())
      prefixes.get(text).add(next.form.toLowerCase())
    }
    if (/^['-]\p{L}[\p{L}\p{M}'-]*$/u.test(text) && i > 0 && !sentence[i - 1].space && lastLetter.test(sentence[i - 1].form)) {
      if (!suffixes.has(text)) suffixes.set(text, new Set())
      suffixes.get(text).add(sentence[i - 1].form.toLowerCase())
    }
    if (/^[\p{L}\p{M}]+(-[\p{L}\p{M}]+)+$/u.test(text)) hyphens.kept++
    if (text === '-' && !token.space && i > 0 && !sentence[i - 1].space && next && lastLetter.test(sentence[i - 1].form) &&
      letter.test(next.form)) hyphens.parted++
  }))
  const keys = [...surfaces.keys()]
  const usedPrefixes = [...prefixes].filter(([prefix, after]) => after.size >= 2 &&
    after.size > keys.filter((s) => s.startsWith(prefix) && s.length > prefix.length).length).map(([prefix]) => prefix)
  if (usedPrefixes.length) section('splits').push(usedPrefixes.map((prefix) => `${prefix}+`).join(' '))
  const usedSuffixes = [...suffixes].filter(([suffix, before]) => before.size >= 2 &&
    before.size > keys.filter((s) => s.endsWith(suffix) && s.length > suffix.length).length).map(([suffix]) => suffix)
  if (usedSuffixes.length) section('splits').push(usedSuffixes.map((suffix) => `+${suffix}`).join(' '))
  if (hyphens.kept > hyphens.parted) out.options.push('hyphens on')
  out.notes.push(`hyphens between letters: ${hyphens.kept} kept, ${hyphens.parted} parted`)

  // Abbreviations: a full stop that is part of the token more often than not.
  const dotted = new Map()
  const spellings = new Spellings()
  const bare = new Map()
  sentences.forEach((sentence) => sentence.forEach((token, i) => {
    const text = straight(token.form)
    if (/^[\p{L}\p{M}][\p{L}\p{M}\p{N}.'-]*\.$/u.test(text)) {
      const key = text.toLowerCase()
      spellings.add(text)
      if (!dotted.has(key)) dotted.set(key, { n: 0, last: 0, number: 0, lower: 0 })
      const entry = dotted.get(key)
      entry.n++
      if (i === sentence.length - 1) entry.last++
      else if (/^\p{N}/u.test(sentence[i + 1].form)) entry.number++
      else if (/^\p{Ll}/u.test(sentence[i + 1].form)) entry.lower++
    } else if (sentence[i + 1]?.form === '.' && !token.space && plainWord.test(text)) {
      count(bare, `${text.toLowerCase()}.`)
      if (i < sentence.length - 2) count(bare, `${text.toLowerCase()}. inside`)
    }
  }))
  let initials = 0
  let acronyms = 0
  let finals = 0
  const groups = { titles: [], abbreviations: [], 'number-abbreviations': [] }
  for (const [key, entry] of dotted) {
    finals += entry.last
    const spelled = spellings.best(key)
    if (/^\p{Lu}\.$/u.test(spelled)) { initials += entry.n; if (entry.last === 0) continue }
    if (/^(\p{L}\.){2,}$/u.test(spelled)) acronyms += entry.n
    if (entry.n < min || (bare.get(key) ?? 0) > entry.n) continue
    const kind = entry.number >= 0.8 * entry.n ? 'number-abbreviations' : entry.last === 0 ? 'titles' : 'abbreviations'
    groups[kind].push(spelled)
  }
  if (initials >= 5) out.options.push('initials on')
  if (acronyms >= 5) out.options.push('acronyms on')
  const split = [...dotted.keys()].reduce((sum, key) => sum + (bare.get(key) ?? 0) - (bare.get(`${key} inside`) ?? 0), 0)
  if (split > finals) out.options.push('split-final-period on')
  out.notes.push(`sentences that end in an abbreviation: ${finals} with its full stop, ${split} with a full stop of their own`)
  for (const [kind, list] of Object.entries(groups)) if (list.length) section(kind).push(list.sort().join(' '))

  // Words with signs in them that the standard's segments would part.
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
  const kept = new Map()
  const keptSpellings = new Spellings()
  for (const { form } of tokens) {
    const text = straight(form)
    if (plainWord.test(text) || /\s/.test(text) || text.length < 2) continue
    if (/:\/\/|^www\.|@|^#/.test(text) || dotted.has(text.toLowerCase())) continue
    if (/^(.)\1+$/u.test(text) || /^[.!?…]+$/.test(text)) continue
    if (hyphens.kept > hyphens.parted && /^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u.test(text)) continue
    if (usedPrefixes.includes(text.toLowerCase()) || usedSuffixes.includes(text.toLowerCase())) continue
    if (usedEndings.size && [...usedEndings.keys()].some((ending) => text.endsWith(ending))) continue
    const needs = [...segmenter.segment(text)].length > 1 ||
      usedPrefixes.some((prefix) => text.toLowerCase().startsWith(prefix))
    if (!needs) continue
    keptSpellings.add(text)
    count(kept, text.toLowerCase())
  }
  const keep = falling(kept).filter(([key, n]) => n >= min && !(/^\p{N}/u.test(key)))
    .map(([key]) => keptSpellings.best(key))
  if (keep.length) section('keep').push(keep.join(' '))
  const numbers = falling(kept).filter(([key, n]) => n >= min && /^\p{N}/u.test(key)).slice(0, 40)
  if (numbers.length) out.notes.push(`numbers with signs, for [patterns]: ${numbers.map(([key, n]) => `${key} ${n}`).join(', ')}`)
  const blanks = new Map()
  for (const { form } of tokens) if (/\s/.test(form)) count(blanks, form)
  if (blanks.size) {
    out.notes.push(`words with blanks, which no data set holds: ${falling(blanks).slice(0, 10).map(([k, n]) => `${k} ${n}`).join(', ')}`)
  }

  // Words that begin sentences and are written small elsewhere.
  const first = new Map()
  const small = new Map()
  for (const sentence of sentences) {
    sentence.forEach(({ form }, i) => {
      if (i === 0 && /^\p{Lu}/u.test(form) && plainWord.test(form)) count(first, form.toLowerCase())
      if (i > 0 && form === form.toLowerCase()) count(small, form)
    })
  }
  const starters = falling(first).filter(([key, n]) => n >= 3 && (small.get(key) ?? 0) >= n).slice(0, 80).map(([key]) => key)
  if (starters.length) section('starters').push(starters.join(' '))
  return out
}

// Lines of at most 118 characters.
function wrap(text) {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (lines.at(-1) && lines.at(-1).length + word.length > 117) lines.push('')
    lines[lines.length - 1] += (lines.at(-1) ? ' ' : '') + word
  }
  return lines.join('\n')
}

export function write(proposal, { language, include }) {
  const lines = [`include ${include}`, `languages ${language}`]
  const order = ['splits', 'clitics', 'endings', 'contractions', 'whole-after', 'keep', 'titles', 'abbreviations', 'number-abbreviations', 'starters']
  if (proposal.options.length) lines.push('', '[options]', ...proposal.options)
  for (const name of order) {
    const entries = proposal.sections.get(name)
    if (entries) lines.push('', `[${name}]`, ...entries.map((entry) => (entry.includes(' = ') ? entry : wrap(entry))))
  }
  return `${proposal.notes.map((note) => `# ${note}\n`).join('')}${lines.join('\n')}\n`
}

// A pipeline that is nothing but the tokenizer and the sentencizer, scored from raw text by the command line.
function measure(name, file, build) {
  const made = spawnSync('cmake', ['--build', build, '--target', 'onenlp_cli'], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (made.status !== 0) return 1
  const config = Buffer.from(JSON.stringify({ format: 'onenlp-pipeline', version: 1, tokenizer: { kind: 'uax', data: name },
    encoders: [], components: [{ name: 'sentencizer', type: 'builtin', settings: { data: name } }] }))
  const weights = Buffer.from('\x02\0\0\0\0\0\0\0{}', 'latin1')
  const head = Buffer.alloc(32)
  head.write('ONENLPPL', 'latin1')
  head.writeUInt32LE(1, 8)
  head.writeBigUInt64LE(BigInt(config.length), 16)
  head.writeBigUInt64LE(BigInt(weights.length), 24)
  const folder = mkdtempSync(join(tmpdir(), 'onenlp-'))
  try {
    const path = join(folder, `${name}.onenlp`)
    writeFileSync(path, Buffer.concat([head, config, weights]))
    return spawnSync(join(build, 'onenlp'), ['evaluate', '-m', path, file], { stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function main(args) {
  const files = []
  const options = { language: 'xx', include: 'neutral', min: 2, build: 'build/native', out: null, measure: null, ambiguous: false }
  for (let i = 0; i < args.length; i++) {
    const name = args[i].startsWith('--') ? args[i].slice(2) : null
    if (name === 'ambiguous') options.ambiguous = true
    else if (name && name in options && i + 1 < args.length) options[name] = args[++i]
    else if (name) { console.error(usage); return 2 }
    else files.push(args[i])
  }
  options.min = Number(options.min)
  if (files.length === 0 || !(options.min >= 1)) { console.error(usage); return 2 }
  if (options.measure) return measure(options.measure, files[0], options.build)
  const sentences = files.flatMap((file) => readSurfaces(readFileSync(file, 'utf8')))
  const text = write(propose(sentences, options), options)
  if (options.out) writeFileSync(options.out, text)
  else process.stdout.write(text)
  return 0
}

if (process.argv[1]?.endsWith('propose-segmentation.mjs')) process.exitCode = main(process.argv.slice(2))
