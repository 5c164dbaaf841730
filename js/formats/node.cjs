'use strict'
// onenlp/formats in Node, for require().

const { OnenlpError } = require('../node.cjs')

const formats = () => import('./node.js')

/** A function that resolves to something. */
const promising = (name) => async (...args) => (await formats())[name](...args)

/** A function that gives one thing after another. */
const streaming = (name) => async function* (...args) {
  yield* (await formats())[name](...args)
}

module.exports = {
  OnenlpError,
  align: promising('align'),
  convert: promising('convert'),
  convertStream: streaming('convertStream'),
  evaluate: promising('evaluate'),
  evaluateJsonl: promising('evaluateJsonl'),
  readConllu: streaming('readConllu'),
  readJsonl: streaming('readJsonl'),
  writeConllu: streaming('writeConllu'),
  writeJsonl: streaming('writeJsonl'),
}
