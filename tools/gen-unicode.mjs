// Writes the tables of src/text out of the Unicode Character Database, version 15.0.
//
//   node tools/gen-unicode.mjs [--check] [--data FOLDER]
//
// FOLDER holds the database as Debian's package unicode-data lays it out (default /usr/share/unicode;
// the environment variable ONENLP_UNICODE_DATA overrides it). --check writes nothing and compares with
// the committed files: exit status 0 equal, 1 different, 77 when the database is not there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = '15.0'
const CODE_POINTS = 0x110000
const MISSING = 77

const textFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'text')

// The order is the order of the enums in C. "Other" first: it is what an unlisted code point has.
// Extended_Pictographic is none of these properties' classes, but rules WB3c and GB11 ask for it: it stands
// out of the classes with which it occurs together.
const WORD_CLASSES = [
  'Other', 'CR', 'LF', 'Newline', 'Extend', 'ZWJ', 'Format', 'Regional_Indicator', 'Katakana', 'Hebrew_Letter',
  'ALetter', 'Single_Quote', 'Double_Quote', 'MidNumLet', 'MidLetter', 'MidNum', 'Numeric', 'ExtendNumLet',
  'WSegSpace', 'Pictographic', 'Pictographic_ALetter',
]
const SENTENCE_CLASSES = [
  'Other', 'CR', 'LF', 'Sep', 'Extend', 'Format', 'Sp', 'Lower', 'Upper', 'OLetter', 'Numeric', 'ATerm',
  'SContinue', 'STerm', 'Close',
]
const GRAPHEME_CLASSES = [
  'Other', 'CR', 'LF', 'Control', 'Extend', 'ZWJ', 'Regional_Indicator', 'Prepend', 'SpacingMark', 'L', 'V', 'T',
  'LV', 'LVT', 'Pictographic',
]
const CATEGORIES = [
  'Cn', 'Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Mn', 'Mc', 'Me', 'Nd', 'Nl', 'No', 'Pc', 'Pd', 'Ps', 'Pe', 'Pi', 'Pf', 'Po',
  'Sm', 'Sc', 'Sk', 'So', 'Zs', 'Zl', 'Zp', 'Cc', 'Cf', 'Cs', 'Co',
]
// Latin, Greek and Cyrillic with their combining marks: the code points whose category and lower case
// have tables of their own, without stages.
const DIRECT_CHARS = 0x530

// The classes of all code points: three stages, in which equal blocks are stored once.
const LEAF_BITS = 5
const MIDDLE_BITS = 5

function parseArguments(args) {
  const options = { check: false, data: process.env.ONENLP_UNICODE_DATA || '/usr/share/unicode' }
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--check') options.check = true
    else if (args[i] === '--data' && i + 1 < args.length) options.data = args[++i]
    else throw new Error(`usage: gen-unicode.mjs [--check] [--data FOLDER]; what is ${args[i]}?`)
  }
  return options
}

