// ONNX files as tests change them: protobuf fields, and a graph that computes the same and that nobody recognises.

function readVarint(bytes, at) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]
    value += (byte & 127) * 2 ** shift
    if (byte < 128) return [value, at]
  }
}

function varint(value) {
  const bytes = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  return [...bytes, value]
}

/** A field of a message: numbers as varints, the rest as bytes. */
const field = (number, value) => {
  if (typeof value === 'number') return Buffer.from([...varint(number << 3), ...varint(value)])
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([...varint(number << 3 | 2), ...varint(bytes.length)]), bytes])
}

/** The fields of a message: [number, value]. */
function fieldsOf(message) {
  const fields = []
  for (let at = 0; at < message.length;) {
    let tag, size
    ;[tag, at] = readVarint(message, at)
    ;[size, at] = readVarint(message, at)
    if ((tag & 7) === 0) {
      fields.push([tag >> 3, size])
    } else {
      fields.push([tag >> 3, message.subarray(at, at + size)])
      at += size
    }
  }
  return fields
}

const message = (fields) => Buffer.concat(fields.map(([number, value]) => field(number, value)))
const node = (type, input, output) => message([[1, input], [2, output], [4, type]])

const GRAPH = 7
const NODE = 1
const OUTPUT = 12

/** The model with its last hidden state negated twice, as `token_embeddings`: the same numbers by a graph of no family. */
export function foreign(model) {
  return message(fieldsOf(model).map(([number, value]) => {
    if (number !== GRAPH) return [number, value]
    const graph = fieldsOf(value).map(([number, value]) => (number !== OUTPUT ? [number, value]
      : [number, message(fieldsOf(value).map(([part, value]) => (part === 1 ? [part, 'token_embeddings'] : [part, value])))]))
    // Nodes must stay in order: the last of them are the new ones.
    const last = graph.findLastIndex(([number]) => number === NODE)
    graph.splice(last + 1, 0, [NODE, node('Neg', 'last_hidden_state', 'negated')], [NODE, node('Neg', 'negated', 'token_embeddings')])
    return [number, message(graph)]
  }))
}
