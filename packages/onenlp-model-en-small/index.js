// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en-small.onenlp', import.meta.url)
export const sha256 = '611e657f12298b45783f4bd3544c29ea7052fd2d96e463ce321c436b9a90812b'
export const size = 1113288
export const language = 'en'
