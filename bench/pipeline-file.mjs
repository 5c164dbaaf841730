// Pipeline files for measurements.

/** Bytes of a pipeline file whose weights are all 0.01, or what `weightAt` says: `parameters` are [name, shape]. */
export function pipelineFile(config, parameters, weightAt = () => 0.01) {
  const header = {}
  let end = 0
  for (const [name, shape] of parameters) {
    const start = end
    end += 4 * shape.reduce((a, b) => a * b)
    header[name] = { dtype: 'F32', shape, data_offsets: [start, end] }
  }
  const json = Buffer.from(typeof config === 'string' ? config : JSON.stringify(config))
  const head = Buffer.from(JSON.stringify(header))
  const data = Buffer.from(Float32Array.from({ length: end / 4 }, (_, i) => weightAt(i)).buffer)
  const start = Buffer.alloc(32)
  start.write('ONENLPPL')
  start.writeUInt32LE(1, 8)
  start.writeBigUInt64LE(BigInt(json.length), 16)
  start.writeBigUInt64LE(BigInt(8 + head.length + data.length), 24)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(head.length))
  return Buffer.concat([start, json, length, head, data])
}
