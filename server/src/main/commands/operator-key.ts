import { userInfo } from 'node:os'
import { createOperatorKey, KEY_DAYS_MAX, type KeyRow, listKeys, revokeOperatorKey } from '#access/operator/index.ts'
import { PLATFORM_ROLES, type PlatformRole } from '#kernel/caller.ts'
import { parseId } from '#kernel/ids.ts'
import type { Databases } from '#system/postgres/database.ts'
import { readCommandLine, UsageError } from '../command-line.ts'
import { loadConfig } from '../config.ts'
import { printMessage, readWorld, runCommand, withDatabases } from './run-command.ts'

const HELP = `Usage:
  npm run operator-key -- create --world test|live --name "what it is for" [--role ROLE] [--days N] [--reason TEXT]
  npm run operator-key -- list
  npm run operator-key -- revoke opk_…

The host platform calls Portico with operator keys (docs/platform-feed.md). create writes the new key to stdout, once, and nothing
else. The command works whether the service is running or not.

  --world WORLD   the world the key is for: test or live
  --name NAME     what the key is for, shown in the list and in the audit
  --role ROLE     what the key may do: viewer, support, compliance or admin (the default). Sending facts needs admin
  --days N        after how many days the key expires, at most ${KEY_DAYS_MAX}; by default it does not expire
  --reason TEXT   the reason of the key's requests about partners and people; by default each such request must give one (docs/staff.md)
  --help          print this

Examples:

  npm run operator-key -- create --world test --name "Staging feed"
  KEY=$(npm run --silent operator-key -- create --world live --name "Nightly report" --role viewer --days 90)
  npm run operator-key -- revoke opk_0V8Zq3…
`

/** The audit names the shell user, because no account is signed in here. */
const actor = () => `shell:${userInfo().username}`.slice(0, 100)

type Work = (databases: Databases) => Promise<void>

/** Arguments are parsed before the database is opened, so that a mistyped command does not start an embedded database. */
export function readArguments(argv: readonly string[]): Work {
  const options = { world: TEXT, name: TEXT, role: TEXT, days: TEXT, reason: TEXT }
  const { values, positionals } = readCommandLine(argv, options, HELP)
  const [verb, id, ...rest] = positionals
  switch (rest.length === 0 ? verb : undefined) {
    case 'create': {
      if (id !== undefined || values.name === undefined) throw new UsageError('A key needs a --name.', HELP)
      const { name } = values
      const wanted = {
        world: readWorld(values.world, HELP),
        name,
        role: readRole(values.role),
        days: readDays(values),
        reason: values.reason ?? null,
      }
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
      throw new UsageError('The first argument must be create, list or revoke.', HELP)
  }
}

const TEXT = { type: 'string' } as const

function readRole(text = 'admin'): PlatformRole {
  const role = PLATFORM_ROLES.find((each) => each === text)
  if (role === undefined) throw new UsageError(`--role is one of ${PLATFORM_ROLES.join(', ')}.`, HELP)
  return role
}

function readDays({ days }: { readonly days?: string | undefined }): number | null {
  if (days === undefined) return null
  if (/^[1-9]\d{0,3}$/.test(days) && Number(days) <= KEY_DAYS_MAX) return Number(days)
  throw new UsageError(`--days is a whole number from 1 to ${KEY_DAYS_MAX}.`, HELP)
}

/** Only the key is written to stdout, so that KEY=$(npm run --silent operator-key -- create …) contains nothing else. */
async function create({ platform }: Databases, wanted: Parameters<typeof createOperatorKey>[1]): Promise<void> {
  const { id, key } = await platform.transaction((tx) => createOperatorKey(tx, wanted, actor()))
  const { world, role } = wanted
  printMessage(
    `Made operator key ${id} with the role ${role} for the ${world} world. Store it now: it is not shown again.\n`,
  )
  process.stdout.write(`${key}\n`)
}

async function revoke({ platform }: Databases, id: Parameters<typeof revokeOperatorKey>[1]): Promise<void> {
  await platform.transaction((tx) => revokeOperatorKey(tx, id, actor()))
  printMessage(`Revoked ${id}. The next request with it is rejected.`)
}

async function list({ platform }: Databases): Promise<void> {
  const keys = await listKeys(platform.reads)
  const rows = [['ID', 'WORLD', 'ROLE', 'CREATED', 'LAST USED', 'STATE', 'NAME'], ...keys.map(cells)]
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

function cells(key: KeyRow): string[] {
  const { id, world, role, name, created_at, last_used_at } = key
  return [id, world, role, minute(created_at), minute(last_used_at), stateOf(key), name]
}

const minute = (time: string | null) => (time === null ? 'never' : `${time.slice(0, 16)}Z`)

function stateOf({ revoked_at, expires_at, expired }: KeyRow): string {
  if (revoked_at !== null) return `revoked ${minute(revoked_at)}`
  if (expires_at === null) return 'in force'
  return expired ? `expired ${minute(expires_at)}` : `until ${minute(expires_at)}`
}

if (import.meta.main) {
  await runCommand(async (argv) => {
    const work = readArguments(argv)
    await withDatabases(loadConfig(), work)
    return 0
  })
}
