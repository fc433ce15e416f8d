import { userInfo } from 'node:os'
import { createOperatorKey, type KeyRow, listKeys, revokeOperatorKey } from '#access/operator/index.ts'
import { parseId } from '#kernel/ids.ts'
import type { Databases } from '#system/postgres/database.ts'
import { readCommandLine, UsageError } from '../command-line.ts'
import { loadConfig } from '../config.ts'
import { readWorld, runCommand, say, withDatabases } from './run-command.ts'

const HELP = `Usage:
  npm run operator-key -- create --world test|live --name "what it is for"
  npm run operator-key -- list
  npm run operator-key -- revoke opk_…

Operator keys are how the host platform calls Portico (docs/platform-feed.md). A new key is printed once, to stdout, and
nothing else goes there. It can run beside the service, or without it.

  --world WORLD   the world the key is for: test or live
  --name NAME     what it is for, shown in the list
  --help          print this

Examples:

  npm run operator-key -- create --world test --name "Staging feed"
  KEY=$(npm run --silent operator-key -- create --world live --name "Production feed")
  npm run operator-key -- revoke opk_0V8Zq3…
`

/** The audit names the shell user, because no account is signed in here. */
const actor = () => `shell:${userInfo().username}`.slice(0, 100)

type Work = (databases: Databases) => Promise<void>

/** Arguments are parsed before the database is opened: a mistyped command must not start an embedded database. */
export function readArguments(argv: readonly string[]): Work {
  const { values, positionals } = readCommandLine(argv, { world: { type: 'string' }, name: { type: 'string' } }, HELP)
  const [verb, id, ...rest] = positionals
  switch (rest.length === 0 ? verb : undefined) {
    case 'create': {
      if (id !== undefined || values.name === undefined) throw new UsageError('A key needs a --name.', HELP)
      const wanted = { world: readWorld(values.world, HELP), name: values.name }
      return (databases) => create(databases, wanted)
    }
    case 'list':
      return list
    case 'revoke': {
      const keyId = parseId('operatorKey', id)
      if (keyId === null) throw new UsageError('Name the key to revoke by its id, opk_….', HELP)
      return (databases) => revoke(databases, keyId)
    }
    default:
      throw new UsageError('Say whether to create, list or revoke.', HELP)
  }
}

/** Only the key goes to stdout, so that KEY=$(npm run --silent operator-key -- create …) gets nothing else. */
async function create({ platform }: Databases, wanted: Parameters<typeof createOperatorKey>[1]): Promise<void> {
  const { id, key } = await platform.transaction((tx) => createOperatorKey(tx, wanted, actor()))
  say(`Made operator key ${id} for the ${wanted.world} world. Keep it now: it is not shown again.\n`)
  process.stdout.write(`${key}\n`)
}

async function revoke({ platform }: Databases, id: Parameters<typeof revokeOperatorKey>[1]): Promise<void> {
  await platform.transaction((tx) => revokeOperatorKey(tx, id, actor()))
  say(`Revoked ${id}. The next request with it is rejected.`)
}

async function list({ platform }: Databases): Promise<void> {
  const keys = await listKeys(platform.reads)
  const rows = [['ID', 'WORLD', 'CREATED', 'LAST USED', 'STATE', 'NAME'], ...keys.map(cells)]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}

function cells({ id, world, name, created_at, last_used_at, revoked_at }: KeyRow): string[] {
  const minute = (time: string | null) => (time === null ? 'never' : `${time.slice(0, 16)}Z`)
  const state = revoked_at === null ? 'in force' : `revoked ${minute(revoked_at)}`
  return [id, world, minute(created_at), minute(last_used_at), state, name]
}

if (import.meta.main) {
  await runCommand(async (argv) => {
    const work = readArguments(argv)
    await withDatabases(loadConfig(), work)
    return 0
  })
}
