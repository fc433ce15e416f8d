import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** The --help text of a command. Its first paragraph is the usage, which error messages repeat. */
export type Help = string

/** Thrown for an invalid command line. The process exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(problem: string, help: Help) {
    super(`${problem}\n\n${usageIn(help)}\n\nAdd --help for what it does and for examples.`)
  }
}

/** Thrown for --help. The process prints the text to stdout and exits with code 0. */
export class HelpWanted extends Error {
  override readonly name = 'HelpWanted'
}

export const EXIT_BAD_USAGE = 2

/** Reads options and positional arguments. Throws `HelpWanted` or `UsageError` before the command does anything. */
export function readCommandLine<const O extends ParseArgsOptionsConfig>(
  argv: readonly string[],
  options: O,
  help: Help,
) {
  if (wantsHelp(argv)) throw new HelpWanted(help)
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(problemIn(error), help)
  }
}

/** Parses the command line of a script without positional arguments. */
export function scriptOptions<const O extends ParseArgsOptionsConfig>(options: O, help: Help) {
  return orExit(() => {
    const { values, positionals } = readCommandLine(process.argv.slice(2), options, help)
    rejectPositionals(positionals, help)
    return values
  })
}

/** Prints the help or the error and ends the process, for scripts. */
export function orExit<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof HelpWanted) {
      process.stdout.write(error.message)
      process.exit(0)
    }
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(EXIT_BAD_USAGE)
  }
}

/** Rejects positional arguments, for a command that takes none. */
export function rejectPositionals(positionals: readonly string[], help: Help): void {
  const [first] = positionals
  if (first !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(first)}.`, help)
}

/** Arguments after `--` are not options. */
function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some((word) => word === '--help' || word === '-h')
}

/** Shortens Node's message, which continues with advice about arguments that begin with a dash. */
function problemIn(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [sentence = text] = text.split(/\. |\n/)
  return `${sentence.replace(/\.$/, '')}.`
}

function usageIn(help: Help): string {
  const [usage = help] = help.split('\n\n')
  return usage
}

const ROLES = ['api', 'worker', 'all'] as const
export type Role = (typeof ROLES)[number]
export type Arguments = { readonly role: Role; readonly reset: boolean }

const HELP = `Usage: npm start -- [--role ${ROLES.join('|')}] [--reset]

Starts Portico. Without DATABASE_URL it runs its own PostgreSQL, stores all data in .portico, and the first start creates
a demo world.

  --role ROLE   what this process does: api, worker, or all (default: the API, and the workers in a thread of their own)
  --reset       delete the embedded database and start with an empty one; rejected with DATABASE_URL
  --help        print this

Settings are environment variables: docs/configuration.md lists them.

Examples:

  npm start
  PORT=8080 npm start
  PORTICO_DEMO=off npm start -- --reset
  LOG_FORMAT=json npm start
  DATABASE_URL=postgres://user:password@host/portico PORTICO_SECRET="$(openssl rand -base64 48)" npm start -- --role api
`

export function parseArguments(argv: readonly string[]): Arguments {
  const options = { role: { type: 'string', default: 'all' }, reset: { type: 'boolean', default: false } } as const
  const { values, positionals } = readCommandLine(argv, options, HELP)
  rejectPositionals(positionals, HELP)
  const { role, reset } = values
  const validRole = ROLES.find((name) => name === role)
  if (validRole === undefined) throw new UsageError(`--role ${role} is not one of ${ROLES.join(', ')}.`, HELP)
  return { role: validRole, reset }
}
