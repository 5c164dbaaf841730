// Compiles the segmentation data sets (src/tokenize/data/*.txt) into one C source of constant tables.
//
//   node tools/compile-segmentation.mjs --out FILE.c none.txt neutral.txt english.txt ...
//
// The format of a data set is described at the top of src/tokenize/data/neutral.txt. A mistake in a
// file ends the build with the file's name and line. The tables' C types are in
// src/tokenize/segmentation.h; both files change together.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const OPTIONS = [
  'urls', 'hosts', 'emails', 'local-emails', 'files', 'hashtags', 'mentions', 'acronyms', 'initials',
  'split-final-period', 'wrapped-lines', 'lower-case-starts', 'hyphens', 'emoji-runs',
  'joined-letters', 'question-semicolons',
]
// Sections whose entries are looked up in the text, and the table each goes into.
const KINDS = { keep: 1, titles: 2, abbreviations: 3, 'number-abbreviations': 4, contractions: 5 }
const WORD_TABLES = {
  emoticons: 'emoticons', schemes: 'schemes', domains: 'domains', extensions: 'extensions',
  units: 'units', 'number-endings': 'number_endings', currency: 'currency', 'hyphen-prefixes': 'hyphen_prefixes',
  'hyphen-suffixes': 'hyphen_suffixes', starters: 'starters', followers: 'followers',
}
const CLITICS = { clitics: 1, splits: 2 }
const CHARACTERS = { apostrophes: 'apostrophes', joiners: 'joiners', cuts: 'cuts', 'number-cuts': 'number_cuts',
  repeats: 'repeats', bullets: 'bullets' }
const SETS = ['runs']
const SECTIONS = new Set(['options', 'patterns', 'endings', 'whole-after', ...Object.keys(KINDS), ...Object.keys(WORD_TABLES),
  ...Object.keys(CLITICS), ...Object.keys(CHARACTERS), ...SETS])

class Mistake extends Error {}

function parse(path, seen = []) {
  if (seen.includes(path)) throw new Mistake(`${path}: includes itself`)
  const set = { languages: [], plain: false, options: new Set(), sections: new Map() }
  for (const name of SECTIONS) set.sections.set(name, [])
  let section = null
  const lines = readFileSync(path, 'utf8').replace(/^\uFEFF/, '').split(/\r?\n/)
  lines.forEach((line, index) => {
    const where = `${path}:${index + 1}`
    const fields = line.split(/\s+/).filter(Boolean)
    if (fields.length === 0 || fields[0] === '#') return
    const header = /^\[([a-z-]+)\]( anew)?\s*$/.exec(line)
    if (header && SECTIONS.has(header[1])) {
      section = header[1]
      if (header[2]) set.sections.set(section, [])
    } else if (header) {
      throw new Mistake(`${where}: there is no section [${header[1]}]`)
    } else if (section === null) {
      const [word, ...rest] = fields
      if (word === 'include' && rest.length === 1) {
        const other = parse(join(dirname(path), `${rest[0]}.txt`), [...seen, path])
        for (const option of other.options) set.options.add(option)
        for (const [name, entries] of other.sections) set.sections.get(name).push(...entries)
      } else if (word === 'languages' && rest.length > 0) {
        set.languages.push(...rest)
      } else if (word === 'plain' && rest.length === 0) {
        set.plain = true
      } else {
        throw new Mistake(`${where}: expected include NAME, languages CODE ..., plain, or a [section]`)
      }
    } else if (section === 'options') {
      const [name, value] = fields
      if (!OPTIONS.includes(name) || !['on', 'off'].includes(value) || fields.length !== 2) {
        throw new Mistake(`${where}: expected OPTION on|off; the options are ${OPTIONS.join(', ')}`)
      }
      if (value === 'on') set.options.add(name)
      else set.options.delete(name)
    } else if (section === 'contractions' || section === 'endings' || section === 'whole-after') {
      const guarded = section === 'contractions' && fields.at(-1) === '?'
      const words = fields.slice(2, guarded ? -1 : undefined)
      if (fields[1] !== '=' || words.length < (section === 'whole-after' ? 1 : 2)) {
        throw new Mistake(`${where}: expected SURFACE = WORD WORD ...`)
      }
      if (section === 'endings' && (!/^\+./.test(fields[0]) || !fields[2].startsWith('+'))) {
        throw new Mistake(`${where}: expected +ENDING = +ENDING WORD ...`)
      }
      set.sections.get(section).push({ where, text: fields[0], words, guarded })
    } else {
      for (const text of fields) set.sections.get(section).push({ where, text })
    }
  })
  return set
}

