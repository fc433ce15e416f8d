import { CHAIN_END, type Finding, verifyAudit } from '#access/audit/index.ts'
import { readCommandLine, rejectPositionals, UsageError } from '../command-line.ts'
import { loadConfig } from '../config.ts'
import { printMessage, runCommand, withDatabases } from './run-command.ts'

const HELP = `Usage: npm run verify-audit -- [--end POSITION:DIGEST]

Computes the chain of digests over the audit again, and names every entry that was changed, removed or inserted without the
service (docs/staff.md). It changes nothing, and works whether the service is running or not. It prints the end of the chain to
stdout. Store the end elsewhere and pass it to the next run, which then also detects a chain that was computed again. It exits with 1 if
anything is wrong.

  --end END    the end that an earlier run printed
  --help       print this

Examples:

  npm run verify-audit
  END=$(npm run --silent verify-audit)
  npm run verify-audit -- --end "$END"
`

const WHAT: Readonly<Record<Finding['kind'], string>> = {
  changed: 'the entry, or its digest, was changed',
  reason_changed: 'its reason was changed',
  removed: 'the entry was removed',
  inserted: 'the entry was inserted later, with another time',
  digest_removed: 'digests before this entry were removed',
}

async function verify(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readCommandLine(argv, { end: { type: 'string' } }, HELP)
  rejectPositionals(positionals, HELP)
  const { end: earlier = null } = values
  if (earlier !== null && !CHAIN_END.test(earlier)) {
    throw new UsageError('--end is a position, a colon and 64 hexadecimal digits.', HELP)
  }
  const found = await withDatabases(loadConfig(), ({ platform }) => verifyAudit(platform.reads, earlier))
  printMessage(`${found.entries} entries are in the chain, ${found.waiting} wait for the worker.`)
  for (const { entry, kind } of found.findings) printMessage(`Entry ${entry}: ${WHAT[kind]}.`)
  if (found.knowsEarlierEnd === false)
    printMessage(`The chain does not contain ${earlier}: its end was removed, or it was written again.`)
  if (found.end !== null) process.stdout.write(`${found.end}\n`)
  const isWhole = found.findings.length === 0 && found.knowsEarlierEnd !== false
  printMessage(isWhole ? 'The chain is whole.' : 'The chain is broken.')
  return isWhole ? 0 : 1
}

await runCommand(verify)
