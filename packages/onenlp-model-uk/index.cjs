'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./uk.onenlp', pathToFileURL(__filename)),
  sha256: '2a74032fbfa2d0338c1b7f184a76315dd73dadfa049a1ebc667d25ae25f8928b',
  size: 2311896,
  language: 'uk',
}
