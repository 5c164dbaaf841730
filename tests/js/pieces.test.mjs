// The tokenizers of src/pieces against the library that made their format (npm `tokenizers`, Rust): equal ids and
// offsets on thousands of texts in many scripts, with each of the small tokenizers of tests/fixtures/pieces.
// ONENLP_TOKENIZERS may name further tokenizer.json files, separated by ':'.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { before, test } from 'node:test'
import tokenizers from 'tokenizers'

import { binaryFolder, build, root } from '../../tools/steps.mjs'
import { temporaryFolder } from './helpers/runtime.mjs'
import { randomNumbers } from './helpers/texts.mjs'

const LEAST_TEXTS = 5000
const fixtures = join(root, 'tests/fixtures/pieces')
const files = [
  ...readdirSync(fixtures).filter((name) => name.endsWith('.json') && name !== 'golden.json').map((name) => join(fixtures, name)),
  ...(process.env.ONENLP_TOKENIZERS ?? '').split(':').filter(Boolean),
]

const SCRIPTS = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Devanagari', 'Bengali',
  'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar',
  'Georgian', 'Hangul', 'Ethiopic', 'Cherokee', 'Canadian_Aboriginal', 'Khmer', 'Mongolian', 'Hiragana', 'Katakana',
  'Bopomofo', 'Han', 'Yi', 'Gothic', 'Deseret', 'Coptic', 'Tifinagh', 'Vai', 'Javanese', 'Nko', 'Balinese', 'Cuneiform',
  'Inherited', 'Common']

// Characters that are younger than the tables of this project (Unicode 15.0) differ by nature. The ranges of the BMP
// and a little beyond where such were added to the scripts above.
const YOUNG = [[0x88f, 0x88f], [0x897, 0x897], [0xc5c, 0xc5c], [0xcdc, 0xcdc], [0x1acf, 0x1aff], [0x1b4e, 0x1b4f],
  [0x1b7f, 0x1b7f], [0x1c89, 0x1c8a], [0x20c1, 0x20cf], [0x2427, 0x2429], [0x2ffc, 0x2fff], [0x31e4, 0x31ef],
  [0xa7cb, 0xa7dc], [0xa7f1, 0xa7f1], [0xfbc3, 0xfbd2], [0xfd90, 0xfdce], [0x10d40, 0x10d8f], [0x10ec2, 0x10efc],
  [0x116d0, 0x116ff]]
const isOld = (c) => !YOUNG.some(([first, last]) => c >= first && c <= last)

const random = randomNumbers(17)
const below = (n) => Math.floor(random() * n)
const pick = (list) => list[below(list.length)]
const joined = (count, separators, make) => Array.from({ length: count }, make).join(pick(separators))

/** The texts of the treebanks, evenly spread over each. */
function treebankTexts(perTreebank) {
  const folder = join(process.env.ONENLP_DATA ?? join(root, 'data'), 'ud')
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const file = ['dev', 'test', 'train'].map((part) => join(folder, name, `${part}.conllu`)).find(existsSync)
    if (!file) return []
    const texts = readFileSync(file, 'utf8').match(/^# text = .*$/gm)?.map((line) => line.slice('# text = '.length)) ?? []
    const step = Math.max(1, Math.floor(texts.length / perTreebank))
    return texts.filter((_, i) => i % step === 0).slice(0, perTreebank)
  })
}

function scriptTexts(perScript) {
  return SCRIPTS.flatMap((script) => {
    const letters = []
    const belongs = new RegExp(`\\p{Script=${script}}`, 'u')
    for (let c = 1; c < 0x12550; c++) if (isOld(c) && belongs.test(String.fromCodePoint(c))) letters.push(c)
    const word = () => String.fromCodePoint(...Array.from({ length: 1 + below(7) }, () => pick(letters)))
    return Array.from({ length: perScript }, () => joined(1 + below(8), [' ', ' ', '  ', '\u3000', ', '], word))
  })
}

