import { printTable } from '../../bench/table.ts'
import { orExit, readCommandLine, rejectPositionals, UsageError } from '../../server/src/main/command-line.ts'
import { seeded } from '../../server/test/prove/random.ts'
import { needPackages } from '../support/debian.ts'
import { Machine } from '../support/machine.ts'
import { presentRelease } from '../support/portico.ts'
import { openReceiver } from '../support/receiver.ts'
import { reportChecks } from '../support/report-checks.ts'
import { onMachine } from '../support/run.ts'
import { type Drilled, drill } from './drill.ts'
import { byDump, byPgBackRest } from './methods.ts'

const HELP = `Usage: npm run ops:backup -- [--seed 1]

Backs up Portico's PostgreSQL 15 under load, deletes it, restores it into a new server, sends all facts again, and
checks that no fact, delivery or record of a partner's copy is missing (docs/operations.md). Runs once with pg_dump,
and once with pgBackRest to a point in time. Needs Debian 12; as root it installs the packages that are missing. Exit
code 1 if a check failed.

  --seed N    the number that decides every random choice (default 1)
  --help      print this

Examples:

  npm run ops:backup
  npm run ops:backup -- --seed 7
`

const METHODS = [byDump, byPgBackRest]

const seed = orExit(() => {
  const { values, positionals } = readCommandLine(
    process.argv.slice(2),
    { seed: { type: 'string', default: '1' } } as const,
    HELP,
  )
  rejectPositionals(positionals, HELP)
  const seed = Number(values.seed)
  if (!Number.isSafeInteger(seed) || seed < 0) throw new UsageError('--seed must be a whole number from 0.', HELP)
  return seed
})

await onMachine('backup', async (machine) => {
  await needPackages(['postgresql-15', 'pgbackrest'])
  const release = await presentRelease(machine)
  const passed: boolean[] = []
  for (const [at, method] of METHODS.entries()) {
    const receiver = await openReceiver()
    machine.defer(() => receiver.close())
    // Each method has a folder of its own, without files of the other method.
    const ownMachine = await Machine.open(`backup-${at + 1}`)
    machine.defer(() => ownMachine.close())
    passed.push(report(await drill({ machine: ownMachine, release, receiver, random: seeded(seed), method })))
  }
  return passed.every(Boolean)
})

function report({ name, checks, happened }: Drilled): boolean {
  printTable(`What happened with ${name}`, happened)
  return reportChecks(`Restore with ${name}`, checks)
}
