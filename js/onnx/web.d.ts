// Types of `onenlp/onnxruntime-web`.

import type { OnnxEngine } from '../types/index.cjs'
import type { OnnxruntimeOptions } from './options.js'

export type { OnnxruntimeOptions }

/** An engine of the package onnxruntime-web, for `loadPipeline`. */
export function onnxruntimeWeb(options?: OnnxruntimeOptions): OnnxEngine
