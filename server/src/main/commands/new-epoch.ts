import { WORLDS } from '#kernel/world.ts'
import { startEpoch } from '#ledger/index.ts'
import { readCommandLine, rejectPositionals, UsageError } from '../command-line.ts'
import { loadConfig } from '../config.ts'
import { printMessage, readWorld, runCommand, withDatabases } from './run-command.ts'

const HELP = `Usage: npm run new-epoch -- --world ${WORLDS.join('|')} [--position <n>]

Run this after you restored a copy of the database's disks, or a dump into the same server. Without this command the ledger would
give positions that readers have already read to other changes.
Without --position every reader reads everything again, which takes time and is always correct.
With --position N, readers beyond N continue from N. N must be the ledger's position right after the restore, before any worker ran
(select position from <world>.ledger).
You do not need this after a failover or a recovery to a point in time; the publisher detects those.

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
    position === 0 ? 'Every reader reads everything again' : `Readers beyond ${position} continue from ${position}`
  printMessage(`The ledger of the ${world} world began epoch ${epoch}. ${from}.`)
  return 0
}

function readPosition(text = '0'): number {
  const position = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(position))
    throw new UsageError(`--position must be a whole number, 0 or more, not ${text}.`, HELP)
  return position
}

await runCommand(newEpoch)
