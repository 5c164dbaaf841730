// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en.onenlp', import.meta.url)
export const sha256 = '1390eb0ea1e88898b3d26e5e9c33813235d7b0c1a8a8e517c405689d9b0aaaa6'
export const size = 2940248
export const language = 'en'
