// Types of `onenlp/onnxruntime-node`.

import type { OnnxEngine } from '../types/index.cjs'
import type { OnnxruntimeOptions } from './options.js'

export type { OnnxruntimeOptions }

/** An engine of the package onnxruntime-node, for `loadPipeline`. */
export function onnxruntimeNode(options?: OnnxruntimeOptions): OnnxEngine
