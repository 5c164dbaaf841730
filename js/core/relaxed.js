// The integer dot product of relaxed SIMD, for the products of src/nn/kernels_relaxed.c (which says why they are exact):
// a module of one function, written here instruction by instruction, because an engine without relaxed SIMD rejects
// any module that names one. It works on the memory of the other module, and its function goes into that one's table.
// tools/build.mjs writes it to dist/onenlp.relaxed.wasm for hosts that compile nothing.

import { invalidArgument, OnenlpError } from './errors.js'

const [I32, V128] = [0x7f, 0x7b]

/** A number as LEB128, which is also how an opcode of SIMD is written. */
const number = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)])
const simd = (opcode, ...rest) => [0xfd, ...number(opcode), ...rest.flat()]
const memory = (opcode, offset) => simd(opcode, number(0), number(offset))  // of any alignment

const get = (local) => [0x20, local]
const set = (local) => [0x21, local]
const constant = (value) => [0x41, ...number(value)]  // below 64
const add = (local, value) => [...get(local), ...constant(value), 0x6a, ...set(local)]
const less = (local) => [...get(local), ...constant(1), 0x6b, ...set(local)]
const load = (offset) => memory(0, offset)
const splat32 = (offset) => memory(9, offset)
const store = (offset) => memory(11, offset)
const zero = simd(12, Array(16).fill(0))
const subtract = simd(0xb1)  // i32x4
const dot = simd(0x113)      // i32x4.relaxed_dot_i8x16_i7x16_add_s
/** while (local) { ... } */
const loop = (local, ...body) => [0x02, 0x40, 0x03, 0x40, ...get(local), 0x45, 0x0d, 1, ...body.flat(), 0x0c, 0, 0x0b, 0x0b]

const vectors = [0, 1, 2, 3]

/**
 * dots(sums, q, weights, quads, panels) -> 1. A panel has 16 outputs, 4 vectors; a quad of q is 4 bytes above 0, then 4
 * below, and of the weights 64 bytes.
 */
function dots() {
  const [sums, q, weights, quads, panels, at, left, above, below, weight] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  const [plus, minus] = [10, 14]
  return [
    2, 2, I32, 3 + 2 * vectors.length, V128,  // the locals from `at` and from `above` on
    ...loop(panels,
      vectors.flatMap((v) => [...zero, ...set(plus + v), ...zero, ...set(minus + v)]),
      get(q), set(at), get(quads), set(left),
      loop(left,
        get(at), splat32(0), set(above), get(at), splat32(4), set(below),
        vectors.flatMap((v) => [get(weights), load(16 * v), set(weight),
          ...[[plus, above], [minus, below]].map(([sum, bytes]) => [get(weight), get(bytes), get(sum + v), dot, set(sum + v)].flat())].flat()),
        add(at, 8), get(weights), [0x41, 0xc0, 0], [0x6a], set(weights), less(left)),
      vectors.flatMap((v) => [get(sums), get(plus + v), get(minus + v), subtract, store(16 * v)].flat()),
      get(sums), [0x41, 0xc0, 0], [0x6a], set(sums), less(panels)),
    ...constant(1), 0x0b,
  ]
}

/** probe(a, b) -> the dot product of four bytes a with four bytes b. */
const probe = () => [0, ...get(0), ...simd(15), ...get(1), ...simd(15), ...zero, ...dot, ...simd(27, [0]), 0x0b]

const name = (text) => [text.length, ...new TextEncoder().encode(text)]
const sized = (bytes) => [...number(bytes.length), ...bytes]
const section = (id, ...entries) => [id, ...sized([entries.length, ...entries.flat()])]

export const bytes = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, [0x60, 5, I32, I32, I32, I32, I32, 1, I32], [0x60, 2, I32, I32, 1, I32]),
  ...section(2, [...name('onenlp'), ...name('memory'), 2, 0, 0]),
  ...section(3, [0], [1]),
  ...section(7, [...name('dots'), 0, 0], [...name('probe'), 0, 1]),
  ...section(10, sized(dots()), sized(probe())),
])

const exportsOf = (module, memory) => new WebAssembly.Instance(module, { onenlp: { memory } }).exports
const probeOf = (module) => exportsOf(module, new WebAssembly.Memory({ initial: 0 })).probe

/**
 * Whether the engine has one instruction for the dot product. Its bytes of 255 tell: taken without a sign and summed in
 * 32 bits (AVX-VNNI) they give 129,540, with a sign (ARM) -508. Saturated pairs, 65,534, are two and more instructions
 * of older x86, and half as fast as the products of the other module. Only speed hangs on the answer.
 */
const isFast = (module) => [129540, -508].includes(probeOf(module)(0x7f7f7f7f, -1))

/** Four times -1 * 127. The first, quick code of Node 20's V8, which has relaxed SIMD behind a flag, says -1016. */
const isRight = (module) => probeOf(module)(-1, 0x7f7f7f7f) === -508

const isOurs = (module) => {
  const names = WebAssembly.Module.exports(module).map(({ name }) => name)
  return names.includes('dots') && names.includes('probe')
}

/** Compiled once for each thread; null where there is no relaxed SIMD, or compiling from bytes is not allowed. */
let own

function ownModule() {
  if (own !== undefined) return own
  own = null
  try {
    const module = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null
    if (module !== null && isRight(module)) own = module
  } catch {
    // Hosts like Cloudflare's compile nothing.
  }
  return own
}

let fast

/**
 * @param {boolean | WebAssembly.Module | undefined} wanted undefined: where it is faster
 * @returns {WebAssembly.Module | null}
 */
function moduleFor(wanted) {
  if (wanted === false) return null
  if (wanted === undefined) return (fast ??= ownModule() !== null && isFast(own)) ? own : null
  const module = wanted === true ? ownModule() : wanted
  if (module === null) throw new OnenlpError('UNSUPPORTED', 'there is no relaxed SIMD here')
  if (module === own) return module
  if (!isOurs(module)) throw invalidArgument('relaxed must be a module made from onenlp.relaxed.wasm')
  if (!isRight(module)) throw new OnenlpError('UNSUPPORTED', 'the relaxed SIMD of this engine computes other results')
  return module
}

/**
 * Gives an instance the dot product.
 *
 * @param {WebAssembly.Exports} exports of onenlp.wasm or onenlp.transformer.wasm
 * @param {boolean | WebAssembly.Module} [wanted]
 */
export function relax(exports, wanted) {
  const module = moduleFor(wanted)
  if (!module) return
  const slot = exports['onenlp_wasm_relaxed_slot']()
  exports.__indirect_function_table.set(slot, exportsOf(module, exports.memory).dots)
}