// One code point to one code point, as on_lower.
function lower(text) {
  let out = ''
  for (const c of text) {
    const l = c.toLowerCase()
    out += [...l].length === 1 && l.length === c.length ? l : c
  }
  return out
}

class Pool {
  units = []
  at = new Map()
  add(text) {
    if (!this.at.has(text)) {
      this.at.set(text, this.units.length)
      for (let i = 0; i < text.length; i++) this.units.push(text.charCodeAt(i))
    }
    return this.at.get(text)
  }
}

function compile(name, set, pool) {
  const { sections } = set
  const apostrophes = new Set(sections.get('apostrophes').map((entry) => entry.text))
  const fold = (text) => [...lower(text)].map((c) => (apostrophes.has(c) ? "'" : c)).join('')
  const out = { name, set, fold, tables: {}, parts: [], befores: [], patterns: [], characters: {}, runs: [] }

  // A table: entries sorted by key in UTF-16 order. An entry with a capital letter matches only as
  // written; among equal keys exact spellings come first.
  const table = (rows, exactAlways) => {
    const list = rows.map((row) => {
      const key = fold(row.key)
      const exact = exactAlways || lower(row.key) !== row.key
      return { key, at: pool.add(key), exact: exact ? 1 : 0, as: pool.add(row.key), kind: row.kind ?? 0,
        value: row.value ?? 0, where: row.where }
    })
    list.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.exact - a.exact || a.value - b.value))
    const kept = []
    for (const row of list) {
      const last = kept.at(-1)
      const same = last && last.key === row.key && last.exact === row.exact && (!row.exact || last.as === row.as)
      if (same && last.kind === row.kind && last.value === row.value) continue
      if (same && !row.clitic && last.kind !== row.kind) {
        throw new Mistake(`${row.where}: "${row.key}" stands at ${last.where} with another meaning`)
      }
      kept.push(row)
    }
    return kept
  }

  const lexicon = []
  for (const [section, kind] of Object.entries(KINDS)) {
    for (const entry of sections.get(section)) {
      let value = 0
      if (entry.words) {
        const joined = fold(entry.words.join(''))
        const sliced = joined === fold(entry.text)
        value = out.parts.length
        out.parts.push({ count: entry.words.length, flags: (sliced ? 1 : 0) + (entry.guarded ? 2 : 0) })
        for (const word of entry.words) out.parts.push({ word })
      }
      lexicon.push({ key: entry.text, kind, value, where: entry.where })
    }
  }
  out.tables.lexicon = table(lexicon, false)
  out.tables.endings = table(sections.get('endings').map(({ text, words, where }) => {
    const value = out.parts.length
    out.parts.push({ count: words.length, flags: 0 }, { word: words[0].slice(1) }, ...words.slice(1).map((word) => ({ word })))
    return { key: text.slice(1), value, where }
  }), false)
  out.tables.whole_after = table(sections.get('whole-after').flatMap(({ text, words, where }) =>
    words.map((word) => ({ key: `${word} ${text}`, where }))), false)
  for (const [section, field] of Object.entries(WORD_TABLES)) {
    const rows = sections.get(section).map((entry) => ({ key: entry.text, where: entry.where }))
    out.tables[field] = table(rows, section === 'emoticons')
  }
  const suffixes = []
  const prefixes = []
  for (const [section, kind] of Object.entries(CLITICS)) {
    for (const { text, where } of sections.get(section)) {
      const plus = text.indexOf('+')
      if (plus < 0 || text.indexOf('+', plus + 1) >= 0) {
        throw new Mistake(`${where}: expected +suffix, end+suffix or prefix+, not ${text}`)
      }
      const [before, after] = [text.slice(0, plus), text.slice(plus + 1)]
      if (after === '') {
        if (before === '' || kind === 1) throw new Mistake(`${where}: ${text} is no prefix for [${section}]`)
        prefixes.push({ key: before, kind, where })
      } else {
        let value = out.befores.indexOf(fold(before))
        if (value < 0) value = out.befores.push(fold(before)) - 1
        suffixes.push({ key: after, kind, value, where })
      }
    }
  }
  out.tables.suffixes = table(suffixes, false)
  out.tables.prefixes = table(prefixes, false)

  for (const { text, where } of sections.get('patterns')) {
    // Items: a literal unit, or a run of digits with its least and greatest length and greatest value.
    const items = []
    for (let i = 0; i < text.length;) {
      const c = text[i]
      if (c === '9') {
        let n = 0
        while (text[i] === '9') { n++; i++ }
        const open = text[i] === '+'
        if (open) i++
        items.push([n, open ? 255 : n, 0])
      } else if (c === 'M' || c === 'D') {
        const double = text[i + 1] === c
        items.push([double ? 2 : 1, 2, c === 'M' ? 12 : 31])
        i += double ? 2 : 1
      } else {
        if (c === '\\') i++
        if (i >= text.length || !/[\x21-\x7E]/.test(text[i])) throw new Mistake(`${where}: bad pattern ${text}`)
        items.push([0, 0, fold(text[i]).charCodeAt(0)])
        i++
      }
    }
    if (items.length > 15) throw new Mistake(`${where}: the pattern ${text} is too long`)
    out.patterns.push(items)
  }
  for (const [section, field] of Object.entries(CHARACTERS)) {
    const codes = new Set()
    for (const { text, where } of sections.get(section)) {
      if ([...text].length !== 1) throw new Mistake(`${where}: expected single characters, not ${text}`)
      codes.add(text.codePointAt(0))
    }
    out.characters[field] = [...codes].sort((a, b) => a - b)
  }
  for (const { text } of sections.get('runs')) out.runs.push([...text].map((c) => c.codePointAt(0)))
  return out
}

