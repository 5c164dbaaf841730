// Types of `onenlp/worker`: a module for a worker, that exports nothing.
export {}
