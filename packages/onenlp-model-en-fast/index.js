// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en-fast.onenlp', import.meta.url)
export const sha256 = '17790fbef0212eb02e0f45171c86723227d0049793ac17e5c8d4c8425e9e0e85'
export const size = 2323088
export const language = 'en'
