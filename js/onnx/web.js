// The engine of the package onnxruntime-web, which is imported when a model is opened.

import { engineOf } from './engine.js'

/** @param {{ ort?: unknown }} [options] ort: the package, where it was imported already; others are those of its sessions */
export function onnxruntimeWeb({ ort, ...options } = {}) {
  return engineOf(() => ort ?? import('onnxruntime-web'), options, ({ bytes }) => bytes())
}
