import { readCommandLine, refusePositionals, UsageError } from './command-line.ts'

export const ROLES = ['api', 'worker', 'all'] as const
export type Role = (typeof ROLES)[number]
export type Arguments = { readonly role: Role; readonly reset: boolean }

const HELP = `Usage: npm start -- [--role ${ROLES.join('|')}] [--reset]

Starts Portico. Without DATABASE_URL it brings its own PostgreSQL, keeps everything in .portico, and the first start makes
a demo world to try things with.

  --role ROLE   what this process does: api, worker, or all (default: the API, and the workers in a thread of their own)
  --reset       throw away the embedded database and start with an empty one; rejected with DATABASE_URL
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
  refusePositionals(positionals, HELP)
  const { role, reset } = values
  const known = ROLES.find((name) => name === role)
  if (known === undefined) throw new UsageError(`--role ${role} is not one of ${ROLES.join(', ')}.`, HELP)
  return { role: known, reset }
}
