// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./uk.onenlp', import.meta.url)
export const sha256 = '2a74032fbfa2d0338c1b7f184a76315dd73dadfa049a1ebc667d25ae25f8928b'
export const size = 2311896
export const language = 'uk'
