// The engine of the package onnxruntime-node, which is imported when a model is opened. It reads a file by its path, and
// then those beside it that hold a model's data.

import { engineOf } from './engine.js'

/** @param {{ ort?: unknown }} [options] ort: the package, where it was imported already; others are those of its sessions */
export function onnxruntimeNode({ ort, ...options } = {}) {
  return engineOf(() => ort ?? import('onnxruntime-node'), options, ({ path, bytes }) => path ?? bytes())
}
