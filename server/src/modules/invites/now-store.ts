import type { WorldTime } from '#kernel/clock.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const NOW = statement<{ now: WorldTime }>('invite_links.now', 'select world_now() as now')

export async function worldNow(queries: WorldQueries): Promise<WorldTime> {
  return (await queries.one(NOW)).now
}
