// npm's prepack of the package: a module that is not made from the sources as they are must not be packed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { staleness } from './built.mjs'
import { StepFailed, root, runMain } from './steps.mjs'

await runMain(() => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const wrong = staleness(root, files.filter((file) => /^dist\/.*\.wasm$/.test(file)))
  if (wrong !== null) throw new StepFailed(`${wrong}; run npm run build -- wasm`)
})
