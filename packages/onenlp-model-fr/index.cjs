'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./fr.onenlp', pathToFileURL(__filename)),
  sha256: '07ce07c6b852021af6e52f3b0bfcc3fdaaac55132b7a00e33af7f10fd5fe2dce',
  size: 2459856,
  language: 'fr',
}
