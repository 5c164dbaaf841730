// node bench/kernels.mjs: speed of the arithmetic, natively and in WebAssembly.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { runWasi } from '../tests/js/helpers/wasi.mjs'
import { binaryFolder, build } from '../tools/steps.mjs'

build('release', ['bench_kernels'])
build('wasm', ['bench_kernels'])
console.log(spawnSync(join(binaryFolder('release'), 'bench_kernels'), { encoding: 'utf8' }).stdout)
console.log(`Node ${process.version}\n${(await runWasi(join(binaryFolder('wasm'), 'bench_kernels.wasm'))).stdout}`)
