// Attributes of tokens and their hashes by docs/format.md, written from that document alone.
const MASK = (1n << 64n) - 1n

export function splitmix64(x) {
  x = (x + 0x9e3779b97f4a7c15n) & MASK
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & MASK
  return x ^ (x >> 31n)
}

export function fnv1a(state, text) {
  for (let i = 0; i < text.length; i++) state = ((state ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n) & MASK
  return state
}

export const attributeHash = (seed, number, text) => splitmix64(fnv1a(splitmix64(BigInt(seed) + BigInt(number)), text))

// f counts from 1, as the document does
export function row(hash, f, rows) {
  const value = f === 1 ? hash & 0xffffffffn : f === 2 ? hash >> 32n : splitmix64((hash + BigInt(f)) & MASK) & 0xffffffffn
  return Number(value % BigInt(rows))
}

const mapPoints = (text, map) => Array.from(text, (c) => map(c)).join('')

// The simple mapping: one code point to one. JavaScript has the full one, which differs for U+0130 alone.
function lowerPoint(c) {
  const lower = c.toLowerCase()
  return c === '\u0130' ? 'i' : lower
}

export const lower = (text) => mapPoints(text, lowerPoint)
export const lowerTurkic = (text) => mapPoints(text, (c) => (c === 'I' ? '\u0131' : lowerPoint(c)))

const isHigh = (unit) => (unit & 0xfc00) === 0xd800
const isLow = (unit) => (unit & 0xfc00) === 0xdc00
const cutsPair = (text, at) => at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))

export function prefix(text, length) {
  if (length >= text.length) return text
  return text.slice(0, cutsPair(text, length) ? length + 1 : length)
}

export function suffix(text, length) {
  if (length >= text.length) return text
  const from = text.length - length
  return text.slice(cutsPair(text, from) ? from - 1 : from)
}

// The n-grams of a word: the pieces of min to max characters of a mark, its first 64 characters and, if these are
// all, another mark.
export function ngrams(text, min, max) {
  const all = Array.from(text)
  const characters = ['\0', ...all.slice(0, 64), ...(all.length > 64 ? [] : ['\0'])]
  const found = []
  for (let first = 0; first < characters.length; first++) {
    for (let n = min; n <= max && first + n <= characters.length; n++) {
      found.push(characters.slice(first, first + n).join(''))
    }
  }
  return found
}

export function shape(text) {
  let out = ''
  let last = null
  let run = 0
  for (const c of text) {
    const s = /\p{Ll}/u.test(c) ? 'x' : /[\p{Lu}\p{Lt}]/u.test(c) ? 'X' : /\p{Nd}/u.test(c) ? 'd' : c
    run = s === last ? run + 1 : 1
    last = s
    if (run <= 4) out += s
  }
  return out
}
