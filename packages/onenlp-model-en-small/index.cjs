'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en-small.onenlp', pathToFileURL(__filename)),
  sha256: '3fc2de9ee5e1b9818ea645424c6edd50e8dbf8ad2a35942d96203e18906ff99a',
  size: 402424,
  language: 'en',
}
