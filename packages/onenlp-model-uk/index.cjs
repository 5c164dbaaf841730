'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./uk.onenlp', pathToFileURL(__filename)),
  sha256: 'be26afc12406e25e3fd2b057ecfdd61be120c35b5a9c54c9f219d6f4b03163dc',
  size: 2877464,
  language: 'uk',
}
