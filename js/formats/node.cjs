'use strict'
// onenlp/formats in Node, for require().

const { OnenlpError } = require('../node.cjs')

const formats = () => import('./node.js')

module.exports = {
  OnenlpError,
  convert: async (...args) => (await formats()).convert(...args),
  evaluateJsonl: async (...args) => (await formats()).evaluateJsonl(...args),
  evaluate: async (...args) => (await formats()).evaluate(...args),
}
