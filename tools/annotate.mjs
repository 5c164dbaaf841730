// npm run annotate -- "TEXT": the command `onenlp annotate` of this checkout, built first if need
// be. Standard output holds the annotation and nothing else.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { buildWasm, root, runMain, setup } from './steps.mjs'

await runMain(() => {
  setup('wasm')
  buildWasm()
  // npm runs scripts in the package's folder; file names are meant from where the user stands.
  const { status, error } = spawnSync(
    process.execPath,
    [join(root, 'js/cli/onenlp.mjs'), 'annotate', ...process.argv.slice(2)],
    { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' },
  )
  if (error) throw error
  return status ?? 1
})
