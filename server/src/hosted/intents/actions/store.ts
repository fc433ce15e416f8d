import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type MemberSeen = {
  readonly user_id: Id<'user'>
  readonly name: string | null
  readonly status: string
  readonly syndicate: string
  readonly permission: string | null
  /** Whether another person has full access to the syndicate. */
  readonly others_run_it: boolean
  readonly joined_at: string
}

const FIND = statement<MemberSeen>(
  'intents.member',
  `select m.user_id, u.name, m.status, s.name as syndicate, g.permission, m.joined_at,
          exists (select from syndicate_managers o where o.syndicate_id = s.id and o.user_id <> m.user_id
                     and o.permission = 'full_access') as others_run_it
     from memberships m
     join users u on u.id = m.user_id
     join syndicates s on s.id = m.syndicate_id
     left join syndicate_managers g on g.syndicate_id = m.syndicate_id and g.user_id = m.user_id
    where m.id = $2 and m.syndicate_id = $1`,
)

/** Null if the syndicate has no such membership. */
export async function findMember(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  id: Id<'membership'>,
): Promise<MemberSeen | null> {
  return queries.maybeOne(FIND, [syndicate, id])
}

const LOCK_MEMBER = statement<{ id: string }>(
  'intents.lock_member',
  'select id from memberships where id = $1 for no key update',
)

export async function lockMember(tx: Tx, id: Id<'membership'>): Promise<void> {
  await tx.maybeOne(LOCK_MEMBER, [id])
}

export type PageSeen = {
  readonly company: string
  readonly questions_closed: boolean
  readonly author: string | null
  /** Whether the author is on the company's team. */
  readonly on_team: boolean
}

/** Reads rows of other modules. */
const PAGE = statement<PageSeen>(
  'intents.company_page',
  `select c.name as company, c.questions_closed, u.name as author,
          exists (select from company_people p
                   where p.company_id = c.id and p.user_id = u.id and p.ended_at is null) as on_team
     from companies c cross join users u where c.id = $1 and u.id = $2`,
)

export async function findPage(
  queries: WorldQueries,
  company: Id<'company'>,
  author: Id<'user'>,
): Promise<PageSeen | null> {
  return queries.maybeOne(PAGE, [company, author])
}

export type TargetComment = { readonly is_question: boolean; readonly body: string }

const TARGET = statement<TargetComment>(
  'intents.target_comment',
  `select parent_id is null as is_question, body from comments
    where id = $2 and company_id = $1 and removed_at is null`,
)

/** Null for a comment that is not on this company's page. */
export async function findTarget(
  queries: WorldQueries,
  company: Id<'company'>,
  comment: Id<'comment'>,
): Promise<TargetComment | null> {
  return queries.maybeOne(TARGET, [company, comment])
}

export type Deal = {
  readonly syndicate: string
  readonly company: string
  readonly commitments: number
  /** As text, because a sum may be larger than a JavaScript number can represent. */
  readonly committed_cents: string
  readonly raised_cents: string
}

/**
 * A person decides by these figures, so they are summed from the rows and not read from the ledger, which publishes a moment later.
 * Investments that are hidden from the people who run the offering are not in the sums. Reads rows of other modules.
 */
const DEAL_FIND = statement<Deal>(
  'intents.deal',
  `select s.name as syndicate, c.name as company, sums.commitments, sums.committed_cents, sums.raised_cents
     from syndicate_deals d
     join syndicates s on s.id = d.syndicate_id
     join offerings o on o.id = d.offering_id
     join companies c on c.id = o.company_id
    cross join lateral (
      select count(*)::int as commitments, coalesce(sum(i.amount_cents), 0)::text as committed_cents,
             coalesce(sum(i.amount_cents) filter (
               where i.status = 'executed' or i.status = 'active' and i.confirmed_at is not null), 0)::text as raised_cents
        from investments i
       where i.offering_id = o.id and not i.hidden and i.status in ('active', 'reserved', 'executed')) sums
    where d.syndicate_id = $1 and d.offering_id = $2`,
)

/** Null if the syndicate does not run the offering. */
export async function findDeal(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  offering: Id<'offering'>,
): Promise<Deal | null> {
  return queries.maybeOne(DEAL_FIND, [syndicate, offering])
}

const LOCK_DEAL = statement<{ id: string }>(
  'intents.lock_offering',
  'select id from offerings where id = $1 for no key update',
)

export async function lockOffering(tx: Tx, id: Id<'offering'>): Promise<void> {
  await tx.maybeOne(LOCK_DEAL, [id])
}

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
  /** Members, applicants and people whose payment failed, managers excluded. */
  readonly outsiders: number
  readonly installed: number
}

/** Reads rows of other modules. */
const SYNDICATE_FIND = statement<SyndicateSeen>(
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
  return queries.maybeOne(SYNDICATE_FIND, [id])
}

const LOCK_SYNDICATE = statement<{ id: string }>(
  'intents.lock_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

export async function lockSyndicate(tx: Tx, id: Id<'syndicate'>): Promise<void> {
  await tx.maybeOne(LOCK_SYNDICATE, [id])
}

const INSTALLED = statement<{ id: Id<'installation'> }>(
  'intents.installed_on_syndicate',
  `select id from installations where syndicate_id = $1 and state = 'active' order by id for no key update`,
)

/** Locks the active installations on the syndicate. A concurrent revocation commits before the lock, or waits for it. */
export async function lockInstalled(tx: Tx, id: Id<'syndicate'>): Promise<Id<'installation'>[]> {
  return (await tx.many(INSTALLED, [id])).map(({ id: one }) => one)
}
