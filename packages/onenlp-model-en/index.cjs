'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en.onenlp', pathToFileURL(__filename)),
  sha256: '8d79531bc652d52688ff885a3a8c33582f05e98ea14065a1fb995b56098ce34d',
  size: 2940184,
  language: 'en',
}
