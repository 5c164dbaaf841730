// The npm packages of pipelines, packages/onenlp-model-*: each is a row of the table below, made of the pipeline's file and
// card in models/. Of these there is no second copy in the repository: npm's prepack puts the pipeline and the README in,
// unless the pipeline is another one than the package was made for.
//
//   node tools/model-packages.mjs            write the packages anew: to be run when a pipeline or the table changes
//   node tools/model-packages.mjs --check    tell what differs
//   node tools/model-packages.mjs --pack     from the folder of a package (npm runs it): check, and put the pipeline in

import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { StepFailed, root, runMain, say } from './steps.mjs'

/** A row a package: models/<id>.onenlp and models/<id>.md. A new pipeline needs a new version here. */
export const packages = [
  { id: 'en', version: '0.3.0', language: 'en', license: 'CC-BY-SA-4.0', description: 'English pipeline for onenlp: tokens, sentences, tags, features, lemmas, dependencies, entities' },
  { id: 'en-small', version: '0.2.0', language: 'en', license: 'CC-BY-SA-4.0', description: 'Small fast English pipeline for onenlp: tokens, sentences, part of speech, lemmas' },
  { id: 'en-fast', version: '0.2.0', language: 'en', license: 'CC-BY-SA-4.0', description: 'Fast English pipeline for onenlp: tokens, sentences, tags, features, lemmas, dependencies, entities' },
  { id: 'en-intents', version: '0.1.0', language: 'en', license: 'CC-BY-3.0', description: 'English intents of chat and forms for onenlp: 150 categories' },
  { id: 'pt', version: '0.2.0', language: 'pt', license: 'CC-BY-SA-4.0', description: 'Portuguese pipeline for onenlp: tokens, sentences, tags, features, lemmas, dependencies, entities' },
  { id: 'fr', version: '0.2.0', language: 'fr', license: 'LGPLLR', description: 'French pipeline for onenlp: tokens, sentences, tags, features, lemmas, dependencies' },
  { id: 'el', version: '0.2.0', language: 'el', license: 'CC-BY-SA-4.0', description: 'Greek pipeline for onenlp: tokens, sentences, tags, features, lemmas, dependencies' },
  { id: 'uk', version: '0.2.0', language: 'uk', license: 'CC-BY-SA-4.0', description: 'Ukrainian pipeline for onenlp: tokens, sentences, tags, features, lemmas, dependencies' },
]

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
const nameOf = ({ id }) => `onenlp-model-${id}`
const folderOf = (row) => join(root, 'packages', nameOf(row))
const modelOf = ({ id }) => join(root, 'models', `${id}.onenlp`)

const json = (value) => `${JSON.stringify(value, null, 2)}\n`

const typesOf = ({ id, language }) => `// Types of ${nameOf({ id })}.

// The global class where the program's libraries know it.
type Url = typeof globalThis extends { URL: { prototype: infer T } } ? T : never

/** Where the pipeline file is: for loadPipeline or fetch. Bundlers take the file along. */
export declare const url: Url
/** The file's SHA-256, for loadPipeline's option of that name. */
export declare const sha256: string
/** The file's size in bytes. */
export declare const size: number
export declare const language: '${language}'
`

/** What the card says, below the heading; links into the repository are none in a package. */
const cardOf = ({ id }) => readFileSync(join(root, 'models', `${id}.md`), 'utf8').replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')

function readmeOf(row) {
  const name = nameOf(row)
  const [title, ...rest] = cardOf(row).split('\n')
  return `# ${name}

A pipeline for onenlp: ${title.replace(/^# [^:]*: /, '')}.

\`\`\`js
import { loadPipeline } from 'onenlp'
import { sha256, url } from '${name}'

const nlp = await loadPipeline(url, { sha256 })
\`\`\`

\`url\` is a file in Node, Deno and Bun; Vite, webpack and other bundlers that know \`new URL('./file', import.meta.url)\` take
the file along. Where the file must be named, it is \`${name}/${row.id}.onenlp\` (a Worker of Cloudflare imports it as data).
In browsers, \`cache: true\` keeps it.
${rest.join('\n')}`
}

/** The package's files in the repository, by name. */
function filesOf(row) {
  const { id, version, language, license, description } = row
  const model = readFileSync(modelOf(row))
  const hash = sha256(model)
  const target = (kind) => ({ types: `./index.d.${kind === 'cjs' ? 'cts' : 'ts'}`, default: `./index.${kind}` })
  return {
    'package.json': json({
      name: nameOf(row), version, description, license, type: 'module',
      main: './index.cjs', types: './index.d.ts',
      exports: {
        '.': { node: { import: target('js'), require: target('cjs') }, default: target('js') },
        [`./${id}.onenlp`]: `./${id}.onenlp`,
        './package.json': './package.json',
      },
      files: ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts', `${id}.onenlp`],
      sideEffects: false,
      scripts: { prepack: 'node ../../tools/model-packages.mjs --pack' },
    }),
    'index.js': `// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./${id}.onenlp', import.meta.url)
export const sha256 = '${hash}'
export const size = ${model.length}
export const language = '${language}'
`,
    'index.cjs': `'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./${id}.onenlp', pathToFileURL(__filename)),
  sha256: '${hash}',
  size: ${model.length},
  language: '${language}',
}
`,
    'index.d.cts': typesOf(row),
    'index.d.ts': 'export * from \'./index.cjs\'\n',
  }
}

/** The files in the repository that are not what the models and the table make of them. */
function differences(row) {
  const folder = folderOf(row)
  return Object.entries(filesOf(row)).map(([name, content]) => [join(folder, name), content])
    .filter(([path, content]) => !existsSync(path) || readFileSync(path, 'utf8') !== content)
}

function check(rows) {
  const stale = rows.flatMap(differences).map(([path]) => relative(root, path))
  if (stale.length === 0) return
  throw new StepFailed(`${stale.join(', ')} ${stale.length === 1 ? 'is' : 'are'} not made from models/ as it is; run node tools/model-packages.mjs`)
}

function pack() {
  const row = packages.find((row) => nameOf(row) === basename(process.cwd()))
  if (!row) throw new StepFailed('--pack is for the folder of a package')
  check([row])
  const target = join(process.cwd(), `${row.id}.onenlp`)
  copyFileSync(modelOf(row), `${target}.part`)
  renameSync(`${target}.part`, target)
  writeFileSync(join(process.cwd(), 'README.md'), readmeOf(row))
}

function write() {
  for (const row of packages) {
    mkdirSync(folderOf(row), { recursive: true })
    for (const [path, content] of differences(row)) {
      writeFileSync(path, content)
      say(`wrote ${relative(root, path)}`)
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(() => {
    const [what = 'write', ...others] = process.argv.slice(2)
    if (others.length > 0 || !['write', '--check', '--pack'].includes(what)) {
      say('usage: node tools/model-packages.mjs [--check | --pack]')
      return 2
    }
    if (what === 'write') write()
    else if (what === '--check') check(packages)
    else pack()
  })
}
