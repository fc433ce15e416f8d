import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type SyndicateSeen = {
  readonly name: string
  readonly published: boolean
  readonly launched: boolean
  readonly tagline: string | null
  readonly description: string | null
  readonly avatar_url: string | null
  readonly members: number
  readonly managers: number
  readonly deals: number
  /** Who is a member, waits to become one, or would be one again after paying, and does not run it. */
  readonly outsiders: number
  readonly installed: number
}

/** The rows belong to others, and are only read. */
const FIND = statement<SyndicateSeen>(
  'intents.syndicate',
  `select s.name, s.published, s.launched, s.tagline, s.description, s.avatar_url,
          (select count(*)::int from memberships m where m.syndicate_id = s.id and m.status = 'member') as members,
          (select count(*)::int from syndicate_managers g where g.syndicate_id = s.id) as managers,
          (select count(*)::int from syndicate_deals d where d.syndicate_id = s.id) as deals,
          (select count(*)::int from memberships m
            where m.syndicate_id = s.id and m.status in ('pending', 'approved', 'member', 'payment_failed')
              and not (m.status = 'member' and exists (
                select from syndicate_managers g where g.syndicate_id = s.id and g.user_id = m.user_id))) as outsiders,
          (select count(*)::int from installations i where i.syndicate_id = s.id and i.state = 'active') as installed
     from syndicates s where s.id = $1 and s.deleted_at is null`,
)

export async function findSyndicate(queries: WorldQueries, id: Id<'syndicate'>): Promise<SyndicateSeen | null> {
  return queries.maybeOne(FIND, [id])
}

const HOLD = statement<{ id: string }>(
  'intents.hold_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

export async function holdSyndicate(tx: Tx, id: Id<'syndicate'>): Promise<void> {
  await tx.maybeOne(HOLD, [id])
}

const INSTALLED = statement<{ id: Id<'installation'> }>(
  'intents.installed_on_syndicate',
  `select id from installations where syndicate_id = $1 and state = 'active' order by id for no key update`,
)

/** The apps on it, locked: whoever revokes one of them has done so before, or finds it revoked. */
export async function holdInstalled(tx: Tx, id: Id<'syndicate'>): Promise<Id<'installation'>[]> {
  return (await tx.many(INSTALLED, [id])).map(({ id: one }) => one)
}
