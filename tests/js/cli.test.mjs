// The npm command.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'

import { loadPipeline } from '../../js/node.js'
import { englishPipeline } from './helpers/english-pipeline.mjs'
import { command, native, temporaryFolder, unless } from './helpers/runtime.mjs'

const folder = temporaryFolder()
const model = folder.write('en.onenlp', englishPipeline())
let nlp

before(async () => {
  nlp = await loadPipeline(model)
})
after(() => nlp.close())

/** Runs the command; stdout and stderr are strings. */
function onenlp(args, { input = '', cwd } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { input, cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
  return { status, stdout, stderr }
}
const annotate = (...args) => onenlp(['annotate', '-m', model, ...args])

describe('annotate', () => {
  test('prints CoNLL-U of a text, and nothing else', () => {
    const { status, stdout, stderr } = annotate('Ada didn\'t stay.')
    assert.equal(stderr, '')
    assert.equal(status, 0)
    assert.equal(stdout, nlp.annotate('Ada didn\'t stay.').toConllu())
    assert.match(stdout, /^# text = Ada didn't stay\.$/m)
    assert.match(stdout, /^2-3\tdidn't\t/m)
    assert.match(stdout, /\n\n$/)
  })

  test('reads standard input and files, in order', () => {
    const one = folder.write('one.txt', 'One cat.\n')
    const gold = folder.write('two.conllu', '# mine = 1\n1\tTwo\t_\t_\t_\t_\t_\t_\t_\t_\n\n')
    const expected = (input) => nlp.annotate(input).toConllu()
    assert.equal(onenlp(['annotate', '-m', model], { input: 'Hello.' }).stdout, expected('Hello.'))
    const { stdout } = onenlp(['annotate', one, '-m', model, '-', gold, 'A text.'], { input: 'Hello.' })
    assert.equal(stdout, expected('One cat.\n') + expected('Hello.') + expected({ conllu: readFileSync(gold) }) + expected('A text.'))
    assert.equal(onenlp(['annotate', '-m', model, '-i', 'conllu'], { input: readFileSync(gold) }).stdout, expected({ conllu: readFileSync(gold) }))
    assert.equal(annotate('-i', 'text', gold).stdout, expected(readFileSync(gold)))
    assert.equal(annotate('-t', one).stdout, expected(one))
    assert.equal(annotate('Word').stdout, expected('Word'))
  })

  test('a file\'s byte-order mark is no text', () => {
    assert.equal(annotate(folder.write('mark.txt', '\ufeffOne cat.\n')).stdout, nlp.annotate('One cat.\n').toConllu())
  })

  test('-o json and jsonl', () => {
    const json = annotate('-o', 'json', 'Ada saw it.', 'And then?').stdout.trimEnd().split('\n').map((line) => JSON.parse(line))
    assert.deepEqual(json, ['Ada saw it.', 'And then?'].map((text) => nlp.annotate(text).toJSON()))
    const jsonl = JSON.parse(annotate('--output=jsonl', 'Ada saw it.').stdout)
    assert.deepEqual(Object.keys(jsonl), ['text', 'tokens'])
  })

  test('-c runs only what it names', () => {
    assert.equal(annotate('-c', 'tagger', 'Ada saw it.').stdout, nlp.annotate('Ada saw it.', { components: ['tagger'] }).toConllu())
    const { status, stderr } = annotate('-c', 'tagger,typo', 'x')
    assert.equal(status, 2)
    assert.match(stderr, /no component 'typo'; it has sentencizer tagger/)
  })

  test('--out writes a file when it is complete', () => {
    const path = folder.path('out.conllu')
    const { status, stdout } = annotate('--out', path, 'Ada saw it.')
    assert.deepEqual([status, stdout], [0, ''])
    assert.equal(readFileSync(path, 'utf8'), nlp.annotate('Ada saw it.').toConllu())
    const failed = folder.path('failed.conllu')
    assert.equal(annotate('--out', failed, 'Ada', folder.path('missing.txt')).status, 1)
    assert.equal(existsSync(failed), false)
    assert.deepEqual(readdirSync(folder.path('.')).filter((name) => name.endsWith('.part')), [])
    chmodSync(path, 0o640)
    assert.equal(annotate('--out', path, 'Bob left.').status, 0)
    assert.equal(statSync(path).mode & 0o777, 0o640)
    assert.equal(annotate('--out', folder.path('no/such/folder'), 'Ada').status, 1)
  })

  test('an input that fails is told, and the next one follows', () => {
    const bad = folder.write('bad.txt', Buffer.from('fine\nnot \xff fine\n', 'latin1'))
    const broken = folder.write('broken.conllu', '1\tx\n')
    const { status, stdout, stderr } = annotate(bad, broken, folder.path('missing.txt'), 'Ada.')
    assert.equal(status, 1)
    assert.equal(stdout, nlp.annotate('Ada.').toConllu())
    const lines = stderr.trimEnd().split('\n')
    assert.equal(lines.length, 3)
    assert.match(lines[0], /^onenlp: .*bad\.txt: line 2: invalid UTF-8 at byte 9/)
    assert.match(lines[1], /^onenlp: .*broken\.conllu: line 1: /)
    assert.match(lines[2], /^onenlp: cannot read .*missing\.txt: there is no such file$/)
  })

  test('a slip in a file name is no text', () => {
    for (const name of ['missing.txt', 'no/such/file', 'x.conllu']) {
      const { status, stdout, stderr } = annotate(name)
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, /there is no such file/)
    }
  })

  test('a reader that goes away early is no error', async () => {
    const text = folder.write('long.txt', 'The cat saw the dogs.\n\n'.repeat(20_000))
    const child = spawn(process.execPath, [command, 'annotate', '-m', model, text], { stdio: ['ignore', 'pipe', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    const started = performance.now()
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.destroy()
    const code = await new Promise((resolve) => child.once('close', resolve))
    assert.equal(stderr, '')
    assert.equal(code, 0)
    // It stopped, and did not work through the rest for nobody.
    assert.ok(performance.now() - started < 30_000)
  })

  test('a pipeline that is none', () => {
    const { status, stderr } = onenlp(['annotate', '-m', command, 'x'])
    assert.equal(status, 1)
    assert.match(stderr, /^onenlp: .*onenlp\.mjs: this is not a pipeline file/)
    assert.match(onenlp(['annotate', '-m', folder.path('missing'), 'x']).stderr, /^onenlp: cannot read .*missing: there is no such file$/m)
  })
})

describe('jobs', () => {
  const paragraphs = ['The cat saw the dogs. They didn\'t stay.', '\tIndented, and\nover two lines. 😀', '  Привет, мир.', '¡Hola!', '\u3000全角', '# sent_id = 7']
  const breaks = ['\n\n', '\r\n\r\n', '\n\n\n', '\n \n', '\r\r', '\n\r\n', '\u2029']
  const long = folder.write('long-text.txt', Array.from({ length: 4000 }, (_, i) =>
    paragraphs[i % paragraphs.length] + breaks[i % breaks.length]).join(''))
  const short = folder.write('short.txt', 'One cat.\n\nTwo.')
  const conllu = folder.write('some.conllu', '1\tTwo\t_\t_\t_\t_\t_\t_\t_\tx=1\n\n'.repeat(900))
  const jsonl = folder.write('some.jsonl', Array.from({ length: 2000 }, (_, i) =>
    `{"text": "Line ${i}. And more.\\n\\nA paragraph.", "tokens": [[0, 4], [5, 9]]}\n{"text": "Bob left ${i}."}\n`).join(''))

  for (const output of ['conllu', 'json', 'jsonl']) {
    test(`the output does not depend on them: ${output}`, () => {
      const args = ['-o', output, long, short, conllu, jsonl, 'A text.']
      const one = annotate('-j', '1', ...args)
      assert.equal(one.status, 0)
      const three = annotate('-j', '3', ...args)
      assert.equal(three.stderr, '')
      assert.equal(three.status, 0)
      assert.ok(three.stdout === one.stdout)
      assert.ok(one.stdout.length > 500_000)
    })
  }

  test('nor on standard input, components, or a file', () => {
    const args = ['annotate', '-m', model, '-c', 'tagger']
    const input = readFileSync(long)
    assert.ok(onenlp([...args, '-j0'], { input }).stdout === onenlp(args, { input }).stdout)
    for (const output of ['conllu', 'json']) {
      const path = folder.path('jobs.out')
      assert.deepEqual(annotate('-j', '2', '-o', output, '--out', path, short, 'A text.'), { status: 0, stdout: '', stderr: '' })
      assert.equal(readFileSync(path, 'utf8'), annotate('-o', output, short, 'A text.').stdout)
    }
  })

  test('an input that fails is told in its turn, with its lines', () => {
    const wrong = folder.write('wrong.jsonl', `${readFileSync(jsonl)}{"text": 1}\n${readFileSync(jsonl)}`)
    const bad = folder.write('bad-late.txt', Buffer.concat([readFileSync(long), Buffer.from([10, 255, 10])]))
    const args = [short, wrong, bad, folder.path('missing.txt'), conllu]
    const one = annotate(...args)
    const three = annotate('-j', '3', ...args)
    assert.equal(three.stderr, one.stderr)
    assert.match(three.stderr, /wrong\.jsonl: line 4001: "text" must be a string/)
    assert.match(three.stderr, /bad-late\.txt: line \d+: invalid UTF-8/)
    assert.deepEqual([one.status, three.status], [1, 1])
    assert.ok(three.stdout === one.stdout)
    const out = folder.path('not.conllu')
    assert.equal(annotate('-j2', '--out', out, short, folder.path('missing.txt')).status, 1)
    assert.deepEqual(readdirSync(folder.path('.')).filter((name) => name.startsWith('not.conllu')), [])
  })

  test('wrong numbers', () => {
    for (const jobs of ['-1', 'x', '257', '1.5', '']) assert.equal(annotate(`--jobs=${jobs}`, 'x').status, 2, jobs)
  })

  test('a reader that goes away early is no error', async () => {
    const child = spawn(process.execPath, [command, 'annotate', '-m', model, '-j', '2', long, long, long], { stdio: ['ignore', 'pipe', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.destroy()
    assert.deepEqual([await new Promise((resolve) => child.once('close', resolve)), stderr], [0, ''])
  })
})

describe('Ctrl-C', () => {
  const text = folder.write('for-long.txt', 'The cat saw the dogs. They didn\'t stay.\n\n'.repeat(200_000))
  const parts = () => readdirSync(folder.path('.')).filter((name) => name.startsWith('stopped'))
  for (const args of [['-j', '1'], ['-j', '2'], ['-j', '1', '-o', 'json']]) {
    test(`annotate ${args.join(' ')} ends by the signal and leaves no file`, async () => {
      const child = spawn(process.execPath, [command, 'annotate', '-m', model, ...args, '--out', folder.path('stopped'), text], { stdio: 'ignore' })
      // Once there is something to take away, or for a while where it comes at the end.
      const until = performance.now() + (args.includes('json') ? 1500 : 60_000)
      while (parts().length === 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
      child.kill('SIGINT')
      const [code, signal] = await new Promise((resolve) => child.once('close', (...how) => resolve(how)))
      assert.deepEqual([code, signal], [null, 'SIGINT'])
      assert.deepEqual(parts(), [])
    })
  }

  test('and with nothing to take away as well', async () => {
    const child = spawn(process.execPath, [command, 'annotate', '-m', model, text], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.resume()
    child.kill('SIGINT')
    assert.equal(await new Promise((resolve) => child.once('close', (_, signal) => resolve(signal))), 'SIGINT')
  })
})

describe('colours and progress', { skip: unless('/usr/bin/script') }, () => {
  /** What the command shows on a terminal, both streams together. */
  const onTerminal = (args, env = {}) => {
    const line = [process.execPath, command, ...args].map((arg) => `'${arg}'`).join(' ')
    return spawnSync('script', ['-qec', line, '/dev/null'], { encoding: 'utf8', env: { ...process.env, TERM: 'xterm', NO_COLOR: '', ...env } }).stdout
  }

  test('colours are for a terminal', () => {
    assert.match(onTerminal(['convert', '--help']), /\x1b\[1mUsage:\x1b\[0m onenlp convert/)
    assert.match(onTerminal(['convert', folder.path('missing')]), /\x1b\[1;31monenlp:\x1b\[0m cannot read/)
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) assert.doesNotMatch(onTerminal(['convert', '--help'], env), /\x1b/)
    for (const args of [['--help'], ['convert', '--help'], ['convert', folder.path('missing')], ['typo']]) {
      const { stdout, stderr } = onenlp(args)
      assert.doesNotMatch(stdout + stderr, /\x1b/)
    }
  })

  test('so is the progress bar, on standard error', () => {
    const text = folder.write('progress.txt', 'The cat saw the dogs. They didn\'t stay.\n\n'.repeat(3000))
    for (const jobs of ['1', '2']) {
      const shown = onTerminal(['annotate', '-m', model, '-j', jobs, '--out', folder.path('shown'), text])
      assert.match(shown, /\r\[[#.]{24}\] +\d+% [\d,]+ words\/s/)
      assert.match(shown, /\x1b\[K\s*$/)
      assert.equal(onTerminal(['annotate', '-q', '-m', model, '-j', jobs, '--out', folder.path('shown'), text]), '')
    }
  })
})

describe('the other commands', () => {
  const conllu = '# sent_id = a\n1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_\n\n'
  const gold = folder.write('gold.conllu', conllu)

  test('inspect', () => {
    assert.equal(onenlp(['inspect', model]).stdout, nlp.inspectText())
    assert.deepEqual(JSON.parse(onenlp(['inspect', '--json', model]).stdout), nlp.inspect())
    assert.equal(onenlp(['inspect']).status, 2)
    assert.equal(onenlp(['inspect', gold]).status, 1)
  })

  test('convert', () => {
    assert.equal(onenlp(['convert', gold]).stdout, conllu)
    assert.equal(onenlp(['convert'], { input: conllu }).stdout, conllu)
    assert.equal(onenlp(['convert', '--to', 'treebank-text', gold]).stdout.trim(), 'Go!')
    const text = 'Ada  saw\tit.\n\nAnd?  '
    assert.equal(onenlp(['convert', '-t', 'text'], { input: nlp.annotate(text).toConllu() }).stdout, text)
    const { status, stderr } = onenlp(['convert'], { input: '1\tx\n' })
    assert.equal(status, 1)
    assert.match(stderr, /^onenlp: standard input: line 1: /)
  })

  test('convert streams, and tells the line', () => {
    const many = folder.write('many.conllu', conllu.repeat(20_000))
    assert.ok(onenlp(['convert', many]).stdout === conllu.repeat(20_000))
    const { status, stdout, stderr } = onenlp(['convert', '-t', 'jsonl', folder.write('late.conllu', `${conllu.repeat(5000)}1\tx\n`), gold])
    assert.equal(status, 1)
    assert.match(stderr, /late\.conllu: line 20001: the line has 2 columns/)
    assert.equal(stdout.trimEnd().split('\n').length, 5001)
    assert.equal(onenlp(['convert', folder.path('.')]).status, 1)
  })

  test('convert --compact stores a pipeline as the native program does', () => {
    const sizes = []
    for (const type of ['f32', 'f16', 'i8']) {
      const out = folder.path(`${type}.onenlp`)
      assert.deepEqual(onenlp(['convert', '--compact', type, '--out', out, model]), { status: 0, stdout: '', stderr: '' })
      sizes.push(readFileSync(out).length)
      assert.equal(onenlp(['annotate', '-m', out, 'Ada.']).status, 0)
      if (!existsSync(native)) continue
      assert.equal(spawnSync(native, ['convert', '--compact', type, '--out', `${out}.native`, model]).status, 0)
      assert.ok(readFileSync(out).equals(readFileSync(`${out}.native`)), type)
    }
    assert.ok(sizes[0] > sizes[1] && sizes[1] > sizes[2], `${sizes}`)
    assert.equal(onenlp(['convert', '--compact', 'f8', model]).status, 2)
    assert.equal(onenlp(['convert', '--compact', 'i8', model, model]).status, 2)
    assert.equal(onenlp(['convert', '--compact', 'i8', '--to', 'text', model]).status, 2)
    assert.match(onenlp(['convert', '-c', 'i8', gold]).stderr, /gold\.conllu: this is not a pipeline file/)
  })

  test('evaluate', () => {
    const scores = JSON.parse(onenlp(['evaluate', '--json', gold, gold]).stdout)
    assert.deepEqual([scores.UPOS.f1, scores.LAS.f1], [1, 1])
    const system = folder.path('system.conllu')
    const { status, stdout } = onenlp(['evaluate', '-m', model, '--gold-tokens', '--system', system, gold])
    assert.equal(status, 0)
    assert.match(stdout, /Tokens .*100\.00/)
    assert.match(readFileSync(system, 'utf8'), /^1\tGo\t/m)
    assert.match(onenlp(['evaluate', '-m', model, gold]).stdout, /UPOS/)
    assert.equal(onenlp(['evaluate', gold]).status, 2)
    assert.equal(onenlp(['evaluate', '-g', gold, gold]).status, 2)
    assert.equal(onenlp(['evaluate', gold, folder.path('missing')]).status, 1)
  })
})

describe('JSON Lines', () => {
  const lines = '{"text": "Ada met Bob.", "entities": [[0, 3, "PER"]]}\n{"text": "Hi there", "tokens": [[0, 2], [3, 8]], "cats": {"greeting": 1}}\n'
  const path = folder.write('lines.jsonl', lines)

  test('each line is a text of its own', () => {
    const { status, stdout } = onenlp(['annotate', '-m', model, '-o', 'jsonl', path])
    assert.equal(status, 0)
    const read = stdout.trimEnd().split('\n').map((line) => JSON.parse(line))
    assert.deepEqual(read.map(({ text, tokens }) => [text, tokens.length]), [['Ada met Bob.', 4], ['Hi there', 2]])
    assert.match(annotate('-i', 'jsonl', '{"text": "One."}').stdout, /^# text = One\.$/m)
    assert.match(onenlp(['annotate', '-m', model, '-i', 'jsonl'], { input: '{"text": 1}\n' }).stderr, /^onenlp: standard input: line 1: /)
  })

  test('are converted and evaluated', () => {
    const conllu = onenlp(['convert', path]).stdout
    assert.match(conllu, /^1\tAda\t/m)
    assert.match(conllu, /NER=B-PER/)
    const back = onenlp(['convert', '--from', 'conllu', '--to', 'jsonl'], { input: conllu }).stdout.trimEnd().split('\n')
    assert.deepEqual(JSON.parse(back[0]).entities, [[0, 3, 'PER']])
    const scores = JSON.parse(onenlp(['evaluate', '--json', path, path]).stdout)
    assert.ok(JSON.stringify(scores).includes('PER'))
    assert.equal(onenlp(['evaluate', '-m', model, path]).status, 0)
    assert.equal(onenlp(['evaluate', '-m', model, '--system', folder.path('no'), path]).status, 2)
  })
})

describe('arguments', () => {
  test('help on standard output, usage errors on standard error', () => {
    assert.match(onenlp(['--help']).stdout, /^Usage: onenlp COMMAND/)
    assert.equal(onenlp(['--help']).status, 0)
    assert.equal(onenlp([]).status, 2)
    assert.equal(onenlp([]).stdout, '')
    for (const name of ['annotate', 'evaluate', 'inspect', 'convert']) {
      const { status, stdout, stderr } = onenlp([name, '--help'])
      assert.deepEqual([status, stderr], [0, ''])
      assert.match(stdout, new RegExp(`^Usage: onenlp ${name}`))
      assert.match(stdout, /Exit status/)
      assert.ok(stdout.split('\n').every((line) => line.length <= 100))
    }
    assert.match(onenlp(['--version']).stdout, /^onenlp \d+\.\d+\.\d+\n$/)
  })

  test('wrong ones exit with 2', () => {
    for (const args of [['typo'], ['annotate', '--typo'], ['annotate', '-m'], ['annotate', '-o', 'xml', '-m', model], ['annotate', '-i', 'xml', '-m', model]]) {
      const { status, stdout, stderr } = onenlp(args)
      assert.deepEqual([status, stdout], [2, ''], args.join(' '))
      assert.match(stderr, /^onenlp/)
    }
  })
})
