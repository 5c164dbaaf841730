// Inputs cut into blocks that workers annotate and whose output comes in order. A block is some whole paragraphs of a
// text, some lines of JSON Lines, or a whole input: units of annotation never reach over the end of a paragraph, so the
// cut changes nothing.

import { isUtf8 } from 'node:buffer'

const BLOCK = 1 << 16  // bytes; a block ends at the first place behind that

const LF = 10
const CR = 13

/** A character that is surely no white space, so that a paragraph starts with it. */
const STARTS_PARAGRAPH = /^[\p{L}\p{N}\p{P}\p{S}]/u

/** The start of a paragraph at or behind `from`, or the end: behind an empty line, at what is no white space. */
function paragraphAt(bytes, from) {
  for (let at = bytes.indexOf(LF, from); at >= 0 && at < bytes.length; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1
    if (bytes[next] !== LF) continue
    const start = next + 1
    if (STARTS_PARAGRAPH.test(bytes.toString('utf8', start, start + 4))) return start
  }
  return bytes.length
}

function lineAt(bytes, from) {
  const end = bytes.indexOf(LF, from)
  return end < 0 ? bytes.length : end + 1
}

function linesIn(bytes) {
  let count = 0
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++
  return count
}

/** Where blocks of an input of this kind may end; null: only at its end. */
function placeOf(kind, output, bytes) {
  if (kind === 'jsonl') return lineAt
  // A JSON object is of the whole text, and CoNLL-U is read as one. Text that is none is told of as a whole.
  return kind === 'text' && output === 'conllu' && isUtf8(bytes) ? paragraphAt : null
}

/**
 * @param {Buffer} bytes
 * @param {'text' | 'conllu' | 'jsonl'} kind
 * @param {'conllu' | 'json' | 'jsonl'} output
 * @returns {Generator<{ kind: string, bytes: Buffer, line: number }>} line: lines before the block
 */
export function* blocksOf(bytes, kind, output) {
  const place = placeOf(kind, output, bytes)
  let line = 0
  for (let at = 0; ;) {
    const end = place && at + BLOCK < bytes.length ? place(bytes, at + BLOCK) : bytes.length
    const block = bytes.subarray(at, end)
    yield { kind, bytes: block, line }
    if (end === bytes.length) return
    if (kind === 'jsonl') line += linesIn(block)
    at = end
  }
}
