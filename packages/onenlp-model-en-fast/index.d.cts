// Types of onenlp-model-en-fast.

// The global class where the program's libraries know it.
type Url = typeof globalThis extends { URL: { prototype: infer T } } ? T : never

/** Where the pipeline file is: for loadPipeline or fetch. Bundlers take the file along. */
export declare const url: Url
/** The file's SHA-256, for loadPipeline's option of that name. */
export declare const sha256: string
/** The file's size in bytes. */
export declare const size: number
export declare const language: 'en'