/** 128 bits: the ASCII units in `units`. */
function asciiSet(units) {
  const bits = [0, 0, 0, 0]
  for (const unit of units) if (unit < 128) bits[unit >> 5] |= 1 << (unit & 31)
  return `{${bits.map((word) => `0x${(word >>> 0).toString(16)}`).join(', ')}}`
}

// From this length on a table has an index of the letters that its keys begin with.
const INDEXED = 24

/** on_letters of a sorted table. */
function letterIndex(list) {
  const below = (code) => list.filter((row) => row.key.charCodeAt(0) < code).length
  const second = (code) => list.filter((row) => row.key.charCodeAt(0) === code)
    .reduce((bits, { key }) => bits | (key.length > 1 ? 1 << (key.charCodeAt(1) & 31) : -1), 0)
  const from = Array.from({ length: 27 }, (_, i) => below(97 + i))
  const seconds = Array.from({ length: 26 }, (_, i) => `0x${(second(97 + i) >>> 0).toString(16)}`)
  return `{${from.join(', ')}}, {${seconds.join(', ')}}`
}

function emit(sets) {
  const pool = new Pool()
  const compiled = sets.map(({ name, set }) => compile(name, set, pool))
  const lines = ['// Made by tools/compile-segmentation.mjs from src/tokenize/data/*.txt. Do not edit.',
    '#include "tokenize/segmentation.h"', '']
  const push = (...more) => lines.push(...more)
  const rows = (head, list) => {
    push(`${head} = {`)
    for (const row of list) push(`  ${row},`)
    push('};')
  }
  const body = []
  for (const [i, set] of compiled.entries()) {
    const id = (what) => `${what}_${i}`
    for (const [field, list] of Object.entries(set.tables)) {
      if (list.length === 0) continue
      body.push([`static const on_entry ${id(field)}[]`, list.map((row) =>
        `{${row.at}, ${row.as}, ${row.value}, ${row.key.length}, ${row.kind}, ${row.exact}}`)])
      if (list.length >= INDEXED) {
        body.push([`static const on_letters ${id(`${field}_letters`)}[]`, [`{${letterIndex(list)}}`]])
      }
    }
    if (set.parts.length > 0) {
      body.push([`static const on_part ${id('parts')}[]`, set.parts.map((part) => {
        if (part.word === undefined) return `{NULL, ${part.count}, ${part.flags}}`
        const bytes = Buffer.from(part.word, 'utf8')
        const text = [...bytes].map((b) => `\\${b.toString(8).padStart(3, '0')}`).join('')
        return `{"${text}", ${bytes.length}, ${part.word.length}}`
      })])
    }
    if (set.befores.length > 0) {
      body.push([`static const on_ending ${id('befores')}[]`,
        set.befores.map((text) => `{${pool.add(text)}, ${text.length}}`)])
    }
    if (set.patterns.length > 0) {
      body.push([`static const on_pattern ${id('patterns')}[]`, set.patterns.map((items) =>
        `{${items.length}, {${items.map((item) => `{${item.join(', ')}}`).join(', ')}}}`)])
    }
    for (const [field, codes] of Object.entries(set.characters)) {
      if (codes.length > 0) body.push([`static const uint32_t ${id(field)}[]`, codes.map(String)])
    }
    if (set.runs.length > 0) {
      const pairs = set.runs.flatMap((codes, run) => codes.map((code) => [code, run + 1]))
      pairs.sort((a, b) => a[0] - b[0])
      for (let k = 1; k < pairs.length; k++) {
        if (pairs[k][0] === pairs[k - 1][0]) {
          throw new Mistake(`${set.name}: ${String.fromCodePoint(pairs[k][0])} stands in two lines of [runs]`)
        }
      }
      body.push([`static const on_run ${id('runs')}[]`, pairs.map((pair) => `{${pair.join(', ')}}`)])
    }
    if (set.set.languages.length > 0) {
      body.push([`static const char *const ${id('languages')}[]`,
        [...set.set.languages.map((code) => JSON.stringify(code)), 'NULL']])
    }
  }
  const units = []
  for (let k = 0; k < pool.units.length; k += 24) units.push(pool.units.slice(k, k + 24).join(', '))
  rows('static const uint16_t pool[]', units.length > 0 ? units : ['0'])
  // What a data set has from an included one is the same table: once is enough.
  const made = new Map()
  for (const [head, list] of body) {
    const name = /(\w+)\[\]$/.exec(head)[1]
    const content = [head.slice(0, -name.length - 2), ...list].join('\n')
    if (made.has(content)) {
      push(`#define ${name} ${made.get(content)}`)
    } else {
      made.set(content, name)
      rows(head, list)
    }
  }
  for (const [i, set] of compiled.entries()) {
    push(`static const on_segmentation set_${i} = {`, `  .name = ${JSON.stringify(set.name)},`, '  .pool = pool,')
    if (set.set.plain) push('  .plain = true,')
    if (set.set.languages.length > 0) push(`  .languages = languages_${i},`)
    const bits = OPTIONS.reduce((sum, option, bit) => sum + (set.set.options.has(option) ? 2 ** bit : 0), 0)
    push(`  .options = ${bits},`)
    for (const [field, list] of Object.entries(set.tables)) {
      if (list.length === 0) continue
      const longest = Math.max(...list.map((row) => row.key.length))
      const letters = list.length >= INDEXED ? `${field}_letters_${i}` : 'NULL'
      const first = asciiSet(list.map((row) => row.key.charCodeAt(0)))
      push(`  .${field} = {${field}_${i}, ${list.length}, ${longest}, ${letters}, ${first}},`)
    }
    push(`  .fold = {${Array.from({ length: 128 }, (_, c) => set.fold(String.fromCharCode(c)).charCodeAt(0)).join(', ')}},`)
    const digits = Array.from('0123456789', (digit) => digit.charCodeAt(0))
    push(`  .pattern_first = ${asciiSet(set.patterns.flatMap(([[, max, unit]]) => (max === 0 ? [unit] : digits)))},`)
    if (set.parts.length > 0) push(`  .parts = parts_${i},`)
    if (set.befores.length > 0) push(`  .befores = befores_${i},`)
    if (set.patterns.length > 0) push(`  .patterns = patterns_${i},`, `  .n_patterns = ${set.patterns.length},`)
    for (const [field, codes] of Object.entries(set.characters)) {
      if (codes.length > 0) push(`  .${field} = {${field}_${i}, ${codes.length}},`)
    }
    const runs = set.runs.flat().length
    if (runs > 0) push(`  .runs = runs_${i},`, `  .n_runs = ${runs},`)
    push('};')
  }
  push('const on_segmentation *const on_segmentations[] = {')
  for (const i of compiled.keys()) push(`  &set_${i},`)
  push('  NULL,', '};', '')
  return lines.join('\n')
}

const args = process.argv.slice(2)
const at = args.indexOf('--out')
if (at < 0 || at + 1 >= args.length || args.length < 3) {
  console.error('usage: compile-segmentation.mjs --out FILE.c DATA.txt ...')
  process.exit(2)
}
const [out] = args.splice(at, 2).slice(1)
try {
  const sets = args.map((path) => ({ name: basename(path, '.txt'), set: parse(path) }))
  writeFileSync(out, emit(sets))
} catch (error) {
  if (!(error instanceof Mistake)) throw error
  console.error(error.message)
  process.exit(1)
}
