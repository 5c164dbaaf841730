// Text on its way into markup.

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it may stand in HTML and SVG, in an attribute as between tags. */
export function escape(text) {
  return String(text ?? '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character])
    // Neither may stand in XML, not even as a reference; SVG that is saved must stay readable.
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

/** A name as part of a class: letters, digits, '-' and '_' only. */
export function className(name) {
  return String(name ?? '').replace(/[^A-Za-z0-9_-]/g, '_')
}

/** A number for an attribute: at most two decimals. */
export function number(value) {
  return String(Math.round(value * 100) / 100)
}
