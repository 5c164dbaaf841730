// The types of onenlp/render are about what it exports, and code that uses them compiles.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import * as render from '../../js/render/index.js'
import * as interact from '../../js/render/interact.js'
import { root, temporaryFolder, unless } from './helpers/runtime.mjs'

const tsc = join(root, 'node_modules/typescript/bin/tsc')

test('every export has a type, and no other name', () => {
  for (const [name, module] of [['index', render], ['interact', interact]]) {
    const typed = [...readFileSync(join(root, `js/render/${name}.d.ts`), 'utf8').matchAll(/^export (?:function|const) (\w+)/gm)].map(([, found]) => found)
    assert.deepEqual(typed.sort(), Object.keys(module).sort())
  }
})

test('code with types compiles, wrong code does not', { skip: unless(tsc) }, () => {
  const folder = temporaryFolder()
  const from = JSON.stringify(join(root, 'js/render/index.js'))
  const good = folder.write('good.mts', `import { renderArcs, sentencesOf, compareSentences, confusionOf, renderConfusion, type DocJson } from ${from}
    import { interact } from ${JSON.stringify(join(root, 'js/render/interact.js'))}
    const doc: DocJson = { text: 'a', tokens: [[0, 1]], head: [0], deprel: ['root'] }
    const svg: string = sentencesOf(doc).map((one) => renderArcs(one, { theme: 'dark', gold: [{ form: 'a', head: 0 }] })).join('')
    const found = compareSentences([{ form: 'a' }], doc)?.[0]?.columns
    const html: string = renderConfusion(confusionOf([[doc, doc]], 'upos'))
    const end: () => void = interact(document.body)
    export { svg, found, html, end }\n`)
  const bad = folder.write('bad.mts', `import { renderArcs } from ${from}\nrenderArcs([{ form: 1 }])\nrenderArcs([], { theme: 'blue' })\n`)
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom', '--skipDefaultLibCheck']
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, good, bad], { encoding: 'utf8' })
  const errors = stdout.split('\n').filter((line) => /error TS/.test(line))
  assert.deepEqual(errors.map((line) => line.match(/(\w+\.mts)\((\d+),.*(TS\d+)/)?.slice(1).join(' ')), ['bad.mts 2 TS2322', 'bad.mts 3 TS2322'])
})
