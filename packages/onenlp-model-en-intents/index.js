// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en-intents.onenlp', import.meta.url)
export const sha256 = 'c601d0b820a78ee3f241090a114a7e54544e63807a10c9466b4d1e0cf1013e96'
export const size = 2127984
export const language = 'en'
