import type { PlatformDatabase } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

const COUNT_MIGRATIONS = platformStatement<{ applied: number }>(
  'health.count_migrations',
  'select coalesce(max(number), 0)::int as applied from platform.migrations',
)

export async function countMigrations(platform: PlatformDatabase): Promise<number> {
  return (await platform.reads.one(COUNT_MIGRATIONS)).applied
}
