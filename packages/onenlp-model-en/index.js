// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./en.onenlp', import.meta.url)
export const sha256 = '30a6a26b502a826be98f94182c02bb190493fcf02c90163f04b296051a5d61c8'
export const size = 2940056
export const language = 'en'
