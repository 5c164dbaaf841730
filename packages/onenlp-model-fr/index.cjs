'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./fr.onenlp', pathToFileURL(__filename)),
  sha256: 'b73e2aca073c583ed57ca5fc852b70ee58a263656d0f5d7112af0ea8388199e1',
  size: 3025360,
  language: 'fr',
}
