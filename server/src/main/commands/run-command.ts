import { join, resolve } from 'node:path'
import { ApiError } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { Databases } from '#system/postgres/database.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { EXIT_BAD_USAGE, type Help, HelpWanted, UsageError } from '../command-line.ts'
import { type Config, ConfigError } from '../config.ts'
import { DATABASE_NAME, migrationsDirectory } from '../database-server.ts'
import { explainFailure } from '../explain-failure.ts'
import { loadEmbeddedPostgres } from '../optional-workspaces.ts'

const EXIT_FAILED = 1

/** Runs a command to its end. What it answers goes to stdout, what it says to the person who typed it to stderr. */
export async function runCommand(command: (argv: readonly string[]) => Promise<number>): Promise<never> {
  try {
    process.exit(await command(process.argv.slice(2)))
  } catch (error) {
    if (error instanceof HelpWanted) {
      process.stdout.write(error.message)
      process.exit(0)
    }
    say(error instanceof ApiError ? explainRefusal(error) : explainFailure(error, 'The command failed'))
    process.exit(error instanceof ConfigError || error instanceof UsageError ? EXIT_BAD_USAGE : EXIT_FAILED)
  }
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

export function readWorld(text: string | undefined, help: Help): World {
  const world = WORLDS.find((name) => name === text)
  if (world === undefined) throw new UsageError(`--world must be one of ${WORLDS.join(', ')}.`, help)
  return world
}

function explainRefusal({ public: text, details }: ApiError): string {
  const fields: unknown = details?.['fields']
  if (!Array.isArray(fields)) return text
  return fields.map(({ field, message }) => `${field} ${message}.`).join('\n')
}

/** Enough for a command, which does one thing at a time. */
const POOL_SIZE = 2

/**
 * The service's database, for a command typed beside it or without it: the one at DATABASE_URL, the embedded one that
 * the service is running at the moment, or the embedded one started for as long as the command takes.
 */
export async function withDatabases<T>(config: Config, work: (databases: Databases) => Promise<T>): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const url = config.databaseUrl ?? (await embeddedUrl(config, opened))
  await migrate({ url, migrations: await readMigrations(migrationsDirectory), log: () => {} })
  const databases = await openDatabases({ url, poolSize: POOL_SIZE, onError: () => {} })
  opened.defer(() => databases.close())
  return await work(databases)
}

async function embeddedUrl(config: Config, opened: AsyncDisposableStack): Promise<string> {
  const where = { dataDirectory: join(resolve(config.dataDirectory), 'postgres'), database: DATABASE_NAME }
  const { connectionUrlOfRunning, startEmbeddedPostgres } = await loadEmbeddedPostgres()
  const running = await connectionUrlOfRunning(where)
  if (running !== undefined) return running
  const postgres = await startEmbeddedPostgres({ ...where, log: () => {} })
  opened.defer(() => postgres.stop())
  return postgres.url
}
