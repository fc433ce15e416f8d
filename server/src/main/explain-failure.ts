import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { CannotMigrate } from '#system/postgres/migrate.ts'
import { UsageError } from './command-line.ts'
import { ConfigError } from './config.ts'

/** Why the service did not start, in a sentence for the person who typed the command; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const EXPECTED = [ConfigError, UsageError, StartError, CannotMigrate]
/** By name, because its class is in a workspace that may not be installed. */
const EXPECTED_NAME = 'EmbeddedPostgresError'

/** What we foresaw is a sentence; what we did not is a bug and keeps its stack, after `what` went wrong. */
export function explainFailure(error: unknown, what = 'Portico could not start'): string {
  if (!(error instanceof Error)) return `${what}: ${String(error)}`
  if (error.name === EXPECTED_NAME || EXPECTED.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DatabaseUnavailable) {
    return `Portico could not reach its database: ${error.message}\nCheck DATABASE_URL and that PostgreSQL is running.`
  }
  return `${what}: ${error.stack ?? error.message}`
}
