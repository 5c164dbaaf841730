export interface OnnxruntimeOptions {
  /** The package, where it was imported already; else it is imported when a model is opened. */
  ort?: object | undefined
  /** Everything else is handed to the sessions: executionProviders, graphOptimizationLevel, ... */
  [option: string]: unknown
}
