// Writes src/pieces/unicode_tables.h: where the character properties that Rust's `tokenizers` works with differ from
// those of Unicode 15.0. Asks that library itself (the npm package, a dev dependency) about every code point.
//
//   node tools/gen-piece-tables.mjs [--check] [--data FOLDER]
//
// FOLDER holds the Unicode Character Database as for tools/gen-unicode.mjs. --check writes nothing and compares with
// the committed file: exit status 0 equal, 1 different, 77 when the database is not there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tokenizers from 'tokenizers'

const MISSING = 77
const HIGHEST_CLASS = '\u0345' // Canonical_Combining_Class 240
const RUN = 256 // code points that one entry of the table covers at most
const target = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'pieces', 'unicode_tables.h')

const args = process.argv.slice(2)
const folder = args.includes('--data')
  ? args[args.indexOf('--data') + 1]
  : (process.env.ONENLP_UNICODE_DATA ?? '/usr/share/unicode')
const file = join(folder, 'UnicodeData.txt')
if (!existsSync(file)) {
  console.error(`gen-piece-tables: no ${file} (Debian package unicode-data)`)
  process.exit(MISSING)
}

const category = new Array(0x110000).fill('Cn')
const normalizes = new Uint8Array(0x110000)
let first = 0
for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
  const [code, name, general, combining, , decomposition] = line.split(';')
  const c = parseInt(code, 16)
  if (name.endsWith('First>')) first = c
  category.fill(general, name.endsWith('Last>') ? first : c, c + 1)
  normalizes[c] = combining !== '0' || decomposition !== '' ? 1 : 0
}

const bert = (cleanText, stripAccents) =>
  tokenizers.bertNormalizer({ cleanText, handleChineseChars: false, stripAccents, lowercase: false })
const clean = bert(true, false)
const strip = bert(false, true)
const marks = tokenizers.stripAccentsNormalizer()
const punctuation = tokenizers.punctuationPreTokenizer()
const nfd = tokenizers.nfdNormalizer()
const nfkd = tokenizers.nfkdNormalizer()

const isAsciiPunctuation = (c) => c > 32 && c < 127 && !/[0-9A-Za-z]/.test(String.fromCodePoint(c))
const isUntouched = (s) =>
  nfd.normalizeString(s) === s &&
  nfkd.normalizeString(s) === s &&
  nfd.normalizeString('a' + HIGHEST_CLASS + s) === 'a' + HIGHEST_CLASS + s

// The order of on_old_set in unicode.h; each says for which code points the library and Unicode 15.0 differ.
const sets = [
  (c, s) => (strip.normalizeString(s) === '') !== (category[c] === 'Mn'),
  (c, s) =>
    punctuation.preTokenizeString(`a${s}a`).length > 1 !== (category[c][0] === 'P' || isAsciiPunctuation(c)),
  (c, s) => (clean.normalizeString(s) === '') !== ['Cc', 'Cf', 'Co'].includes(category[c]),
  (c, s) => (marks.normalizeString(s) === '') !== (category[c][0] === 'M'),
  (c, s) => normalizes[c] === 1 && s !== HIGHEST_CLASS && isUntouched(s),
]

const entries = sets.map((differs) => {
  const list = []
  for (let c = 0; c < 0x110000; c++) {
    if ((c >= 0xd800 && c < 0xe000) || !differs(c, String.fromCodePoint(c))) continue
    const last = list.at(-1)
    if (last && last.first + last.count === c && last.count < RUN) last.count++
    else list.push({ first: c, count: 1 })
  }
  return list
})

const flat = entries.flat().map(({ first, count }) => `0x${(first * RUN + count - 1).toString(16).toUpperCase()}`)
const rows = []
for (let i = 0; i < flat.length; i += 9) rows.push(`  ${flat.slice(i, i + 9).join(', ')},`)
let end = 0
const ends = [0, ...entries.map((list) => (end += list.length))]
const text = `// Written by tools/gen-piece-tables.mjs; not to be edited.
#ifndef ON_PIECES_UNICODE_TABLES_H
#define ON_PIECES_UNICODE_TABLES_H

#include <stdint.h>

// Runs of code points, first * ${RUN} + count - 1, for each on_old_set in turn.
static const uint16_t on_old_from[] = {${ends.join(', ')}};
static const uint32_t on_old_runs[] = {
${rows.join('\n')}
};

#endif
`
if (args.includes('--check')) {
  const same = existsSync(target) && readFileSync(target, 'utf8') === text
  if (!same) console.error('gen-piece-tables: src/pieces/unicode_tables.h differs from what the library says')
  process.exit(same ? 0 : 1)
}
writeFileSync(target, text)
