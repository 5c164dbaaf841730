// How wide texts are in this page's fonts.

const FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
const FONTS = { form: `16px ${FONT}`, upos: `600 11px ${FONT}`, lemma: `13px ${FONT}`, deprel: `600 12px ${FONT}` }
const LIMIT = 20_000

const context = document.createElement('canvas').getContext('2d')
const widths = new Map()

export function measure(text, role) {
  const key = `${role}\n${text}`
  let width = widths.get(key)
  if (width === undefined) {
    if (widths.size > LIMIT) widths.clear()
    context.font = FONTS[role] ?? FONTS.form
    width = context.measureText(text).width
    widths.set(key, width)
  }
  return width
}
