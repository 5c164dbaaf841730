// What a worker does: it loads the pipeline that it is sent, and annotates what it is sent.

import { OnenlpError } from '../core/errors.js'
import { loadWithFiles } from '../core/files.js'
import { Instance } from '../core/instance.js'
import { Pipeline } from '../core/pipeline.js'

/**
 * @param {(message: object, transfer?: Transferable[]) => void} post sends a message to the pool
 * @param {Pick<import('../core/api.js').Platform, 'openAt'>} [platform] where there are files
 * @returns {(message: object) => Promise<void>} takes a message of the pool
 */
export function serve(post, platform = {}) {
  let nlp = null
  const running = new Map()

  const load = async ({ module, bytes, maxMemory, files, relaxed }) => {
    if (files) {
      nlp = await loadWithFiles({ module, bytes, maxMemory, files, relaxed }, platform)
    } else {
      const instance = await Instance.create(module, { maxMemory, relaxed })
      nlp = new Pipeline(instance, instance.allocBytes(bytes), bytes.length)
    }
    const { language, metadata, components } = nlp
    return { language, metadata: { ...metadata }, components: components.map((component) => ({ ...component })) }
  }

  const annotate = async ({ id, input, components, progress }) => {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const onProgress = progress ? (state) => post({ type: 'progress', id, state }) : undefined
      const { data } = await nlp.annotateAsync(input, { components, onProgress, signal: controller.signal })
      return data
    } finally {
      running.delete(id)
    }
  }

  return async (message) => {
    if (message.type === 'cancel') return running.get(message.id)?.abort()
    try {
      const result = await (message.type === 'load' ? load(message) : annotate(message))
      post({ type: 'done', id: message.id, result }, message.type === 'load' ? [] : buffersOf(result))
    } catch (error) {
      const { code = 'INTERNAL', message: text, position = null } = error instanceof OnenlpError ? error : { message: String(error?.message ?? error) }
      post({ type: 'failed', id: message.id, error: { code, message: text, position } })
    }
  }
}

/** The memory of a document's columns, which moves to the other thread. */
function buffersOf(data) {
  const buffers = new Set()
  const visit = (value) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer)
    else if (value && typeof value === 'object' && !Array.isArray(value)) Object.values(value).forEach(visit)
  }
  visit(data)
  return [...buffers]
}
