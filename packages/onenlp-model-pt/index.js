// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./pt.onenlp', import.meta.url)
export const sha256 = 'ff7c686e8a724b7c747e9ab8ba767f549edb1d4550bf13b5f8f42af5d9b7b1a5'
export const size = 3092360
export const language = 'pt'
