// Where the pipeline file is. Bundlers know this form and take the file along.

export const url = new URL('./fr.onenlp', import.meta.url)
export const sha256 = 'b73e2aca073c583ed57ca5fc852b70ee58a263656d0f5d7112af0ea8388199e1'
export const size = 3025360
export const language = 'fr'
