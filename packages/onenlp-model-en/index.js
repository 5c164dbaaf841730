// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en.onenlp', import.meta.url)
export const sha256 = '8d79531bc652d52688ff885a3a8c33582f05e98ea14065a1fb995b56098ce34d'
export const size = 2940184
export const language = 'en'
