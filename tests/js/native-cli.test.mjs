// The program build/native/onenlp, as a shell would run it, with a small pipeline of pseudo-random weights.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { tinyConfig, tinyPipeline, tinyTensors } from './helpers/tiny-pipeline.mjs'

const program = process.env.ONENLP_PROGRAM ?? fileURLToPath(new URL('../../build/native/onenlp', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'onenlp-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const file = (name, content) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const model = file('tiny.onenlp', tinyPipeline())

/** Runs the program to its end. */
function run(args, input = '') {
  const { status, stdout, stderr } = spawnSync(program, args, { input, maxBuffer: 1 << 28 })
  return { status, stdout: stdout.toString(), stderr: stderr.toString(), bytes: stdout }
}

const text = "Don't panic. The cat sat.\n\nSecond  paragraph\there.\n"
const input = file('a.txt', text)
const rows = (conllu) => conllu.split('\n').filter((line) => /^\d/.test(line)).map((line) => line.split('\t'))

test('help, version and wrong arguments', () => {
  for (const args of [['--help'], ['help'], ['annotate', '--help'], ['convert', '-h'], ['evaluate', '--help'], ['inspect', '--help'], ['train', '--help']]) {
    const { status, stdout, stderr } = run(args)
    assert.equal(status, 0, args.join(' '))
    assert.match(stdout, /^Usage: onenlp /)
    assert.equal(stderr, '')
    for (const line of stdout.split('\n')) assert.ok(line.length <= 110, line)
  }
  assert.match(run(['--version']).stdout, /^onenlp \d+\.\d+\.\d+\n$/)
  for (const [args, message] of [
    [[], /Usage/],
    [['dance'], /no command 'dance'/],
    [['annotate'], /a pipeline is needed/],
    [['annotate', '-m'], /-m needs a value/],
    [['annotate', '--nonsense'], /no option --nonsense/],
    [['annotate', '-m', model, '-Z'], /no option -Z/],
    [['annotate', '-m', model, '-o', 'xml'], /one of conllu, json, jsonl/],
    [['annotate', '-m', model, '-j', 'many'], /whole number from 0 to/],
    [['annotate', '-m', model, '--quiet=yes'], /takes no value/],
    [['annotate', '-m', model, '-c', 'tagger,oracle'], /no component 'oracle'; it has sentencizer tagger morphologizer/],
    [['convert', '--to', 'pdf'], /one of conllu, text/],
    [['inspect'], /one pipeline file is wanted/],
    [['evaluate', input], /want a pipeline/],
    [['evaluate', '--gold-tokens', input, input], /need -m/],
  ]) {
    const { status, stdout, stderr } = run(args)
    assert.equal(status, 2, args.join(' '))
    assert.match(stderr, message)
    assert.equal(stdout, '')
  }
})

test('annotate: standard input, files and "-" give the same', () => {
  const { status, stdout, stderr } = run(['annotate', '-m', model], text)
  assert.equal(status, 0)
  assert.equal(stderr, '')
  assert.equal(run(['annotate', '--model', model, '-o', 'conllu', '-'], text).stdout, stdout)
  assert.equal(run(['annotate', '-m', model, input]).stdout, stdout)
  assert.equal(run(['annotate', input, '-m', model]).stdout, stdout)
  assert.ok(stdout.startsWith("# newpar\n# sent_id = 1\n# text = Don't panic.\n1-2\tDon't\t_\t"))
  const words = rows(stdout)
  assert.deepEqual(words.map((row) => row[1]), ["Don't", 'Do', "n't", 'panic', '.', 'The', 'cat', 'sat', '.', 'Second', 'paragraph', 'here', '.'])
  for (const row of words.slice(1)) {
    assert.equal(row.length, 10)
    assert.match(row[3], /^(NOUN|VERB|DET|PUNCT)$/)
    assert.match(row[4], /^(NN|VB|DT|\.)$/)
  }
})

test('annotate: JSON and JSON Lines, one line an input', () => {
  const second = file('b.txt', 'Empty?')
  const lines = run(['annotate', '-m', model, '-o', 'json', input, second]).stdout.split('\n')
  assert.equal(lines.length, 3)
  const [first, last] = lines.slice(0, 2).map((line) => JSON.parse(line))
  assert.equal(first.text, text)
  assert.equal(last.text, 'Empty?')
  assert.equal(first.tokens.length, first.upos.length)
  assert.deepEqual(first.tokens.map(([start, end]) => text.slice(start, end)), first.form)
  assert.deepEqual(first.ranges, [[0, 2, "Don't"]])
  assert.deepEqual(first.sentences[0], [0, 4])
  const plain = JSON.parse(run(['annotate', '-m', model, '-o', 'jsonl', input]).stdout)
  assert.deepEqual(Object.keys(plain), ['text', 'tokens'])
  assert.deepEqual(plain.tokens, first.tokens)
  assert.deepEqual(JSON.parse(run(['annotate', '-m', model, '-o', 'json'], '').stdout).tokens, [])
})

test('annotate: components by name', () => {
  const words = rows(run(['annotate', '-m', model, '-c', 'tagger', input]).stdout)
  assert.ok(words.slice(1).every((row) => row[3] === '_' && row[4] !== '_'))
})

test('annotate: CoNLL-U keeps its tokens, sentences, comments and MISC', () => {
  const gold = '# mine = kept\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tx=1\n1\tde\tde\tX\tX\t_\t3\tcase\t_\tGloss=of\n2\tel\t_\tX\tX\t_\t3\tdet\t_\t_\n3\tmar\t_\tX\tX\t_\t0\troot\t_\t_\n\n'
  const path = file('gold.conllu', gold)
  const { stdout } = run(['annotate', '-m', model, path])
  const blank = (row) => row.map((value, i) => (i > 2 && i < 6 ? '' : value))
  assert.ok(stdout.startsWith('# mine = kept\n'))
  assert.deepEqual(rows(stdout).map(blank), rows(gold).map(blank))
  assert.ok(rows(stdout).slice(1).every((row) => row[3] !== 'X' && row[4] !== 'X'))
  assert.equal(run(['annotate', '-m', model, '-i', 'conllu'], gold).stdout, stdout)
})

test('annotate: what fails is told with file and line, and the next input follows', () => {
  const bad = file('bad.txt', Buffer.concat([Buffer.from('fine\nnot '), Buffer.from([0xff]), Buffer.from('\n')]))
  const broken = file('broken.conllu', '1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tb\n\n')
  const { status, stdout, stderr } = run(['annotate', '-m', model, bad, join(folder, 'nowhere.txt'), broken, input])
  assert.equal(status, 1)
  const lines = stderr.trim().split('\n')
  assert.equal(lines.length, 3)
  assert.match(lines[0], /bad\.txt: line 2: /)
  assert.match(lines[1], /nowhere\.txt: No such file/)
  assert.match(lines[2], /broken\.conllu: line 3: /)
  assert.equal(stdout, run(['annotate', '-m', model, input]).stdout)
})

test('annotate: the number of threads changes nothing', () => {
  const sentence = "It's a cat, isn't it? Yes (of course). "
  const paragraphs = Array.from({ length: 700 }, (_, i) => `${i} ${sentence.repeat(1 + (i % 9))}`)
  const long = file('long.txt', paragraphs.join('\n\n'))
  // A head that judges the whole text, over all of its blocks.
  const judging = file('judging.onenlp', tinyPipeline({
    config: tinyConfig((config) => config.components.push({
      name: 'topic', type: 'head', kind: 'textcat', encoder: 0, config: { multi_label: false, hidden: 0, labels: ['a', 'b', 'c'] },
    })),
    tensors: [...tinyTensors, ['head2.output.weight', [3, 8]], ['head2.output.bias', [3]]],
  }))
  const { cats } = JSON.parse(run(['annotate', '-m', judging, '-o', 'json', long]).stdout)
  assert.ok(Math.abs(cats.a + cats.b + cats.c - 1) < 1e-6)
  for (const format of ['conllu', 'json']) {
    const args = ['annotate', '-m', judging, '-o', format, long, input, long]
    const one = run(args)
    assert.equal(one.status, 0)
    for (const jobs of ['2', '5', '0']) assert.ok(one.bytes.equals(run([...args, '-j', jobs]).bytes), `${format} -j ${jobs}`)
  }
  const conllu = file('long.conllu', run(['annotate', '-m', model, long]).stdout)
  assert.ok(run(['convert', '--to', 'text', conllu]).bytes.equals(readFileSync(long)))
  // Its own output, taken as gold tokens, is annotated the same: the units are the same.
  assert.equal(run(['annotate', '-m', model, conllu]).stdout, readFileSync(conllu).toString())
})

test('annotate --out: the file appears complete, or not at all', () => {
  const out = join(folder, 'out.conllu')
  assert.equal(run(['annotate', '-m', model, '--out', out, input]).stdout, '')
  assert.equal(readFileSync(out).toString(), run(['annotate', '-m', model, input]).stdout)
  chmodSync(out, 0o640)
  const bad = file('bad2.txt', Buffer.from([0xc0]))
  assert.equal(run(['annotate', '-m', model, '--out', out, bad]).status, 1)
  assert.equal(readFileSync(out).toString(), run(['annotate', '-m', model, input]).stdout)
  assert.equal(run(['annotate', '-m', model, '--out', out, input, input]).status, 0)
  assert.equal(statSync(out).mode & 0o777, 0o640)
  assert.ok(readdirSync(folder).every((name) => !name.startsWith('out.conllu.')))
  const { status, stderr } = run(['annotate', '-m', model, '--out', join(folder, 'no/such/folder'), input])
  assert.equal(status, 1)
  assert.match(stderr, /cannot write .*no\/such\/folder/)
})

test('a reader that goes away ends the program quietly', async () => {
  const long = file('pipe.txt', 'The cat sat on the mat.\n\n'.repeat(200000))
  const child = spawn(program, ['annotate', '-m', model, '-j', '2', long], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  child.stdout.once('data', () => child.stdout.destroy())
  const [status, signal] = await new Promise((resolve) => child.on('close', (...how) => resolve(how)))
  assert.deepEqual([status, signal, stderr], [0, null, ''])
})

test('a full disk is an error', { skip: !existsSync('/dev/full') && 'no /dev/full' }, () => {
  const { status, stderr } = spawnSync('sh', ['-c', `"${program}" annotate -m "${model}" "${input}" > /dev/full`])
  assert.equal(status, 1)
  assert.match(stderr.toString(), /cannot write standard output/)
})

test('no progress bar where standard error is no terminal', () => {
  const long = file('bar.txt', 'The cat sat on the mat.\n\n'.repeat(20000))
  assert.equal(run(['annotate', '-m', model, '--out', join(folder, 'bar.conllu'), long]).stderr, '')
})

test('convert: CoNLL-U comes back byte for byte, and as text', () => {
  const conllu = run(['annotate', '-m', model, input]).stdout
  const path = file('round.conllu', conllu)
  assert.equal(run(['convert', '--from', 'conllu', '--to', 'conllu', path]).stdout, conllu)
  assert.equal(run(['convert'], conllu).stdout, conllu)
  assert.equal(run(['convert', '--to', 'text', path]).stdout, text)
  assert.equal(run(['convert', '--to', 'treebank-text'], '# newdoc\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n# newpar\n1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n').stdout, 'a b\n\nc')
  const { status, stderr } = run(['convert', '-'], '1\ta\tb\n')
  assert.equal(status, 1)
  assert.match(stderr, /^onenlp: standard input: line 1: /)
})

test('JSON Lines: annotated and converted', () => {
  const lines = '{"text": "Ada met Bob. He left.", "tokens": [[0, 3], [4, 7], [8, 12], [13, 15], [16, 21]], "entities": [[0, 3, "PER"]]}\n'
  const path = file('a.jsonl', lines)
  const json = JSON.parse(run(['annotate', '-m', model, '-o', 'json', path]).stdout)
  assert.deepEqual(json.tokens, JSON.parse(lines).tokens)
  assert.equal(json.upos.length, 5)
  assert.equal(run(['annotate', '-m', model, '-o', 'json', '-i', 'jsonl'], lines).stdout, run(['annotate', '-m', model, '-o', 'json', path]).stdout)
  const conllu = run(['convert', path]).stdout
  assert.match(conllu, /^# newdoc\n# sent_id = 1\n# text = Ada met Bob\. He left\.\n1\tAda\t.*NER=B-PER\n/)
  // CoNLL-U brings its columns along, so that it comes back as it was
  const back = run(['convert', '--to', 'jsonl'], conllu).stdout
  const { text, tokens, entities } = JSON.parse(back)
  assert.deepEqual({ text, tokens, entities }, JSON.parse(lines))
  assert.equal(run(['convert', '--from', 'jsonl'], back).stdout, conllu)
  assert.equal(run(['convert', '--to', 'jsonl', path]).stdout, lines)
  const { status, stderr } = run(['convert', '--from', 'jsonl'], `${lines}{"text": 3}\n`)
  assert.equal(status, 1)
  assert.match(stderr, /^onenlp: standard input: line 2: /)
})

test('inspect: table and JSON', () => {
  const table = run(['inspect', model])
  assert.equal(table.status, 0)
  for (const part of [/language: en/, /tokenizer: uax, data english/, /head tagger over encoder 0, 4 labels: NN VB DT \./, /encoder0\.embed\.weight +F32 +\[512, 8\] +16384/, /7 tensors, 4240 values/, /licence: none/]) {
    assert.match(table.stdout, part)
  }
  const json = JSON.parse(run(['inspect', '--json', model]).stdout)
  assert.deepEqual(json.config, tinyConfig())
  assert.deepEqual(json.tensors.map(({ name, shape }) => [name, shape]), tinyTensors)
  assert.deepEqual(json.metadata, { name: 'tiny', licence: 'none' })
  assert.equal(json.size, statSync(model).size)
  const evil = file('evil.onenlp', tinyPipeline({ metadata: { name: '\u001b[31mred\u009b1m\r\n' } }))
  assert.ok(!/[\u001b\u009b\r]/.test(run(['inspect', evil]).stdout))
})

test('pipelines that cannot be loaded', () => {
  const tensors = tinyTensors.map(([name, shape]) => [name, name === 'head0.output.weight' ? [3, 8] : shape])
  for (const [content, message] of [
    [tinyPipeline({ tensors }), /wrong\.onenlp: tensor head0\.output\.weight: shape \[3, 8\], want \[4, 8\]/],
    [tinyPipeline({ tensors: tinyTensors.slice(1) }), /tensor encoder0\.embed\.weight: missing/],
    [tinyPipeline({ config: tinyConfig((config) => (config.tokenizer.kind = 'magic')) }), /Unsupported tokenizer kind 'magic'/],
    [tinyPipeline().subarray(0, 100), /pipeline file/],
    ['text', /not a pipeline file/],
    ['', /pipeline file/],
  ]) {
    const { status, stderr } = run(['annotate', '-m', file('wrong.onenlp', content), input])
    assert.equal(status, 1)
    assert.match(stderr, message)
  }
})

test('evaluate: a pipeline on raw text and on gold tokens, and two files', () => {
  const gold = file('e.conllu', [
    '# newdoc', '1-2\tDon\'t\t_\t_\t_\t_\t_\t_\t_\t_', '1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_', '2\tn\'t\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_',
    '3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No', '4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_', '', '',
  ].join('\n'))
  const same = JSON.parse(run(['evaluate', '--json', gold, gold]).stdout)
  for (const name of ['Tokens', 'Sentences', 'Words', 'UPOS', 'LAS', 'CLAS', 'BLEX']) assert.equal(same[name].f1, 1, name)
  const raw = run(['evaluate', '-m', model, '--json', gold])
  assert.equal(raw.status, 0, raw.stderr)
  assert.equal(JSON.parse(raw.stdout).Words.f1, 1)
  const system = join(folder, 'system.conllu')
  const tokens = JSON.parse(run(['evaluate', '-m', model, '--gold-tokens', '--json', '--system', system, gold]).stdout)
  assert.equal(tokens.Sentences.f1, 1)
  assert.equal(tokens.LAS, null)  // the pipeline has no parser: the gold tree is not taken for its own
  assert.ok(rows(readFileSync(system).toString()).every((row) => row[6] === '_' && row[2] === '_'))
  assert.match(run(['evaluate', '-m', model, gold]).stdout, /^Metric +\| Precision/)
  const other = file('other.conllu', readFileSync(gold).toString().replace('\tgo\t', '\tgot\t'))
  const { status, stderr } = run(['evaluate', gold, other])
  assert.equal(status, 1)
  assert.match(stderr, /line 5/)
})
