// The arithmetic of docs/format.md in JavaScript, written from that document alone. Every operation is a
// double-precision one rounded to single at once, which equals the single-precision operation.
const f32 = new Float32Array(1)
const u32 = new Uint32Array(f32.buffer)

export const fr = Math.fround
export const bitsOf = (f) => ((f32[0] = f), u32[0])
export const floatOf = (u) => ((u32[0] = u), f32[0])

export const add = (a, b) => fr(a + b)
export const mul = (a, b) => fr(a * b)
export const div = (a, b) => fr(a / b)
export const sqrt = (a) => fr(Math.sqrt(a))

// sum of c[0] * x^n + ... + c[n], each step a product and a sum
const horner = (coefficients, x) => coefficients.map(fr).reduce((sum, c) => add(mul(sum, x), c))

export function exp(x) {
  if (Number.isNaN(x)) return x
  if (x < fr(-87.33)) return 0
  const v = Math.min(x, fr(88.72))
  const t = add(mul(v, fr(1.44269504)), 12582912)
  const n = add(t, -12582912)
  let r = add(v, -mul(n, 0.693359375))
  r = add(r, -mul(n, fr(-2.1219444e-4)))
  let p = horner([0.00139504788, 0.00836888421, 0.041666206, 0.166665182, 0.5], r)
  p = add(mul(p, mul(r, r)), r)
  p = add(p, 1)
  return floatOf((bitsOf(p) + (n << 23)) >>> 0)
}

export function sigmoid(x) {
  const e = exp(-Math.abs(x))
  return div(x < 0 ? e : 1, add(1, e))
}

const withSign = (y, x) => (Object.is(x, -0) || x < 0 ? -y : y)

export function tanh(x) {
  const e = exp(mul(Math.abs(x), -2))
  return withSign(div(add(1, -e), add(1, e)), x)
}

export function erf(x) {
  const a = Math.min(Math.abs(x), 4)
  const q = mul(a, horner([3.14401332e-5, -0.000308801798, 0.00103240006, 0.000536936452, -0.0195839629,
    0.102919616, 0.636597753, 1.1283803], a))
  return withSign(add(1, -exp(add(0, -q))), x)
}

export const gelu = (x) => mul(mul(0.5, x), add(1, erf(mul(x, fr(0.707106781)))))
export const relu = (x) => (0 < x ? x : 0)

// start + w[0] * x[0] + w[1] * x[1] + ..., from left to right
export function linearSum(start, w, x) {
  let sum = start
  for (let i = 0; i < w.length; i++) sum = add(sum, mul(x[i], w[i]))
  return sum
}

// a whole number, ties to even
function nearest(x) {
  const whole = Math.floor(x)
  const rest = x - whole
  return rest > 0.5 || (rest === 0.5 && whole % 2 !== 0) ? whole + 1 : whole
}

// x as whole numbers in [-127, 127] and a scale
export function quantize(x) {
  const most = x.reduce((m, v) => (Math.abs(v) > m ? Math.abs(v) : m), 0)
  if (most < fr(1e-30)) return { scale: 0, numbers: x.map(() => 0) }
  const factor = div(127, most)
  const steps = x.map((v) => mul(v, factor))
  return { scale: div(most, 127), numbers: steps.map((v) => (Number.isNaN(v) ? 0 : nearest(v))) }
}

// some columns of a matrix
export function columns(weight, from, to) {
  const part = weight.map((row) => row.slice(from, to))
  if (weight.whole) part.whole = weight.whole.map(({ row, scale }) => ({ row: row.slice(from, to), scale }))
  return part
}

// start[r] + w[r] x for every row; weight: rows of numbers, with `whole` where they are stored as I8
export function linearFrom(start, weight, x) {
  if (!weight.whole) return weight.map((row, r) => linearSum(start(r), row, x))
  const { scale, numbers } = quantize(x)
  return weight.whole.map(({ row, scale: own }, r) =>
    add(start(r), mul(fr(row.reduce((sum, w, c) => sum + w * numbers[c], 0)), mul(scale, own))))
}

export const linear = (weight, bias, x) => linearFrom((r) => (bias ? bias[r] : 0), weight, x)

function sumOfFour(values) {
  const s = [0, 0, 0, 0]
  values.forEach((v, i) => (s[i % 4] = add(s[i % 4], v)))
  return add(add(s[0], s[1]), add(s[2], s[3]))
}

export const dot = (a, b) => sumOfFour(a.map((v, i) => mul(v, b[i])))

export function layerNorm(x, gain, bias) {
  const mean = div(sumOfFour(x), x.length)
  const d = x.map((v) => add(v, -mean))
  const variance = div(sumOfFour(d.map((v) => mul(v, v))), x.length)
  const rstd = div(1, fr(Math.sqrt(add(variance, fr(1e-5)))))
  return d.map((v, j) => add(mul(mul(v, rstd), gain[j]), bias[j]))
}

export const addVectors = (a, b) => a.map((v, i) => add(v, b[i]))

// the first of the largest
export function argmax(x) {
  let best = 0
  for (let i = 1; i < x.length; i++) if (x[i] > x[best]) best = i
  return best
}

export function halfToFloat(half) {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 31
  const fraction = half & 1023
  if (exponent === 31) return fraction ? NaN : sign * Infinity
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}
