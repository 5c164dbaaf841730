'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./el.onenlp', pathToFileURL(__filename)),
  sha256: '286fdce7490a93e374da3b0f54607e070ba93b85a55a4115ee30ce3a78d786d0',
  size: 2209536,
  language: 'el',
}
