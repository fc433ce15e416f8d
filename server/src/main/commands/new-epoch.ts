import { WORLDS } from '#kernel/world.ts'
import { startEpoch } from '#ledger/index.ts'
import { readCommandLine, rejectPositionals, UsageError } from '../command-line.ts'
import { loadConfig } from '../config.ts'
import { readWorld, runCommand, say, withDatabases } from './run-command.ts'

const HELP = `Usage: npm run new-epoch -- --world ${WORLDS.join('|')} [--position <n>]

Run this after putting back a copy of the database's disks, or a dump into the same server. The ledger will then give positions
that readers already hold to other changes.
Without --position every reader reads everything again, which takes time and is always correct. With it readers who are ahead
continue from there: it must be the position of the ledger (select position from <world>.ledger) when the disks were put back and
before any worker ran.
Not needed after a failover or a recovery to a point in time, which the publisher notices by itself.

  --world WORLD    the world whose ledger begins a new epoch
  --position N     the position of the ledger (default: 0, every reader reads everything again)
  --help           print this

Examples:

  npm run new-epoch -- --world live
  npm run new-epoch -- --world live --position 120934
`

async function newEpoch(argv: readonly string[]): Promise<number> {
  const options = { world: { type: 'string' }, position: { type: 'string' } } as const
  const { values, positionals } = readCommandLine(argv, options, HELP)
  rejectPositionals(positionals, HELP)
  const world = readWorld(values.world, HELP)
  const position = readPosition(values.position)
  const { epoch } = await withDatabases(loadConfig(), (databases) =>
    databases[world].transaction((tx) => startEpoch(tx, position)),
  )
  const from =
    position === 0 ? 'Every reader reads everything again' : `Readers who are ahead continue from ${position}`
  say(`The ledger of the ${world} world began epoch ${epoch}. ${from}.`)
  return 0
}

function readPosition(text = '0'): number {
  const position = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(position))
    throw new UsageError(`--position ${text} is not a whole number from 0.`, HELP)
  return position
}

await runCommand(newEpoch)
