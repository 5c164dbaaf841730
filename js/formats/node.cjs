'use strict'
// onenlp/formats in Node, for require(); see ../node.cjs.

module.exports = require('./node.js')
