'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./el.onenlp', pathToFileURL(__filename)),
  sha256: '351d29be170f135c940fabfaff2e35a0975144f30794dcd477254edb25e6ee18',
  size: 2775040,
  language: 'el',
}
