import { HelpWanted, readCommandLine, rejectPositionals, UsageError } from '../command-line.ts'
import { verifySync } from '../verify-sync.ts'

// For partners, against any server: it uses only HTTP and no code of the service.
const HELP = `Usage: npm run verify-sync -- --base-url https://… --token at_… [--seconds 60] [--company co_…]

Lists the investments the token sees, syncs for so long, and compares what that gives with a new listing.
Exit code 0 when they agree, 1 when they do not, 2 when it could not be found out.

  --base-url URL   where the service is
  --token TOKEN    an access token with the scope read:investments
  --seconds N      how long to sync (default: 60)
  --company ID     only the investments in this company
  --help           print this

Examples:

  npm run verify-sync -- --base-url http://127.0.0.1:4400 --token at_test_… --seconds 10
  npm run verify-sync -- --base-url https://api.example.com --token "$TOKEN" --company co_0V8Zq3…
`

const EXIT_UNKNOWN = 2

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const options = { 'base-url': text, token: text, seconds: text, company: text }
  const { values, positionals } = readCommandLine(argv, options, HELP)
  rejectPositionals(positionals, HELP)
  const { 'base-url': baseUrl = '', token, seconds = '60', company } = values
  if (!URL.canParse(baseUrl)) throw new UsageError('--base-url must be the address of the service.', HELP)
  if (token === undefined) throw new UsageError('--token is missing.', HELP)
  if (!/^\d{1,6}$/.test(seconds)) throw new UsageError('--seconds must be a whole number.', HELP)
  const address = new URL(baseUrl).href.replace(/\/$/, '')
  return { baseUrl: address, token, seconds: Number(seconds), ...(company === undefined ? {} : { company }) }
}

try {
  const settings = readArguments(process.argv.slice(2))
  const agrees = await verifySync(settings, (line) => process.stdout.write(`${line}\n`))
  process.exitCode = agrees ? 0 : 1
} catch (error) {
  if (error instanceof HelpWanted) process.stdout.write(error.message)
  else {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = EXIT_UNKNOWN
  }
}
