'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./pt.onenlp', pathToFileURL(__filename)),
  sha256: 'ff7c686e8a724b7c747e9ab8ba767f549edb1d4550bf13b5f8f42af5d9b7b1a5',
  size: 3092360,
  language: 'pt',
}