const SPECIAL = ['[CLS]', '[SEP]', '[MASK]', ' <mask> ', 'a<mask>b', '<s>', '</s>', '<pad>', '<unk>', '[UNK]', '<bos>',
  '<|endoftext|>', 'Day', 'days', 'dAy', 'éclair', 'ÉCLAIR', 'e\u0301clair', '\u2581', '##ing', '<0x41>', '    ', '\t', '\n\n',
  "don't", "WE'LL", "it'ſ", '1234567', '3.14', 'x_y', 'https://example.org/a?b=c', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'İ', 'ß']
const HARD = [0x300, 0x301, 0x302, 0x323, 0x327, 0x345, 0x344, 0x340, 0xac00, 0x1100, 0x1161, 0x11a8, 0x130, 0x131, 0x49, 0xdf,
  0x1e9e, 0xfb01, 0xfdfa, 0x2126, 0x212b, 0x212a, 0x1f600, 0x1f468, 0x200d, 0x1f469, 0xfe0f, 0x1f1e6, 0x20, 0x20, 0x20, 9, 0xa, 0xd,
  0xa0, 0x200b, 0x200c, 0x2028, 0x2581, 0x3000, 0xfeff, 0xad, 0x61, 0x41, 0x30, 0x660, 0x2e, 0x27, 0x2019, 0x2d, 0x4e00, 0x304b,
  0x3099, 0x309a, 0xff76, 0xff9e, 1, 0x7f, 0x85, 0xfffd, 0xe000, 0xf900, 0x2f800, 0x20000, 0x915, 0x94d, 0x93f, 0xe33, 0xf73, 0xf71,
  0xf72, 0xf74, 0x1ee3, 0x17f, 0x1d15e, 0x1d400, 0xbd, 0xb2, 0x2460, 0x3371, 0x3231, 0x2167, 0x120, 0x10a, 0xc4, 0x2026, 0xff21]

function hardTexts(count) {
  return Array.from({ length: count }, (_, i) => i % 2 === 0
    ? joined(1 + below(7), ['', ' ', '  '], () => pick(SPECIAL))
    : String.fromCodePoint(...Array.from({ length: 1 + below(30) }, () => pick(HARD))))
}

/** Offsets of the library count code points; ours UTF-16 units. */
function asUnits(text, encoding) {
  const units = [0]
  for (const c of text) units.push(units.at(-1) + c.length)
  const offsets = encoding.getOffsets()
  return encoding.getIds().map((id, i) => `${id}:${units[offsets[i][0]]}:${units[offsets[i][1]]} `).join('')
}

const folder = temporaryFolder()
const textFile = folder.path('texts')
let texts = []

before(() => {
  build('release', ['pieces_dump'])
  texts = [...treebankTexts(80), ...scriptTexts(40), ...hardTexts(2200), '', ' ', 'a'.repeat(300), '\u0301'.repeat(50)]
  writeFileSync(textFile, Buffer.concat(texts.map((text) => Buffer.from(`${Buffer.byteLength(text)}\n${text}\n`))))
})

test('the corpus is large and has many scripts', (t) => {
  if (treebankTexts(1).length === 0) t.diagnostic('without the treebanks of ONENLP_DATA')
  else assert.ok(texts.length >= LEAST_TEXTS, `${texts.length} texts`)
})

for (const file of files) {
  test(`${basename(file)}: ids and offsets of the library`, async () => {
    const dump = join(binaryFolder('release'), 'tests/unit/pieces/pieces_dump')
    const { status, stdout, stderr } = spawnSync(dump, [file, textFile], { encoding: 'utf8', maxBuffer: 1 << 30 })
    assert.equal(status, 0, stderr)
    const lines = stdout.split('\n')
    const tokenizer = tokenizers.Tokenizer.fromString(
      JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), truncation: null, padding: null }))
    let different = 0
    for (const [i, text] of texts.entries()) {
      const expected = asUnits(text, await tokenizer.encode(text, null, { addSpecialTokens: false }))
      if (lines[i] === expected) continue
      different++
      if (different === 1) assert.equal(lines[i], expected, JSON.stringify(text))
    }
    assert.equal(different, 0)
  })
}

test('the tables of old character properties are what the library says', (t) => {
  const { status } = spawnSync(process.execPath, [join(root, 'tools/gen-piece-tables.mjs'), '--check'], { stdio: ['ignore', 2, 2] })
  if (status === 77) return t.skip('no Unicode Character Database')
  assert.equal(status, 0)
})
