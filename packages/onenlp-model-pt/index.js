// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./pt.onenlp', import.meta.url)
export const sha256 = '21256790087b27462f932ffe0f0ade95a5fd86e38d77d18c049d76099be62410'
export const size = 2526920
export const language = 'pt'
