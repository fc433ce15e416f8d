import { parseArgs } from 'node:util'
import { verifySync } from '../verify-sync/verify-sync.ts'

// For partners, against any server: it speaks HTTP, and shares nothing with the service it checks.
const USAGE = `Usage: npm run verify-sync -- --base-url https://… --token at_… [--seconds 60] [--company co_…]

Lists the investments the token sees, syncs for so long, and compares what that gives with a new listing.
Exit code 0 when they agree, 1 when they do not, 2 when it could not be found out.`

const EXIT_UNKNOWN = 2

function readArguments(argv: readonly string[]) {
  const options = { 'base-url': { type: 'string' }, token: { type: 'string' }, seconds: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...argv], options: { ...options, company: { type: 'string' } } })
  const { 'base-url': baseUrl, token, seconds = '60', company } = values
  if (baseUrl === undefined || token === undefined || !/^\d{1,6}$/.test(seconds)) throw new Error(USAGE)
  const address = new URL(baseUrl).href.replace(/\/$/, '')
  return { baseUrl: address, token, seconds: Number(seconds), ...(company === undefined ? {} : { company }) }
}

try {
  const settings = readArguments(process.argv.slice(2))
  const agrees = await verifySync(settings, (line) => process.stdout.write(`${line}\n`))
  process.exitCode = agrees ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = EXIT_UNKNOWN
}
