// A Worker as wrangler would upload it.

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { programs } from './project.mjs'

/** What the names of additional modules end in, beside a hash before it. */
const KINDS = { wasm: 'CompiledWasm', onenlp: 'Data', onnx: 'Data', txt: 'Text' }

/**
 * Bundles the Worker of a folder of the project.
 *
 * @returns {{ folder: string, modules: object[], sizes: Record<string, number>, compressed: number }}
 */
export function bundleWorker(project, name) {
  const out = 'out'
  project.run(process.execPath, [programs.wrangler, 'deploy', '--dry-run', '--outdir', out], { cwd: name })
  const folder = project.path(join(name, out))
  const modules = []
  const sizes = {}
  for (const file of readdirSync(folder)) {
    const path = join(folder, file)
    const ending = file.split('.').at(-1)
    if (!statSync(path).isFile() || ending === 'map' || ending === 'md') continue
    modules.push({ type: KINDS[ending] ?? 'ESModule', path })
    // wrangler puts a hash before the name.
    sizes[file.replace(/^[0-9a-f]{40}-/, '')] = gzipSync(readFileSync(path), { level: 9 }).length
  }
  modules.sort((a, b) => (b.type === 'ESModule') - (a.type === 'ESModule'))
  return { folder, modules, sizes, compressed: Object.values(sizes).reduce((a, b) => a + b, 0) }
}

/** Starts a bundle in workerd. */
export async function runBundle({ folder, modules }, options = {}) {
  const { Miniflare } = await import('miniflare')
  return new Miniflare({ compatibilityDate: '2026-01-01', modulesRoot: folder, modules, ...options })
}
