import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const KNOWN = statement<{ known: boolean }>(
  'portfolio.company_known_to_syndicate',
  `select exists (select from catalog_entries where company_id = $2 and shown_to = 'public')
       or exists (select from offerings o join syndicate_deals d on d.offering_id = o.id and d.syndicate_id = $1
                   where o.company_id = $2) as known`,
)

/** Whether those who run a syndicate know of a company: everybody does, or the syndicate has a deal of it. */
export async function isKnownTo(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  company: Id<'company'>,
): Promise<boolean> {
  return (await queries.one(KNOWN, [syndicate, company])).known
}
