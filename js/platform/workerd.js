// Cloudflare Workers: a module is imported, never compiled from bytes, and there are no workers.

import module from '../../dist/onenlp.wasm'

import { OnenlpError } from '../core/errors.js'

export const platform = {
  wasm: () => module,
  open: (url, { signal }) => fetch(url, { signal }),
  checkWorkers() {
    throw new OnenlpError('NO_WORKERS', 'Cloudflare Workers have no worker threads')
  },
  parallelism: () => 1,
}
