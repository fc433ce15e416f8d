import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type PublishedText = {
  readonly body: string
  readonly identity: string
  readonly observedAt: WorldTime
  /** When the last change was observed that can be seen without the identity. */
  readonly openObservedAt: WorldTime
}
type Row = { readonly [K in keyof PublishedText]: PublishedText[K] | null } & {
  readonly now: WorldTime
  readonly edits: boolean
}

const PUBLISHED = statement<Row>(
  'ledger.published_text',
  `select world_now() as now, h.body, h.identity, h.observed_at as "observedAt",
          coalesce(h.open_observed_at, h.observed_at) as "openObservedAt",
          exists (select from company_people p join investments i on i.company_id = p.company_id
                   where i.id = $1 and p.user_id = $2 and p.ended_at is null
                     and p.role in ('founder', 'admin', 'editor')) as edits
     from (values (1)) one (row) left join ledger_heads h on h.investment_id = $1`,
)

export type Published = {
  readonly published: PublishedText | null
  readonly now: WorldTime
  /** Whether the user edits the company invested in. */
  readonly edits: boolean
}

export async function findPublished(
  queries: WorldQueries,
  id: Id<'investment'>,
  user: Id<'user'> | null,
): Promise<Published> {
  const { now, edits, body, identity, observedAt, openObservedAt } = await queries.one(PUBLISHED, [id, user])
  const isPublished = body !== null && identity !== null && observedAt !== null && openObservedAt !== null
  return { now, edits, published: isPublished ? { body, identity, observedAt, openObservedAt } : null }
}
