// Browsers, their workers, and whatever else has fetch. Names no module of any runtime.

import { OnenlpError } from '../core/errors.js'
import { portOfWebWorker } from '../pool/pool.js'

export const platform = {
  // Bundlers know this form and take the file along.
  wasm: () => fetch(new URL('../../dist/onenlp.wasm', import.meta.url)),
  transformerWasm: () => fetch(new URL('../../dist/onenlp.transformer.wasm', import.meta.url)),
  open: (url, { signal }) => fetch(url, { signal }),
  checkWorkers() {
    if (typeof Worker !== 'function') throw new OnenlpError('NO_WORKERS', 'there are no workers here')
  },
  createWorker: () => portOfWebWorker(new Worker(new URL('../pool/worker.js', import.meta.url), { type: 'module' })),
  parallelism: () => globalThis.navigator?.hardwareConcurrency || 1,
}
