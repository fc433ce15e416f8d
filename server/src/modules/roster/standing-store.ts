import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Known is what everybody sees, and where one has or had a role or has invested. */
const STANDING = statement<{ runs: boolean; known: boolean }>(
  'roster.standing',
  `select exists (select from company_people
                   where company_id = $1 and user_id = $2 and ended_at is null
                     and role in ('founder', 'admin', 'editor')) as runs,
          exists (select from catalog_entries where company_id = $1 and shown_to = 'public')
       or exists (select from company_people where company_id = $1 and user_id = $2)
       or exists (select from investments where company_id = $1 and investor_id = $2) as known`,
)

/** Whether somebody helps to run a company, and whether they may know that it is there. */
export async function standingAt(
  queries: WorldQueries,
  company: Id<'company'>,
  user: Id<'user'> | null,
): Promise<{ readonly runs: boolean; readonly known: boolean }> {
  return queries.one(STANDING, [company, user])
}
