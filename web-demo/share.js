// The text and what is looked at, in the part of the address that no server sees.

const PLAIN_LIMIT = 400
export const LINK_LIMIT = 16_000

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}

/**
 * @param {{ text: string, view: string, second: string | null, mode: string, pipeline: string | null }} state
 * @returns {Promise<string>} what comes after the #
 */
export async function fragmentOf({ text, view, second, mode, pipeline }) {
  const parts = new URLSearchParams()
  if (mode !== 'annotate') parts.set('mode', mode)
  parts.set('view', view)
  if (second) parts.set('and', second)
  if (pipeline) parts.set('pipeline', pipeline)
  if (text.length <= PLAIN_LIMIT) parts.set('text', text)
  else parts.set('z', toBase64(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))))
  return parts.toString()
}

/** What a fragment says; what it does not say, or says wrongly, is missing. */
export async function readFragment(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''))
  let text = parts.get('text') ?? undefined
  if (parts.has('z')) {
    try {
      text = await inflate(fromBase64(parts.get('z')))
    } catch {
      // A link that was cut short.
    }
  }
  return {
    text,
    view: parts.get('view') ?? undefined,
    second: parts.get('and') ?? undefined,
    mode: parts.get('mode') ?? undefined,
    pipeline: parts.get('pipeline') ?? undefined,
  }
}

/** A small link must not become a text without end. */
async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let part; !(part = await reader.read()).done;) {
    text += decoder.decode(part.value, { stream: true })
    if (text.length > 1_000_000) {
      await reader.cancel()
      break
    }
  }
  return text
}
