import { COMMON_OPTIONS, type Command, type Options } from './command.ts'

export function commandHelp({ name, usage, summary, about, options, examples }: Command): string {
  const ownOptions = Object.keys(options).length === 0 ? '' : `\nOptions:\n\n${optionLines(options)}\n`
  return `Usage: portico ${`${name} ${usage}`.trim()}

${about ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`}
${ownOptions}
Options of every command:

${optionLines(COMMON_OPTIONS)}

Examples:

${examples.map((example) => `  ${example}`).join('\n')}
`
}

export function generalHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return `Usage: portico COMMAND [OPTIONS]

The command line of Portico: listen for events, make them happen in the sandbox, manage apps.

Commands:

${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

portico COMMAND --help describes each command, with examples. Exit codes and the form of --json are in docs/command-line.md.

Examples:

  portico listen --forward-to http://127.0.0.1:3000/hook
  portico trigger investment.created
  portico events list --json
`
}

function optionLines(options: Options): string {
  const names = Object.entries(options).map(([name, { value, short }]) => {
    const long = value === undefined ? `--${name}` : `--${name} ${value}`
    return short === undefined ? long : `-${short}, ${long}`
  })
  const width = Math.max(...names.map((name) => name.length))
  return Object.values(options)
    .map(({ about }, at) => `  ${(names[at] ?? '').padEnd(width)}  ${about}`)
    .join('\n')
}
