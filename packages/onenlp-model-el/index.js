// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./el.onenlp', import.meta.url)
export const sha256 = '351d29be170f135c940fabfaff2e35a0975144f30794dcd477254edb25e6ee18'
export const size = 2775040
export const language = 'el'
