'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en-intents.onenlp', pathToFileURL(__filename)),
  sha256: 'c601d0b820a78ee3f241090a114a7e54544e63807a10c9466b4d1e0cf1013e96',
  size: 2127984,
  language: 'en',
}
