// An OnnxEngine out of a package of onnxruntime: onnxruntime-web and onnxruntime-node have the same interface.

/**
 * @param {() => unknown} load gives the package
 * @param {object} options of its sessions
 * @param {(model: import('../core/engine.js').OnnxModel) => unknown} contentOf what a session is made of
 * @returns {import('../core/engine.js').OnnxEngine}
 */
export function engineOf(load, options, contentOf) {
  return {
    async open(model) {
      const loaded = await load()
      // A CommonJS package has its names in `default`.
      const { InferenceSession, Tensor } = loaded.InferenceSession ? loaded : loaded.default
      const session = await InferenceSession.create(await contentOf(model), options)
      return {
        inputNames: session.inputNames,
        outputNames: session.outputNames,
        async run(feeds) {
          const tensors = Object.entries(feeds).map(([name, { data, dims }]) => [name, new Tensor('int64', data, dims)])
          const outputs = Object.entries(await session.run(Object.fromEntries(tensors)))
          // What lies on a graphics card has to be fetched.
          const read = outputs.map(async ([name, output]) => [name, { data: (await output.getData?.()) ?? output.data, dims: output.dims }])
          return Object.fromEntries(await Promise.all(read))
        },
        release: () => session.release(),
      }
    },
  }
}
