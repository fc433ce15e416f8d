import { orExit, readCommandLine, rejectPositionals, UsageError } from '../../server/src/main/command-line.ts'
import { seeded } from '../../server/test/prove/random.ts'
import { needPackages } from '../support/debian.ts'
import { openReceiver } from '../support/receiver.ts'
import { onMachine } from '../support/run.ts'
import { installPrevious } from './install.ts'
import { upgradeUnderLoad } from './upgrade-under-load.ts'

const HELP = `Usage: npm run ops:upgrade -- [--rows 1000000] [--lock-ms 1000] [--seed 1]

Upgrades Portico from the commit in ops/upgrade-from to this checkout under load through HAProxy, one process after
the other, and checks what the callers got (docs/proof.md). Needs Debian 12, git and npm. Exit code 1 if a check
failed.

  --rows N      how many investments and ended deliveries the database has (default 1000000)
  --lock-ms N   how long a migration may lock a table against writes at most (default 1000)
  --seed N      the number that decides every random choice (default 1)
  --help        print this

Examples:

  npm run ops:upgrade
  npm run ops:upgrade -- --rows 10000
`

const OPTIONS = {
  rows: { type: 'string', default: '1000000' },
  'lock-ms': { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
} as const
const ROWS_MAX = 1_000_000

const { rows, lockMs, seed } = orExit(() => {
  const { values, positionals } = readCommandLine(process.argv.slice(2), OPTIONS, HELP)
  rejectPositionals(positionals, HELP)
  const wholeNumber = (name: keyof typeof OPTIONS, most: number) => {
    const value = Number(values[name])
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`, HELP)
  }
  return {
    rows: wholeNumber('rows', ROWS_MAX),
    lockMs: wholeNumber('lock-ms', 600_000),
    seed: wholeNumber('seed', 2 ** 31),
  }
})

/** The receiver responds slowly, so that a worker that is stopped has deliveries under way. */
const RECEIVER_MS = 300

await onMachine('upgrade', async (machine) => {
  await needPackages(['postgresql-15', 'haproxy'])
  const receiver = await openReceiver(RECEIVER_MS)
  machine.defer(() => receiver.close())
  const install = await installPrevious(machine, { receiver, rows })
  return await upgradeUnderLoad(machine, { install, rows, lockMs, seed, random: seeded(seed) })
})
