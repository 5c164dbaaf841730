// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./uk.onenlp', import.meta.url)
export const sha256 = 'be26afc12406e25e3fd2b057ecfdd61be120c35b5a9c54c9f219d6f4b03163dc'
export const size = 2877464
export const language = 'uk'
