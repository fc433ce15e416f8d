import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { CannotMigrate } from '#system/postgres/migrate.ts'
import { UsageError } from './command-line.ts'
import { ConfigError } from './config.ts'

/** Why the service did not start, as one sentence for the person at the shell; shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const EXPECTED = [ConfigError, UsageError, StartError, CannotMigrate]
/** Compared by name, because its class is in a workspace that may not be installed. */
const EXPECTED_NAME = 'EmbeddedPostgresError'

/** An expected failure is explained without a stack trace. Any other is a bug and is printed with its stack trace after `what`. */
export function explainFailure(error: unknown, what = 'Portico could not start'): string {
  if (!(error instanceof Error)) return `${what}: ${String(error)}`
  if (error.name === EXPECTED_NAME || EXPECTED.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DatabaseUnavailable) {
    return `Portico could not reach its database: ${error.message}\nCheck DATABASE_URL and that PostgreSQL is running.`
  }
  return `${what}: ${error.stack ?? error.message}`
}
