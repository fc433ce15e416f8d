import { migrationsDirectory } from '../server/src/main/database-server.ts'
import { readMigrations } from '../server/src/system/postgres/migration-files.ts'

/** Why the service would reject these migrations when it starts: a gap, a number used twice, a wrong name or first line. */
export async function migrationProblem(directory: string): Promise<string | null> {
  try {
    await readMigrations(directory)
    return null
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

if (import.meta.main) {
  const problem = await migrationProblem(migrationsDirectory)
  process.stdout.write(`${problem ?? 'The migrations are numbered without gaps.'}\n`)
  process.exitCode = problem === null ? 0 : 1
}
