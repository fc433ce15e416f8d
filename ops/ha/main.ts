import { orExit, readCommandLine, rejectPositionals, UsageError } from '../../server/src/main/command-line.ts'
import { seeded } from '../../server/test/prove/random.ts'
import { needPackages } from '../support/debian.ts'
import { openReceiver } from '../support/receiver.ts'
import { onMachine } from '../support/run.ts'
import { startCluster } from './cluster.ts'
import { runUnderLoad } from './run-under-load.ts'

const HELP = `Usage: npm run ops:ha -- [--kills 20] [--seed 1]

Runs Portico on PostgreSQL under Patroni on this machine, kills every part under load, and checks what the callers saw
(docs/proof.md). Needs Debian 12 and about 2 GiB of memory; as root it installs the packages that are missing. Exit
code 1 if a check failed.

  --kills N   how often the primary is killed (default 20), with other failures in between
  --seed N    the number that decides every random choice (default 1)
  --help      print this

Examples:

  npm run ops:ha
  npm run ops:ha -- --kills 2 --seed 7
`

const OPTIONS = { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } } as const
const KILLS_MAX = 1_000
const PACKAGES = ['postgresql-15', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'redis-server']

const { kills, seed } = orExit(() => {
  const { values, positionals } = readCommandLine(process.argv.slice(2), OPTIONS, HELP)
  rejectPositionals(positionals, HELP)
  const [kills, seed] = [Number(values.kills), Number(values.seed)]
  if (!Number.isInteger(kills) || kills < 1 || kills > KILLS_MAX)
    throw new UsageError(`--kills must be a whole number from 1 to ${KILLS_MAX}.`, HELP)
  if (!Number.isSafeInteger(seed) || seed < 0) throw new UsageError('--seed must be a whole number from 0.', HELP)
  return { kills, seed }
})

await onMachine('ha', async (machine) => {
  await needPackages(PACKAGES)
  const receiver = await openReceiver()
  machine.defer(() => receiver.close())
  const cluster = await startCluster(machine, receiver)
  return await runUnderLoad(machine, { cluster, receiver, kills, seed, random: seeded(seed) })
})
