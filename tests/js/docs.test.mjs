// Every example of the documents runs: fenced blocks marked js, cjs or sh. (`js skip` is not run: it
// belongs to a place that is not here; nor is `npm test`, which is what runs this.)

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, test } from 'node:test'

import { englishPipeline } from './helpers/english-pipeline.mjs'
import { command, englishModel, root, temporaryFolder, unless } from './helpers/runtime.mjs'

const folder = temporaryFolder()

// A project that has the package installed and a pipeline at hand.
mkdirSync(folder.path('node_modules/.bin'), { recursive: true })
mkdirSync(folder.path('models'))
symlinkSync(root, folder.path('node_modules/onenlp'))
symlinkSync(command, folder.path('node_modules/.bin/onenlp'))
folder.write('package.json', '{ "private": true }')
const model = existsSync(englishModel) ? readFileSync(englishModel) : englishPipeline()
folder.write('en.onenlp', model)
folder.write('models/en.onenlp', model)
cpSync(join(root, 'packages/onenlp-model-en'), folder.path('node_modules/onenlp-model-en'), { recursive: true })
folder.write('node_modules/onenlp-model-en/en.onenlp', model)

const documents = ['README.md', 'docs/javascript.md'].filter((name) => existsSync(join(root, name)))

function blocksOf(name) {
  const lines = readFileSync(join(root, name), 'utf8').split('\n')
  const blocks = []
  let open = null
  lines.forEach((line, i) => {
    const [, info] = line.match(/^```(.*)$/) ?? []
    if (info === undefined) open?.lines.push(line)
    else if (open) {
      blocks.push(open)
      open = null
    } else open = { line: i + 1, kind: info.split(' ')[0], skip: info.split(' ').includes('skip'), lines: [] }
  })
  assert.equal(open, null, `${name}: a block does not end`)
  return blocks.filter(({ kind, skip }) => ['js', 'cjs', 'sh'].includes(kind) && !skip)
}

for (const name of documents) {
  // The README speaks of the pipeline that comes with the repository.
  describe(name, { skip: name === 'README.md' && unless(englishModel) }, () => {
    for (const { line, kind, lines } of blocksOf(name)) {
      test(`${kind} of line ${line}`, () => {
        const code = `${lines.filter((line) => line !== 'npm test').join('\n')}\n`
        let result
        if (kind === 'sh') {
          // What the README says is typed in a checkout; npm's own banner goes to nobody's pipe.
          const cwd = name === 'README.md' ? root : folder.path('.')
          result = spawnSync('bash', ['-euo', 'pipefail', '-c', code], { cwd, encoding: 'utf8',
            env: { ...process.env, PATH: `${folder.path('node_modules/.bin')}${delimiter}${process.env.PATH}` } })
        } else {
          const file = folder.path(`line-${line}.${kind === 'js' ? 'mjs' : 'cjs'}`)
          writeFileSync(file, code)
          result = spawnSync(process.execPath, [file], { cwd: folder.path('.'), encoding: 'utf8' })
        }
        assert.equal(result.status, 0, `${result.stdout}${result.stderr}`)
        assert.doesNotMatch(result.stderr, /Assertion failed/)
        assert.notEqual(result.stdout, '', 'an example shows something')
      })
    }
  })
}

test('the codes of errors are the module\'s', () => {
  const documented = [...readFileSync(join(root, 'docs/javascript.md'), 'utf8').matchAll(/^\| <a id="([a-z0-9-]+)"><\/a>`([A-Z0-9_]+)`/gm)]
  const header = readFileSync(join(root, 'src/onenlp.h'), 'utf8').match(/enum onenlp_code \{([^}]*)\}/)[1]
  const codes = [...header.matchAll(/^ *ONENLP_([A-Z0-9_]+)/gm)].map(([, code]) => code).filter((code) => code !== 'OK')
  assert.deepEqual(documented.map(([, , code]) => code), codes)
  for (const [, anchor, code] of documented) assert.equal(anchor, code.toLowerCase().replaceAll('_', '-'))
  const types = readFileSync(join(root, 'js/types/index.d.cts'), 'utf8').match(/type ErrorCode =([^/]*)/)[1]
  assert.deepEqual([...types.matchAll(/'([A-Z0-9_]+)'/g)].map(([, code]) => code), codes)
})
