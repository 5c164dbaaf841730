// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./fr.onenlp', import.meta.url)
export const sha256 = '07ce07c6b852021af6e52f3b0bfcc3fdaaac55132b7a00e33af7f10fd5fe2dce'
export const size = 2459856
export const language = 'fr'
