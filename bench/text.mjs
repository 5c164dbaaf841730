// node bench/text.mjs [FILE.conllu]: how fast text goes in and out, natively and in WebAssembly.
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'

import { runWasi } from '../tests/js/helpers/wasi.mjs'
import { binaryFolder, build, root } from '../tools/steps.mjs'

const file = process.argv[2] ?? join(process.env.ONENLP_DATA ?? join(root, 'data'), 'ud/UD_English-EWT/train.conllu')
build('release', ['bench_text'])
build('wasm', ['bench_text'])
console.log(`native\n${spawnSync(join(binaryFolder('release'), 'bench_text'), { encoding: 'utf8', stdio: [openSync(file), 'pipe', 'inherit'] }).stdout}`)
console.log(`Node ${process.version}\n${(await runWasi(join(binaryFolder('wasm'), 'bench_text.wasm'), file)).stdout}`)
