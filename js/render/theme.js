// The colours: one truth for render.css (whose variables a test compares with these) and for drawings
// that must stand alone, as attributes. Every pair is [background, text] with a contrast above 7:1.

export const UPOS_COLOURS = {
  NOUN: { light: ['#cbe0fb', '#083268'], dark: ['#1e395c', '#c6ddfa'] },
  PROPN: { light: ['#cbf0fb', '#085368'], dark: ['#1e4f5c', '#c6effa'] },
  PRON: { light: ['#cecef8', '#0e0e62'], dark: ['#222259', '#c9c9f7'] },
  VERB: { light: ['#f9cecd', '#650e0b'], dark: ['#5b2220', '#f9cac8'] },
  AUX: { light: ['#f7cfe0', '#5f1132'], dark: ['#572339', '#f6cbdd'] },
  ADJ: { light: ['#d2f4e0', '#165a32'], dark: ['#27533a', '#cef3dd'] },
  ADV: { light: ['#cff7f0', '#115f52'], dark: ['#23574e', '#cbf6ef'] },
  ADP: { light: ['#dde1e9', '#2c3444'], dark: ['#353b45', '#dadee7'] },
  DET: { light: ['#fbefcb', '#685008'], dark: ['#5c4d1e', '#faedc6'] },
  NUM: { light: ['#e6f2d4', '#3d5719'], dark: ['#415129', '#e3f1d0'] },
  CCONJ: { light: ['#e4d1f5', '#3b145d'], dark: ['#3f2555', '#e2cdf4'] },
  SCONJ: { light: ['#eed2f4', '#4f165a'], dark: ['#4c2753', '#edcef3'] },
  PART: { light: ['#f2d4ec', '#57194b'], dark: ['#512949', '#f1d0ea'] },
  INTJ: { light: ['#fbdecb', '#682f08'], dark: ['#5c371e', '#fadbc6'] },
  SYM: { light: ['#eae3dc', '#46382a'], dark: ['#463d34', '#e8e0d9'] },
  PUNCT: { light: ['#e1e2e5', '#34373d'], dark: ['#3a3c40', '#dee0e3'] },
  X: { light: ['#e4e2e2', '#3b3535'], dark: ['#3f3b3b', '#e2dfdf'] },
}

/** Colours of labels that have no meaning of their own: [background, text, line]. */
export const LABEL_COLOURS = [
  { light: ['#c3daf8', '#0e3262', '#2061b6'], dark: ['#243e60', '#cee0f8', '#78a6e2'] },
  { light: ['#f8c5c3', '#62110e', '#b62520'], dark: ['#602624', '#f8cfce', '#e27c78'] },
  { light: ['#c3f8d9', '#0e6231', '#20b65f'], dark: ['#24603d', '#cef8df', '#78e2a5'] },
  { light: ['#f8ebc3', '#624d0e', '#b69120'], dark: ['#605124', '#f8edce', '#e2c878'] },
  { light: ['#e0c3f8', '#3b0e62', '#7020b6'], dark: ['#442460', '#e4cef8', '#b178e2'] },
  { light: ['#c3f4f8', '#0e5b62', '#20aab6'], dark: ['#245b60', '#cef4f8', '#78dae2'] },
  { light: ['#f8d9c3', '#62300e', '#b65c20'], dark: ['#603c24', '#f8dfce', '#e2a378'] },
  { light: ['#f8c3e2', '#620e3f', '#b62078'], dark: ['#602447', '#f8cee6', '#e278b6'] },
]

export const BASE_COLOURS = {
  surface: { light: '#ffffff', dark: '#16191d' },
  text: { light: '#1a1d21', dark: '#e9ebee' },
  muted: { light: '#565d66', dark: '#a9b1bb' },
  line: { light: '#78818c', dark: '#7f8a97' },
  rule: { light: '#d5dae0', dark: '#353b43' },
  accent: { light: '#1f5fbf', dark: '#8ab8ff' },
  wrong: { light: '#b3261e', dark: '#ff9a90' },
  gold: { light: '#0b6b3a', dark: '#6fdc9f' },
}

// Labels in use everywhere have a colour of their own; others get one by their name.
const KNOWN_LABELS = {
  PER: 0, PERSON: 0, ORG: 4, LOC: 2, GPE: 2, FAC: 5, MISC: 3, NORP: 6, DATE: 7, TIME: 7, EVENT: 6, PRODUCT: 5,
  WORK_OF_ART: 1, LAW: 1, LANGUAGE: 3, MONEY: 3, QUANTITY: 3, CARDINAL: 3, ORDINAL: 3, PERCENT: 3,
}

/** The number of a label's colour. */
export function colourOfLabel(label) {
  if (Object.hasOwn(KNOWN_LABELS, label)) return KNOWN_LABELS[label]
  let hash = 0
  for (const character of String(label)) hash = (hash * 31 + character.codePointAt(0)) >>> 0
  return hash % LABEL_COLOURS.length
}

const FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"

/**
 * How elements of a drawing get their looks. Without a theme by classes alone, for render.css; with
 * 'light' or 'dark' by attributes as well, for a file that stands alone.
 *
 * @param {'light' | 'dark' | null} [theme]
 * @returns {(names: string, upos?: string | null) => string} the attributes
 */
export function painter(theme) {
  if (!theme) return (names) => ` class="${names}"`
  const colour = (name) => BASE_COLOURS[name][theme]
  const looks = {
    'on-background': { fill: colour('surface') },
    'on-line': { fill: 'none', stroke: colour('line'), 'stroke-width': 1.5 },
    'on-line on-wrong': { fill: 'none', stroke: colour('wrong'), 'stroke-width': 2 },
    'on-line on-gold': { fill: 'none', stroke: colour('gold'), 'stroke-width': 2, 'stroke-dasharray': '5 3' },
    'on-tip': { fill: colour('line') },
    'on-tip on-wrong': { fill: colour('wrong') },
    'on-tip on-gold': { fill: colour('gold') },
    'on-label-back': { fill: colour('surface') },
    'on-deprel': { fill: colour('muted'), 'font-size': 12 },
    'on-deprel on-wrong': { fill: colour('wrong'), 'font-size': 12, 'font-weight': 600 },
    'on-deprel on-gold': { fill: colour('gold'), 'font-size': 12, 'font-weight': 600 },
    'on-form': { fill: colour('text'), 'font-size': 16 },
    'on-lemma': { fill: colour('muted'), 'font-size': 13 },
    'on-upos on-gold': { fill: colour('gold'), 'font-size': 11, 'font-weight': 600 },
    'on-bracket': { fill: 'none', stroke: colour('line'), 'stroke-width': 1 },
    'on-surface-form': { fill: colour('muted'), 'font-size': 13 },
  }
  return (names, upos) => {
    const [background, text] = (UPOS_COLOURS[upos] ?? UPOS_COLOURS.X)[theme]
    const look = names === 'on-upos-back' ? { fill: background }
      : names === 'on-upos' ? { fill: text, 'font-size': 11, 'font-weight': 600 }
      : looks[names] ?? {}
    return Object.entries(look).map(([name, value]) => ` ${name}="${value}"`).join('')
  }
}

/** Attributes of the outermost element: the fonts of a drawing that stands alone. */
export const rootLooks = (theme) => (theme ? ` font-family="${FONT}"` : '')
