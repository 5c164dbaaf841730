'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en-small.onenlp', pathToFileURL(__filename)),
  sha256: '611e657f12298b45783f4bd3544c29ea7052fd2d96e463ce321c436b9a90812b',
  size: 1113288,
  language: 'en',
}
