'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en.onenlp', pathToFileURL(__filename)),
  sha256: '1390eb0ea1e88898b3d26e5e9c33813235d7b0c1a8a8e517c405689d9b0aaaa6',
  size: 2940248,
  language: 'en',
}
