import { join, resolve } from 'node:path'
import { ApiError } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { Databases } from '#system/postgres/database.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { EXIT_BAD_USAGE, type Help, HelpWanted, UsageError } from '../command-line.ts'
import { type Config, ConfigError, explainFailure } from '../config.ts'
import { DATABASE_NAME, migrationsDirectory } from '../database-server.ts'
import { loadEmbeddedPostgres } from '../optional-workspaces.ts'

const EXIT_FAILED = 1

/** Runs a command to its end. Results go to stdout, messages for the person at the shell to stderr. */
export async function runCommand(command: (argv: readonly string[]) => Promise<number>): Promise<never> {
  try {
    process.exit(await command(process.argv.slice(2)))
  } catch (error) {
    const { code, stdout, stderr } = outcomeOf(error)
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    process.exit(code)
  }
}

/** The exit code of a command that ended with this error, and the text to print. */
export function outcomeOf(error: unknown) {
  if (error instanceof HelpWanted) return { code: 0, stdout: error.message, stderr: '' }
  const text = error instanceof ApiError ? explainRefusal(error) : explainFailure(error, 'The command failed')
  const isBadUsage = error instanceof ConfigError || error instanceof UsageError
  return { code: isBadUsage ? EXIT_BAD_USAGE : EXIT_FAILED, stdout: '', stderr: `${text}\n` }
}

export function printMessage(line: string): void {
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

/** A command serves no requests, so two connections are enough. */
const POOL_SIZE = 2

/**
 * Opens and migrates the service's database for a command: the database at DATABASE_URL, or else the embedded database.
 * If the service is not running, the embedded database is started for the command and stopped after it.
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
