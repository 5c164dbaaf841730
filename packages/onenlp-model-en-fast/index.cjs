'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en-fast.onenlp', pathToFileURL(__filename)),
  sha256: '17790fbef0212eb02e0f45171c86723227d0049793ac17e5c8d4c8425e9e0e85',
  size: 2323088,
  language: 'en',
}