// Calls visit(first, last, fields) for each line of a property file.
function readProperty(folder, name, visit) {
  const text = readFileSync(join(folder, name), 'utf8')
  const stamp = /^# \w+-(\d+\.\d+)\.\d+\.txt/.exec(text) ?? /^# Used with Emoji Version (\d+\.\d+)/m.exec(text)
  if (stamp?.[1] !== VERSION) throw new Error(`${join(folder, name)} is of version ${stamp?.[1]}, not ${VERSION}`)
  for (const line of text.split('\n')) {
    const [range, ...fields] = line.replace(/#.*/, '').split(';').map((field) => field.trim())
    if (fields.length === 0) continue
    const [first, last = first] = range.split('..').map((digits) => parseInt(digits, 16))
    visit(first, last, fields)
  }
}

function readClasses(folder, name, classes) {
  const of = new Uint8Array(CODE_POINTS)
  readProperty(folder, name, (first, last, [value]) => {
    const index = classes.indexOf(value)
    if (index < 0) throw new Error(`${name}: unknown class ${value}`)
    of.fill(index, first, last + 1)
  })
  return of
}

// `pictographic` says which class stands for which class and Extended_Pictographic.
function readPictographicClasses(folder, name, classes, pictographic) {
  const of = readClasses(folder, name, classes)
  readProperty(folder, 'emoji/emoji-data.txt', (first, last, [value]) => {
    if (value !== 'Extended_Pictographic') return
    for (let c = first; c <= last; c++) {
      const both = classes.indexOf(pictographic[classes[of[c]]])
      if (both < 0) throw new Error(`U+${c.toString(16)}: ${classes[of[c]]} and Extended_Pictographic`)
      of[c] = both
    }
  })
  return of
}

const codePoints = (digits) => digits.split(' ').map((each) => parseInt(each, 16))

function readCharacters(folder) {
  const category = new Uint8Array(CODE_POINTS)
  const lower = Uint32Array.from({ length: CODE_POINTS }, (_, c) => c)
  const upper = lower.slice()
  let rangeStart = null
  for (const line of readFileSync(join(folder, 'UnicodeData.txt'), 'utf8').trimEnd().split('\n')) {
    const fields = line.split(';')
    const c = parseInt(fields[0], 16)
    category.fill(CATEGORIES.indexOf(fields[2]), rangeStart ?? c, c + 1)
    rangeStart = fields[1].endsWith(', First>') ? c : null
    if (fields[12]) upper[c] = parseInt(fields[12], 16)
    if (fields[13]) lower[c] = parseInt(fields[13], 16)
  }
  return { category, lower, upper }
}

// Splits values into blocks of 2^bits; returns the distinct blocks, in order of appearance, and which
// block stands where.
function blocksOf(values, bits) {
  const known = new Map()
  const distinct = []
  const index = []
  for (let at = 0; at < values.length; at += 1 << bits) {
    const block = Array.from(values.slice(at, at + (1 << bits)))
    const key = block.join()
    if (!known.has(key)) {
      known.set(key, known.size)
      distinct.push(...block)
    }
    index.push(known.get(key))
  }
  return { distinct, index }
}

// The values (of 8 bits) of all code points in three stages: the arrays as arguments of cArray, and the lookup of c in C.
function trie(name, values) {
  const leaf = blocksOf(values, LEAF_BITS)
  const middle = blocksOf(leaf.index, MIDDLE_BITS)
  const arrays = [
    ['uint8_t', `${name}_top`, middle.index],
    ['uint16_t', `${name}_middle`, middle.distinct],
    ['uint8_t', `${name}_leaf`, leaf.distinct],
  ]
  const lookup = `  uint32_t middle = ${name}_top[c >> ${LEAF_BITS + MIDDLE_BITS}];
  uint32_t leaf = ${name}_middle[middle << ${MIDDLE_BITS} | (c >> ${LEAF_BITS} & ${(1 << MIDDLE_BITS) - 1})];
  return ${name}_leaf[leaf << ${LEAF_BITS} | (c & ${(1 << LEAF_BITS) - 1})];
`
  return { leaf, middle, arrays, lookup }
}

const declare = (arrays) => arrays.map(([type, name, values]) => `extern const ${type} ${name}[${values.length}];\n`).join('')

function cArray(type, name, values) {
  const lines = []
  let line = ' '
  for (const value of values) {
    const next = ` ${value},`
    if (line.length + next.length > 116) {
      lines.push(line)
      line = ' '
    }
    line += next
  }
  lines.push(line)
  return `const ${type} ${name}[${values.length}] = {\n${lines.join('\n')}\n};\n`
}

function cEnum(prefix, names) {
  const items = names.map((name) => `  ${prefix}_${name.toUpperCase()},\n`).join('')
  return `enum {\n${items}  ${prefix}_COUNT\n};\n`
}

const NOTICE =
  `// Written by tools/gen-unicode.mjs out of the Unicode Character Database ${VERSION}; not to be edited.\n`

function breakTables(folder) {
  const word = readPictographicClasses(folder, 'auxiliary/WordBreakProperty.txt', WORD_CLASSES,
    { Other: 'Pictographic', ALetter: 'Pictographic_ALetter' })
  const sentence = readClasses(folder, 'auxiliary/SentenceBreakProperty.txt', SENTENCE_CLASSES)
  const grapheme = readPictographicClasses(folder, 'auxiliary/GraphemeBreakProperty.txt', GRAPHEME_CLASSES,
    { Other: 'Pictographic' })
  const kinds = []
  const kindOf = new Map()
  const value = new Uint8Array(CODE_POINTS)
  for (let c = 0; c < CODE_POINTS; c++) {
    const key = `${word[c]} ${sentence[c]} ${grapheme[c]}`
    if (!kindOf.has(key)) {
      kindOf.set(key, kinds.length)
      kinds.push([word[c], sentence[c], grapheme[c]])
    }
    value[c] = kindOf.get(key)
  }
  const { leaf, middle, arrays, lookup } = trie('on_break', value)
  // As long as no block came twice, the leaves are in the order of the code points.
  let direct = 0
  while (leaf.distinct[direct] === value[direct]) direct++
  if (direct < 0x80) throw new Error('the ASCII characters cannot be looked up directly')

  const header = `${NOTICE}#ifndef ON_TEXT_BREAK_TABLES_H
#define ON_TEXT_BREAK_TABLES_H

#include <stdint.h>

// Word_Break. Characters that are Extended_Pictographic as well stand apart (rule WB3c).
${cEnum('ON_WB', WORD_CLASSES)}
// Sentence_Break.
${cEnum('ON_SB', SENTENCE_CLASSES)}
// Grapheme_Cluster_Break. Extended_Pictographic stands apart from Other (rule GB11).
${cEnum('ON_GCB', GRAPHEME_CLASSES)}
enum {
  ON_BREAK_DIRECT = 0x${direct.toString(16).toUpperCase()},  // on_break_leaf[c] is the kind of every c below this
  ON_BREAK_KINDS = ${kinds.length}  // combinations of the three classes that occur
};

// The classes of a kind.
extern const uint8_t on_break_word_class[ON_BREAK_KINDS];
extern const uint8_t on_break_sentence_class[ON_BREAK_KINDS];
extern const uint8_t on_break_grapheme_class[ON_BREAK_KINDS];

${declare(arrays)}
// The kind of c, which is at most U+10FFFF.
static inline uint8_t on_break_kind(uint32_t c) {
  if (c < ON_BREAK_DIRECT) return on_break_leaf[c];
${lookup}}

#endif
`
  const source = [
    `${NOTICE}#include "text/break_tables.h"\n`,
    cArray('uint8_t', 'on_break_word_class', kinds.map((kind) => kind[0])),
    cArray('uint8_t', 'on_break_sentence_class', kinds.map((kind) => kind[1])),
    cArray('uint8_t', 'on_break_grapheme_class', kinds.map((kind) => kind[2])),
    ...arrays.map((array) => cArray(...array)),
  ].join('\n')
  return { 'break_tables.h': header, 'break_tables.c': source }
}

// What characters are, beside their classes: a kind is a category and what case mappings add.
function charTables(characters) {
  const { category, lower, upper } = characters
  const kinds = []
  const kindOf = new Map()
  const value = new Uint8Array(CODE_POINTS)
  for (let c = 0; c < CODE_POINTS; c++) {
    const kind = [category[c], lower[c] - c, upper[c] - c]
    if (!kindOf.has(kind.join())) kindOf.set(kind.join(), kinds.push(kind) - 1)
    value[c] = kindOf.get(kind.join())
  }
  if (kinds.length > 256) throw new Error(`${kinds.length} kinds of characters do not fit into a byte`)
  const { arrays, lookup } = trie('on_char', value)
  arrays.push(
    ['uint8_t', 'on_char_category_of', kinds.map((kind) => kind[0])],
    ['int32_t', 'on_char_lower_adds', kinds.map((kind) => kind[1])],
    ['int32_t', 'on_char_upper_adds', kinds.map((kind) => kind[2])])
  const header = `${NOTICE}#ifndef ON_TEXT_CHAR_TABLES_H
#define ON_TEXT_CHAR_TABLES_H

#include <stdint.h>

// General_Category.
${cEnum('ON_GC', CATEGORIES)}
enum { ON_CHAR_DIRECT = 0x${DIRECT_CHARS.toString(16).toUpperCase()} };  // the tables cover what is below this

extern const uint8_t on_char_category[ON_CHAR_DIRECT];
extern const uint16_t on_char_lower[ON_CHAR_DIRECT];  // the simple lower-case mapping, or the character itself

// All characters; those of a kind have the category on_char_category_of[kind], and case mappings add
// on_char_lower_adds[kind] and on_char_upper_adds[kind].
${declare(arrays)}
// The kind of c, which is at most U+10FFFF.
static inline uint8_t on_char_kind(uint32_t c) {
${lookup}}

#endif
`
  const source = [
    `${NOTICE}#include "text/char_tables.h"\n`,
    cArray('uint8_t', 'on_char_category', category.slice(0, DIRECT_CHARS)),
    cArray('uint16_t', 'on_char_lower', lower.slice(0, DIRECT_CHARS)),
    ...arrays.map((array) => cArray(...array)),
  ].join('\n')
  return { 'char_tables.h': header, 'char_tables.c': source }
}

// Full case folding (statuses C and F), where it is not the simple lower-case mapping.
function foldTables(folder, { lower }) {
  const folding = Uint32Array.from({ length: CODE_POINTS }, (_, c) => c)
  const full = new Map()
  readProperty(folder, 'CaseFolding.txt', (c, _, [status, mapping]) => {
    const parts = codePoints(mapping)
    if (status === 'F') full.set(c, parts)
    if (status === 'C') folding[c] = parts[0]
  })
  const rows = []
  for (let c = 0; c < CODE_POINTS; c++) {
    const parts = full.get(c) ?? [folding[c]]
    if (parts.length === 1 && parts[0] === lower[c]) continue
    if (Math.max(c, ...parts) > 0xffff || parts.length > 3) throw new Error(`U+${c.toString(16)} folds out of the BMP, or long`)
    rows.push([c, ...parts, 0, 0].slice(0, 4))
  }
  const header = `${NOTICE}#ifndef ON_TEXT_FOLD_TABLES_H
#define ON_TEXT_FOLD_TABLES_H

#include <stdint.h>

enum { ON_FOLD_ROWS = ${rows.length} };

// Characters that do not fold to their simple lower case, in order: a character and what it folds to, 0 behind that.
extern const uint16_t on_fold_rows[ON_FOLD_ROWS * 4];

#endif
`
  return {
    'fold_tables.h': header,
    'fold_tables.c': `${NOTICE}#include "text/fold_tables.h"\n\n${cArray('uint16_t', 'on_fold_rows', rows.flat())}`,
  }
}

function allTables(folder) {
  const characters = readCharacters(folder)
  return {
    ...breakTables(folder),
    ...charTables(characters),
    ...foldTables(folder, characters),
  }
}

const options = parseArguments(process.argv.slice(2))
if (!existsSync(join(options.data, 'UnicodeData.txt'))) {
  console.error(`no Unicode Character Database in ${options.data} (Debian: package unicode-data)`)
  process.exit(MISSING)
}
let differing = 0
for (const [name, text] of Object.entries(allTables(options.data))) {
  const path = join(textFolder, name)
  if (!options.check) {
    writeFileSync(path, text)
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`src/text/${name} is not what tools/gen-unicode.mjs writes`)
    differing++
  }
}
process.exit(differing ? 1 : 0)
