// Arguments and help of the commands.

import { parseArgs } from 'node:util'

import { bold, cyan } from './style.mjs'

/** Wrong arguments: exit code 2. */
export class UsageError extends Error {}

const WIDTH = 92
const HELP_COLUMN = 28

function wrap(text, indent) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== '' && indent + last.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

function helpOf({ usage, description, options }) {
  const lines = Object.entries({ ...options, help: { short: 'h', help: 'Show this help.' } }).map(([name, { short, value, help }]) => {
    const left = `  ${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`
    const gap = left.length + 2 > HELP_COLUMN ? `\n${' '.repeat(HELP_COLUMN)}` : ' '.repeat(HELP_COLUMN - left.length)
    return `${cyan(left)}${gap}${wrap(help, HELP_COLUMN)}`
  })
  return `${bold('Usage:')} onenlp ${usage}

${wrap(description, 0)}

${bold('Options:')}
${lines.join('\n')}

${bold('Exit status:')} 0 when all went well (also when the reader of the output went away early), 1 when an
input, a pipeline or a file failed, 2 for wrong arguments, 130 after Ctrl-C (128 and the signal).
`
}

/**
 * Reads a command's arguments: { values, operands }, or null after --help.
 *
 * @param {{ usage: string, description: string,
 *     options: Record<string, { short?: string, value?: string, help: string }> }} command
 */
export function readArgs(command, args) {
  const options = { help: { type: 'boolean', short: 'h' } }
  for (const [name, { short, value }] of Object.entries(command.options)) {
    options[name] = { type: value ? 'string' : 'boolean', ...(short && { short }) }
  }
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error
    throw new UsageError(error.message.split('. ')[0].split('\n')[0])
  }
  if (parsed.values.help) {
    process.stdout.write(helpOf(command))
    return null
  }
  return { values: parsed.values, operands: parsed.positionals }
}

export function count(name, value, most) {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN
  if (number <= most) return number
  throw new UsageError(`--${name} is '${value}', want a number from 0 to ${most}`)
}

export function choice(name, value, names) {
  if (names.includes(value)) return value
  throw new UsageError(`--${name} is '${value}', want one of ${names.join(', ')}`)
}
