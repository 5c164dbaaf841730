'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./pt.onenlp', pathToFileURL(__filename)),
  sha256: '21256790087b27462f932ffe0f0ade95a5fd86e38d77d18c049d76099be62410',
  size: 2526920,
  language: 'pt',
}
