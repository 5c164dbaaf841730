// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./el.onenlp', import.meta.url)
export const sha256 = '286fdce7490a93e374da3b0f54607e070ba93b85a55a4115ee30ce3a78d786d0'
export const size = 2209536
export const language = 'el'
