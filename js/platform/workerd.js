// Cloudflare Workers: a module is imported, never compiled from bytes, and there are no workers.

import module from '../../dist/onenlp.wasm'

import { OnenlpError } from '../core/errors.js'

export const platform = {
  wasm: () => module,
  // Whoever needs it imports it: bundlers would add it to every worker.
  transformerWasm() {
    throw new OnenlpError('UNSUPPORTED',
      "this pipeline has a transformer encoder: import 'onenlp/onenlp.transformer.wasm' and give it as wasm")
  },
  open: (url, { signal }) => fetch(url, { signal }),
  checkWorkers() {
    throw new OnenlpError('NO_WORKERS', 'Cloudflare Workers have no worker threads')
  },
  parallelism: () => 1,
}
