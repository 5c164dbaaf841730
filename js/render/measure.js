// How wide a text will be. Without a screen this is an estimate, on the wide side; a page passes
// `measure` to the renderers to use its fonts' own measure.

const SIZES = { form: 16, upos: 11, lemma: 13, deprel: 12 }

export const fontSize = (role) => SIZES[role] ?? SIZES.form

const NARROW = /[ijlftrI.,;:'’`|!()[\]{}\-/\\ ]/
const WIDE = /[mwMW@%—…]/
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u
const FULL = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/**
 * @param {string} text
 * @param {'form' | 'upos' | 'lemma' | 'deprel'} role
 * @returns {number} pixels
 */
export function estimate(text, role) {
  let em = 0
  for (const character of text) {
    if (ZERO.test(character)) continue
    em += NARROW.test(character) ? 0.36 : WIDE.test(character) ? 0.95 : FULL.test(character) ? 1.05
      : /\p{Lu}/u.test(character) ? 0.72 : /[ -~]/.test(character) ? 0.58 : 0.66
  }
  return em * fontSize(role)
}
