// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en-small.onenlp', import.meta.url)
export const sha256 = '3fc2de9ee5e1b9818ea645424c6edd50e8dbf8ad2a35942d96203e18906ff99a'
export const size = 402424
export const language = 'en'
