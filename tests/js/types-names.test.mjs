// No public name is missed: what the modules export has a type, what has a type is exported, and the strict program of
// types/ uses each name and each of its members.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { root, unless } from './helpers/runtime.mjs'

const typescript = join(root, 'node_modules/typescript')
const ENTRIES = [
  { name: 'onenlp', types: 'js/types/index.d.cts', modules: ['js/index.js', 'js/node.js'] },
  { name: 'onenlp/formats', types: 'js/types/formats.d.cts', modules: ['js/formats/index.js', 'js/formats/node.js'] },
  { name: 'onenlp/onnxruntime-web', types: 'js/onnx/web.d.ts', modules: ['js/onnx/web.js'] },
  { name: 'onenlp/onnxruntime-node', types: 'js/onnx/node.d.ts', modules: ['js/onnx/node.js'] },
  { name: 'onenlp/render', types: 'js/render/index.d.ts', modules: ['js/render/index.js'] },
  { name: 'onenlp/render/interact.js', types: 'js/render/interact.d.ts', modules: ['js/render/interact.js'] },
]
const PROGRAMS = ['right.mts', 'render.mts']

describe('public names', { skip: unless(typescript) }, async () => {
  const { default: ts } = await import('typescript')
  const files = ENTRIES.map(({ types }) => join(root, types))
  const program = ts.createProgram(files, { strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] })
  const checker = program.getTypeChecker()

  const exportsOf = (file) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
  const resolved = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)

  /** The names of an exported thing's members: of interfaces and classes, of object types, and of functions' options. */
  function membersOf(symbol) {
    const names = new Set()
    for (const declaration of resolved(symbol).declarations ?? []) {
      const visit = (node) => {
        const isMember = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node)
        const hidden = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
        if (isMember && !hidden && ts.isIdentifier(node.name)) names.add(node.name.text)
        ts.forEachChild(node, visit)
      }
      visit(declaration)
    }
    return names
  }

  /** Every identifier and string of the program: a member may be asked for by either. */
  const used = new Set()
  for (const name of PROGRAMS) {
    const source = ts.createSourceFile(name, readFileSync(new URL(`types/${name}`, import.meta.url), 'utf8'), ts.ScriptTarget.ES2022)
    const visit = (node) => {
      if (ts.isIdentifier(node) || ts.isStringLiteral(node)) used.add(node.text)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }

  for (const [i, { name, modules }] of ENTRIES.entries()) {
    const symbols = exportsOf(files[i])

    test(`${name}: the program uses all of it`, () => {
      const missed = symbols.flatMap((symbol) => [symbol.name, ...[...membersOf(symbol)].map((member) => `${symbol.name}.${member}`)])
        .filter((path) => !used.has(path.split('.').at(-1)))
      assert.deepEqual(missed, [])
      assert.ok(symbols.length > 0)
    })

    test(`${name}: values are those of the modules`, async () => {
      const values = symbols.filter((symbol) => resolved(symbol).flags & ts.SymbolFlags.Value).map((symbol) => symbol.name).sort()
      for (const module of modules) {
        // Token, Sentence and the like are classes of values that only the package makes: their types are interfaces.
        const exported = Object.keys(await import(new URL(`../../${module}`, import.meta.url)))
          .filter((name) => !symbols.some((symbol) => symbol.name === name && !(resolved(symbol).flags & ts.SymbolFlags.Value)))
        assert.deepEqual(exported.sort(), values, module)
      }
    })
  }
})

test('types come first in every branch of the exports', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const check = (value, place, required) => {
    if (typeof value === 'string') return required && assert.fail(`${place}: no types`)
    const conditions = Object.keys(value)
    if (conditions.includes('types')) {
      assert.equal(conditions[0], 'types', place)
      assert.match(value.types, place.endsWith('require') ? /\.d\.cts$/ : /\.d\.ts$/, place)
      required = false
    }
    for (const condition of conditions) if (condition !== 'types') check(value[condition], `${place} ${condition}`, required)
  }
  for (const [name, value] of Object.entries(exports)) {
    const isCode = !/\.(wasm|css|json)$/.test(name)
    check(value, name, isCode)
  }
})
