// onenlp in browsers, in their workers, and wherever there is fetch. Names no module of any runtime.

import { createLoader } from './core/load.js'

export { OnenlpError } from './core/errors.js'
export { Doc } from './core/doc.js'
export { Pipeline } from './core/pipeline.js'

export const { loadPipeline } = createLoader({
  wasm: () => fetch(new URL('../dist/onenlp.wasm', import.meta.url)),
  open: (url, { signal }) => fetch(url, { signal }),
})
