'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en-fast.onenlp', pathToFileURL(__filename)),
  sha256: '65796149355204d23785e7e1d2fcaf101592d986c670f4c58e76d145a16fb552',
  size: 2061816,
  language: 'en',
}
