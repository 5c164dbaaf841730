// Pipeline files and checkpoints by docs/format.md, written from that document alone.
import { fr, halfToFloat } from './arithmetic.mjs'

const TYPES = ['F32', 'F16', 'I8']
const SIZES = { F32: 4, F16: 2, I8: 1 }

function check(ok, message) {
  if (!ok) throw new Error(message)
}

export function readContainer(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  check(bytes.length >= 32 && Buffer.from(bytes.subarray(0, 8)).toString('latin1') === 'ONENLPPL', 'magic')
  check(view.getUint32(8, true) === 1, 'version')
  check(view.getUint32(12, true) === 0, 'flags')
  const config = view.getBigUint64(16, true)
  const weights = view.getBigUint64(24, true)
  check(config <= 1n << 24n && weights <= 1n << 30n && 32n + config + weights === BigInt(bytes.length), 'length')
  const at = 32 + Number(config)
  return { config: JSON.parse(Buffer.from(bytes.subarray(32, at)).toString('utf8')), weights: bytes.subarray(at) }
}

// name -> { dtype, shape, rows: arrays of numbers } for matrices, { ..., values } for vectors. `whole` of the rows of
// an I8 matrix: the stored numbers and their scales
export function readCheckpoint(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const dataAt = 8 + Number(view.getBigUint64(0, true))
  const { __metadata__: meta = {}, ...header } = JSON.parse(Buffer.from(bytes.subarray(8, dataAt)).toString('utf8'))
  const tensors = {}
  for (const [name, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(header)) {
    const count = shape.reduce((a, b) => a * b)
    check(end - begin === count * SIZES[dtype], name)
    const read = { F32: (i) => view.getFloat32(dataAt + begin + 4 * i, true),
      F16: (i) => halfToFloat(view.getUint16(dataAt + begin + 2 * i, true)), I8: (i) => view.getInt8(dataAt + begin + i) }
    tensors[name] = { dtype, shape, values: Array.from({ length: count }, (_, i) => read[dtype](i)) }
  }
  for (const [name, t] of Object.entries(tensors)) {
    if (t.shape.length === 1) continue
    const scale = t.dtype === 'I8' ? tensors[`${name}.scale`].values : null
    const stored = Array.from({ length: t.shape[0] }, (_, r) => t.values.slice(r * t.shape[1], (r + 1) * t.shape[1]))
    t.rows = stored.map((row, r) => row.map((v) => (scale ? fr(v * scale[r]) : v)))
    if (scale) t.rows.whole = stored.map((row, r) => ({ row, scale: scale[r] }))
  }
  return { meta, tensors }
}

const pad = (text, before) => text + ' '.repeat((64 - ((before + Buffer.byteLength(text)) % 64)) % 64)

// tensors: [{ name, dtype, shape, data: Buffer }]
export function writeCheckpoint(tensors, meta, fileOffset) {
  const sorted = TYPES.flatMap((type) => tensors.filter((t) => t.dtype === type))
  const header = {}
  if (Object.keys(meta).length) header.__metadata__ = meta
  let at = 0
  for (const { name, dtype, shape, data } of sorted) {
    header[name] = { dtype, shape, data_offsets: [at, at + data.length] }
    at += data.length
  }
  const text = Buffer.from(pad(JSON.stringify(header), fileOffset + 8))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, ...sorted.map((t) => t.data)])
}

export function writePipeline(config, tensors, meta) {
  const text = Buffer.from(pad(config, 32))
  const weights = writeCheckpoint(tensors, meta, 32 + text.length)
  const head = Buffer.alloc(32)
  head.write('ONENLPPL', 'latin1')
  head.writeUInt32LE(1, 8)
  head.writeBigUInt64LE(BigInt(text.length), 16)
  head.writeBigUInt64LE(BigInt(weights.length), 24)
  return Buffer.concat([head, text, weights])
}
