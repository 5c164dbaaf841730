'use strict'
// onenlp in Node, for require(): the same objects as the ES module's, so there is one class of each.

module.exports = require('./node.js')
