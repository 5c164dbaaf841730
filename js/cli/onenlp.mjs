#!/usr/bin/env node
// The command `onenlp` of the npm package: the native program's commands, through the module.

import { UsageError } from './args.mjs'
import { say } from './files.mjs'
import { bold, cyan, red } from './style.mjs'

const commands = {
  annotate: 'annotate text or CoNLL-U with a pipeline',
  evaluate: 'score a pipeline, or one CoNLL-U file against another',
  inspect: 'show what a pipeline file holds',
  convert: 'convert between formats, checking them; store a pipeline compactly',
}

const help = `${bold('Usage:')} onenlp COMMAND [OPTION...] [INPUT...]

Text in, CoNLL-U out: tokens, sentences, tags, features, lemmas and more, by trained pipelines.

${bold('Commands:')}
${Object.entries(commands).map(([name, summary]) => `  ${cyan(name.padEnd(10))} ${summary}`).join('\n')}

'onenlp COMMAND --help' says more. 'onenlp --version' shows the version.
`

async function main([name, ...args]) {
  if (name === undefined) {
    process.stderr.write(help)
    return 2
  }
  if (['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(help)
    return 0
  }
  if (name === '--version') {
    const { version } = (await import('node:module')).createRequire(import.meta.url)('../../package.json')
    process.stdout.write(`onenlp ${version}\n`)
    return 0
  }
  if (!Object.hasOwn(commands, name)) {
    say(`${red('onenlp:')} there is no command '${name}'. Try 'onenlp --help'.`)
    return 2
  }
  try {
    const command = await import(`./${name}.mjs`)
    return await command.run(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    say(`${red(`onenlp ${name}:`)} ${error.message}\nTry 'onenlp ${name} --help'.`)
    return 2
  }
}

// A reader that goes away (`| head`) is no error: what writes sees it and stops.
process.stdout.on('error', () => {})
process.exitCode = await main(process.argv.slice(2))
