// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en-fast.onenlp', import.meta.url)
export const sha256 = '65796149355204d23785e7e1d2fcaf101592d986c670f4c58e76d145a16fb552'
export const size = 2061816
export const language = 'en'
