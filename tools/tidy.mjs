// clang-tidy over src/, by the reviewed list in .clang-tidy. No finding, or exit code 1.
//
//   node tools/tidy.mjs [PATH...]     only files whose path begins so (src/head, src/base/map.c)

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { binaryFolder, llvmProgram, root, run, runMain, say, setup } from './steps.mjs'

/** Resolves to what clang-tidy finds in a file, '' for nothing. */
function check(tidy, folder, file) {
  return new Promise((resolve) => {
    const child = spawn(tidy, ['-p', folder, '--quiet', file], { cwd: root })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? '' : output || `${relative(root, file)}: clang-tidy ended with code ${code}`))
  })
}

await runMain(async () => {
  setup('test')
  const tidy = llvmProgram('clang-tidy', 'clang-tidy')
  // The options of clang, which clang-tidy knows, of the sources that there are now.
  run('cmake', ['--preset', 'fuzz'], { quiet: true })
  const folder = binaryFolder('fuzz')
  const wanted = process.argv.slice(2).map((path) => join(root, path))
  const files = JSON.parse(readFileSync(join(folder, 'compile_commands.json'), 'utf8')).map(({ file }) => file)
    .filter((file) => file.startsWith(join(root, 'src')) && (wanted.length === 0 || wanted.some((path) => file.startsWith(path))))
  const waiting = [...new Set(files)].sort()
  const total = waiting.length
  const nameOf = (file) => relative(root, dirname(file))
  const folders = new Map(waiting.map((file) => [nameOf(file), { files: 0, checked: 0, found: 0 }]))
  for (const file of waiting) folders.get(nameOf(file)).files++
  const lane = async () => {
    for (let file; (file = waiting.shift()); ) {
      const output = await check(tidy, folder, file)
      const sum = folders.get(nameOf(file))
      if (output) {
        sum.found++
        console.log(output)
      }
      if (++sum.checked === sum.files) say(`${nameOf(file)}: ${sum.files} files, ${sum.found} with findings`)
    }
  }
  await Promise.all([lane(), lane()])
  const found = [...folders.values()].reduce((sum, { found }) => sum + found, 0)
  console.log(`${total} files, ${found} with findings`)
  return found === 0 ? 0 : 1
})
