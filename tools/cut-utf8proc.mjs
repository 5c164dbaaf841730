// Cuts utf8proc's tables down to what normalization asks for, for the module that pages fetch: half of their
// compressed size.
//
//   node tools/cut-utf8proc.mjs utf8proc_data.c OUT.c
//
// The same arrays come out, which the library's code reads as they are: categories, widths and boundaries are all one,
// equal properties are one, and sequences that nothing points to are gone. A test compares all code points.
import { readFileSync, writeFileSync } from 'node:fs'

const NONE = 'UINT16_MAX'
// The fields of utf8proc_property_t, in order.
const FIELDS = ['category', 'combining_class', 'bidi_class', 'decomp_type', 'decomp_seqindex', 'casefold_seqindex',
  'uppercase_seqindex', 'lowercase_seqindex', 'titlecase_seqindex', 'comb_index', 'bidi_mirrored', 'comp_exclusion',
  'ignorable', 'control_boundary', 'charwidth', 'pad', 'boundclass']
const KEPT = new Set(['combining_class', 'decomp_type', 'decomp_seqindex', 'comb_index', 'comp_exclusion'])
const PAGE = 256  // code points to an entry of the first stage
const LONG = 3    // a length in the two high bits of a sequence's index that says: it stands in the sequence

const [from, to] = process.argv.slice(2)
const text = readFileSync(from, 'utf8')

function body(name) {
  const found = new RegExp(`\\b${name}\\[\\] = \\{([^;]*)\\};`).exec(text)
  if (!found) throw new Error(`${from} has no ${name}`)
  return found[1]
}
const numbers = (name) => body(name).match(/\d+/g).map(Number)

const sequences = numbers('utf8proc_sequences')
const stage1 = numbers('utf8proc_stage1table')
const stage2 = numbers('utf8proc_stage2table')
const properties = [...body('utf8proc_properties').matchAll(/\{([^{}]*)\}/g)].map(([, row]) => {
  const values = row.split(',').map((value) => value.trim()).filter((value) => value !== '')
  if (values.length !== FIELDS.length) throw new Error(`${from}: a property with ${values.length} fields`)
  return values
})

/** Units of the sequence at `at`: `count` code points in UTF-16. */
function unitsAt(at, count) {
  const start = at
  for (let i = 0; i < count; i++) at += (sequences[at] & 0xf800) === 0xd800 ? 2 : 1
  return sequences.slice(start, at)
}

const kept = []
const movedTo = new Map()
function moveSequence(index) {
  if (movedTo.has(index)) return movedTo.get(index)
  const length = index >> 14
  const at = index & 0x3fff
  const units = length < LONG ? unitsAt(at, length + 1) : [sequences[at], ...unitsAt(at + 1, sequences[at] + 1)]
  const moved = (length << 14) | kept.length
  kept.push(...units)
  movedTo.set(index, moved)
  return moved
}

const cut = []
const cutOf = new Map()
const newIndex = properties.map((values) => {
  const row = values.map((value, i) => {
    const name = FIELDS[i]
    if (name === 'decomp_seqindex' && value !== NONE) return moveSequence(Number(value))
    if (name === 'decomp_type') return Number(value !== '0')  // canonical, or not
    // One and not zero: a linker cuts data at runs of zeros, and thousands of segments take more than zeros.
    return KEPT.has(name) ? value : name.endsWith('_seqindex') ? NONE : 1
  }).join()
  if (!cutOf.has(row)) cutOf.set(row, cut.push(row) - 1)
  return cutOf.get(row)
})

const pages = []
const pageAt = new Map()
const first = stage1.map((start) => {
  const page = stage2.slice(start, start + PAGE).map((property) => newIndex[property])
  const key = page.join()
  if (!pageAt.has(key)) {
    pageAt.set(key, pages.length)
    pages.push(...page)
  }
  return pageAt.get(key)
})

const array = (type, name, values) => `static const ${type} ${name}[] = {\n${values.join(',\n')}};\n`
writeFileSync(to, [
  array('utf8proc_uint16_t', 'utf8proc_sequences', kept),
  array('utf8proc_uint16_t', 'utf8proc_stage1table', first),
  array('utf8proc_uint16_t', 'utf8proc_stage2table', pages),
  array('utf8proc_property_t', 'utf8proc_properties', cut.map((row) => `{${row}}`)),
  array('utf8proc_uint16_t', 'utf8proc_combinations', numbers('utf8proc_combinations')),
].join('\n'))
