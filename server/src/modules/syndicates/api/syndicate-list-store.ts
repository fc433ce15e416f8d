import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Fund, SyndicateSettings } from '../syndicate.ts'
import { fundOf } from '../syndicate-store.ts'

type Shown = Omit<SyndicateSettings, 'auto_approval' | 'requires_accreditation'> & {
  readonly id: Id<'syndicate'>
  /** That of the fund company's newest offering; US dollars where there is none. */
  readonly fund_currency: string
  readonly created_by: Id<'user'> | null
  readonly member_count: number
  /** Those that run at present. */
  readonly deal_count: number
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
}

/** A syndicate as those see it who run it. */
export type ShownSyndicate = Shown

type Row = Omit<Shown, 'fund'> & {
  readonly syndicate_type: Fund['type'] | null
  readonly fund_terms: string | null
}

/** Of `s`. Each deal is looked up by its id, however few PostgreSQL believes there to be. */
const COLUMNS = `
  s.id, s.name, s.slug, s.tagline, s.description, s.avatar_url, s.published, s.launched, s.membership_open,
  s.auto_accept_accredited_members, s.fund_required, s.syndicate_type, s.fund_terms,
  coalesce((select o.currency from offerings o where o.company_id = s.primary_fund_company_id
             order by o.id desc limit 1), 'usd') as fund_currency,
  s.primary_fund_company_id as primary_fund_company, s.created_by,
  (select count(*)::int from memberships m where m.syndicate_id = s.id and m.status = 'member') as member_count,
  (select count(*)::int
     from syndicate_deals d
     cross join lateral (select status from offerings where id = d.offering_id offset 0) o
    where d.syndicate_id = s.id and o.status in ('open', 'closing')) as deal_count,
  s.created_at, s.updated_at`

const OF_MANAGER = statement<Row>(
  'syndicates.of_manager',
  `select ${COLUMNS}
     from syndicate_managers g
     join syndicates s on s.id = g.syndicate_id
    where g.user_id = $1 and ($2::text is null or g.syndicate_id < $2) and s.deleted_at is null
    order by g.syndicate_id desc limit $3`,
)

/** Those a user runs, the newest first. */
export async function syndicatesOfManager(
  queries: WorldQueries,
  userId: Id<'user'>,
  { before, limit }: { before: string | null; limit: number },
): Promise<ShownSyndicate[]> {
  return (await queries.many(OF_MANAGER, [userId, before, limit])).map(shownOf)
}

const SHOW = statement<Row>('syndicates.show', `select ${COLUMNS} from syndicates s where s.id = $1`)

export async function showSyndicate(queries: WorldQueries, id: Id<'syndicate'>): Promise<ShownSyndicate> {
  return shownOf(await queries.one(SHOW, [id]))
}

function shownOf({ syndicate_type, fund_terms, ...rest }: Row): ShownSyndicate {
  return { ...rest, fund: fundOf(syndicate_type, fund_terms) }
}

const WORLD_NOW = statement<{ now: WorldTime }>('syndicates.world_now', 'select world_now() as now')

export async function worldNow(queries: WorldQueries): Promise<WorldTime> {
  return (await queries.one(WORLD_NOW)).now
}
