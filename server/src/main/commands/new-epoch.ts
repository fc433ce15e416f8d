import { WORLDS } from '#kernel/world.ts'
import { startEpoch } from '#modules/ledger/index.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { withDatabases } from './command-databases.ts'
import { readCommandLine, readWorld, runCommand, say } from './run-command.ts'

const USAGE = `Usage: npm run new-epoch -- --world ${WORLDS.join('|')}

After putting back a copy of the database's disks: readers who are ahead of it read again from where it stands.
Not needed after a failover or a restored backup, which the publisher notices by itself.`

async function newEpoch(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readCommandLine(argv, { world: { type: 'string' } }, USAGE)
  if (positionals.length > 0) throw new ConfigError(USAGE)
  const world = readWorld(values.world, USAGE)
  const { epoch, position } = await withDatabases(loadConfig(), (databases) => databases[world].transaction(startEpoch))
  say(`The ledger of the ${world} world began epoch ${epoch} at position ${position}.`)
  return 0
}

await runCommand(newEpoch)
