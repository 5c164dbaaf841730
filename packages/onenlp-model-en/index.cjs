'use strict'
// The same for require().

const { pathToFileURL } = require('node:url')

module.exports = {
  url: new URL('./en.onenlp', pathToFileURL(__filename)),
  sha256: '30a6a26b502a826be98f94182c02bb190493fcf02c90163f04b296051a5d61c8',
  size: 2940056,
  language: 'en',
}
