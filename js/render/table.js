// CoNLL-U as a table that can be sorted, and JSON with its parts marked.

import { escape } from './escape.js'
import { uposInWords } from './names.js'

export const CONLLU_COLUMNS = ['ID', 'FORM', 'LEMMA', 'UPOS', 'XPOS', 'FEATS', 'HEAD', 'DEPREL', 'DEPS', 'MISC']

/**
 * The lines of CoNLL-U that have columns, with the number of their sentence, from 1.
 *
 * @param {string} conllu
 * @returns {{ sentence: number, columns: string[] }[]}
 */
export function rowsOfConllu(conllu) {
  const rows = []
  let sentence = 1
  let inSentence = false
  for (const line of conllu.split('\n')) {
    if (line.trim() === '') {
      if (inSentence) sentence++
      inSentence = false
    } else if (!line.startsWith('#')) {
      inSentence = true
      rows.push({ sentence, columns: line.replace(/\r$/, '').split('\t') })
    }
  }
  return rows
}

const collator = new Intl.Collator('en', { numeric: true })

/**
 * @param {string | { sentence: number, columns: string[] }[]} source CoNLL-U, or its rows
 * @param {{ sort?: { column: number, descending?: boolean } | null, caption?: string, from?: number, limit?: number }} [options]
 *     `sort.column` is a number of CONLLU_COLUMNS; without it the rows stay in order. `limit`: this many rows at most.
 * @returns {string} HTML
 */
export function renderTable(source, { sort = null, caption = 'CoNLL-U', from = 0, limit = Infinity } = {}) {
  const rows = typeof source === 'string' ? rowsOfConllu(source) : source
  const sorted = sort === null ? rows
    : rows.toSorted((a, b) => (sort.descending ? -1 : 1) * collator.compare(a.columns[sort.column] ?? '', b.columns[sort.column] ?? ''))
  const head = CONLLU_COLUMNS.map((name, i) => {
    const order = sort?.column === i ? (sort.descending ? 'descending' : 'ascending') : 'none'
    return `<th scope="col" aria-sort="${order}"><button type="button" class="on-sort" data-column="${i}">${name}</button></th>`
  })
  const body = sorted.slice(from, from + limit).map(({ sentence, columns }, i, shown) => {
    const starts = sort === null && (i === 0 || shown[i - 1].sentence !== sentence)
    const cells = CONLLU_COLUMNS.map((_, column) => {
      // Lists break after a bar rather than within a name.
      const value = escape(columns[column] ?? '').replaceAll('|', '|<wbr>')
      if (column === 3 && columns[3] !== '_' && columns[3]) {
        return `<td><span class="on-upos upos-${uposInWords(columns[3]) ? columns[3] : 'X'}">${value}</span></td>`
      }
      return column === 1 || column === 2 ? `<td dir="auto">${value}</td>` : `<td>${value}</td>`
    })
    const kind = `${starts ? ' on-sentence-start' : ''}${(columns[0] ?? '').includes('-') ? ' on-range-row' : ''}`
    return `<tr class="on-row${kind}" data-sentence="${sentence}">${cells.join('')}</tr>`
  })
  return `<table class="on-table"><caption class="on-hidden">${escape(caption)}</caption><thead><tr>${head.join('')}</tr></thead>` +
    `<tbody>${body.join('')}</tbody></table>`
}

/**
 * JSON in lines, short lists on one line each, its parts marked with classes.
 *
 * @param {unknown} value
 * @param {{ width?: number }} [options] lists that fit into this many characters stay on a line
 * @returns {string} HTML: the contents of a <pre>
 */
export function renderJson(value, { width = 96 } = {}) {
  return formatJson(value, width).replace(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[^"\-\dtfn]+|[\s\S]/g,
    (part, string, colon) =>
      string !== undefined && colon !== undefined ? `<span class="on-json-key">${escape(string)}</span>${colon}`
      : string !== undefined ? `<span class="on-json-string">${escape(string)}</span>`
      : /^-?\d/.test(part) ? `<span class="on-json-number">${part}</span>`
      : /^(?:true|false|null)$/.test(part) ? `<span class="on-json-word">${part}</span>`
      : escape(part))
}

/** JSON as text, the way renderJson shows it. */
export function formatJson(value, width = 96) {
  const write = (part, indent, used) => {
    const flat = JSON.stringify(part)
    if (part === null || typeof part !== 'object' || flat.length + used <= width) {
      return part === null || typeof part !== 'object' ? flat : flat.replace(/("(?:[^"\\]|\\.)*"|[^",:]+)|([,:])/g, (_, keep, mark) => keep ?? `${mark} `)
    }
    const inner = `${indent}  `
    if (Array.isArray(part)) {
      // As many to a line as fit.
      const lines = ['']
      part.forEach((item, i) => {
        const text = write(item, inner, inner.length) + (i + 1 < part.length ? ',' : '')
        const last = lines.length - 1
        if (lines[last] !== '' && (lines[last].length + text.length + inner.length > width || text.includes('\n'))) lines.push(text)
        else lines[last] += (lines[last] === '' ? '' : ' ') + text
      })
      return `[\n${lines.map((line) => inner + line).join('\n')}\n${indent}]`
    }
    const entries = Object.entries(part).map(([key, item]) => {
      const name = JSON.stringify(key)
      return `${inner}${name}: ${write(item, inner, inner.length + name.length + 2)}`
    })
    return `{\n${entries.join(',\n')}\n${indent}}`
  }
  return write(value, '', 0)
}
