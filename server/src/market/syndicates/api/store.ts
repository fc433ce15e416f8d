import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { MembershipState } from '../membership-states.ts'
import type { Fund, Permission, SyndicateSettings } from '../syndicate.ts'
import { fundOf } from '../syndicate-store.ts'

/** A person's manager permission and membership state, even if the directory hides the person. */
export type PermissionHere = {
  readonly status: MembershipState
  readonly created: boolean
  /** The field is null for a person who does not run the syndicate. */
  readonly permission: Permission | null
}

const FIND = statement<PermissionHere>(
  'members.permission',
  `select m.status, s.created_by is not distinct from m.user_id as created, g.permission
     from memberships m
     join syndicates s on s.id = m.syndicate_id
     left join syndicate_managers g on g.syndicate_id = m.syndicate_id and g.user_id = m.user_id
    where m.id = $1`,
)

/** The caller has locked the membership. */
export async function findPermission(tx: Tx, id: Id<'membership'>): Promise<PermissionHere> {
  return tx.one(FIND, [id])
}

/** A user's relation to a syndicate. */
type UserHere = {
  readonly published: boolean
  readonly created: boolean
  /** The person's permission as manager; null if they do not manage the syndicate. */
  readonly permission: Permission | null
  /** Whether the person has a membership in any state, or an invitation. */
  readonly involved: boolean
}

const USER_HERE = statement<UserHere>(
  'syndicates.user_here',
  `select s.published, coalesce(s.created_by = $2, false) as created, g.permission,
          exists (select from memberships m where m.syndicate_id = s.id and m.user_id = $2)
            or exists (select from syndicate_invitations i where i.user_id = $2 and i.syndicate_id = s.id)
            or exists (select from syndicate_invitations i join users u on lower(u.email) = i.email_key
                        where u.id = $2 and i.syndicate_id = s.id) as involved
     from syndicates s
     left join syndicate_managers g on g.syndicate_id = s.id and g.user_id = $2
    where s.id = $1 and s.deleted_at is null`,
)

/** Returns null if there is no such syndicate. Without a user, the result shows only whether the syndicate is published. */
export async function userHere(
  queries: WorldQueries,
  syndicateId: Id<'syndicate'>,
  userId: Id<'user'> | null,
): Promise<UserHere | null> {
  return queries.maybeOne(USER_HERE, [syndicateId, userId])
}

/**
 * The syndicate or user that an installation is on; both ids are null for a company. The row belongs to the module installations
 * and is only read here.
 */
type InstalledOn = {
  readonly target_type: 'company' | 'syndicate' | 'user'
  readonly syndicate_id: Id<'syndicate'> | null
  readonly user_id: Id<'user'> | null
  /** The manager for whom an installation on a syndicate acts; null if the syndicate has no manager. */
  readonly actor: Id<'user'> | null
}

/**
 * Finds the installer while they manage the syndicate. Otherwise finds the longest-serving manager with full access, or
 * the longest-serving operator if no manager has full access.
 */
const INSTALLED_ON = statement<InstalledOn>(
  'syndicates.installed_on',
  `select i.target_type, s.id as syndicate_id, i.user_id,
          (select g.user_id
             from syndicate_managers g join users u on u.id = g.user_id and u.deactivated_at is null
            where g.syndicate_id = i.syndicate_id
            order by g.user_id is not distinct from i.installed_by_user_id desc, g.permission, g.started_at, g.user_id
            limit 1) as actor
     from installations i
     left join syndicates s on s.id = i.syndicate_id and s.deleted_at is null
    where i.id = $1`,
)

export async function installedOn(queries: WorldQueries, id: Id<'installation'>): Promise<InstalledOn> {
  return queries.one(INSTALLED_ON, [id])
}

/**
 * Concurrent reorder requests wait for this lock, so that each request reads the order that the previous request wrote.
 */
const LOCK_SYNDICATE = statement<{ id: Id<'syndicate'> }>(
  'directory.lock_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

/** Locks in the order of ids, like every statement that locks several memberships. */
const LOCK = statement<{ id: Id<'membership'> }>(
  'directory.lock_order',
  'select id from memberships where syndicate_id = $1 and id = any($2) order by id for no key update',
)

/** Returns the ids that exist. */
export async function lockOrder(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  ids: readonly Id<'membership'>[],
): Promise<ReadonlySet<Id<'membership'>>> {
  await tx.one(LOCK_SYNDICATE, [syndicateId])
  return new Set((await tx.many(LOCK, [syndicateId, ids])).map(({ id }) => id))
}

/** Scans the index of places and skips the members in the list. */
const FIRST_OF_OTHERS = statement<{ place: number | null }>(
  'directory.first_of_others',
  `select sort_order as place from memberships
    where syndicate_id = $1 and id <> all($2) order by coalesce(sort_order, 2147483647) limit 1`,
)

/** Returns null if no other member has a place. */
export async function firstOfOthers(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  ids: readonly Id<'membership'>[],
): Promise<number | null> {
  return (await tx.maybeOne(FIRST_OF_OTHERS, [syndicateId, ids]))?.place ?? null
}

const REORDER = statement(
  'directory.reorder',
  `update memberships m
      set sort_order = $4 + named.at - 1, updated_at = greatest(m.updated_at, $3::timestamptz)
     from unnest($2::text[]) with ordinality as named (member, at)
    where m.id = named.member and m.syndicate_id = $1 and m.sort_order is distinct from $4 + named.at - 1`,
)

/** Returns false if no place changed. */
export async function writeOrder(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  { ids, first, at }: { ids: readonly Id<'membership'>[]; first: number; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(REORDER, [syndicateId, ids, at, first])) > 0
}

const RENUMBER = statement(
  'directory.renumber',
  `update memberships m set sort_order = placed.at
     from (select id, row_number() over (order by sort_order, id)::int as at
             from memberships where syndicate_id = $1 and sort_order is not null) placed
    where m.id = placed.id`,
)

/** Keeps the order and numbers the places from one. */
export async function renumber(tx: Tx, syndicateId: Id<'syndicate'>): Promise<void> {
  await tx.run(RENUMBER, [syndicateId])
}

type Shown = Omit<SyndicateSettings, 'auto_approval' | 'requires_accreditation'> & {
  readonly id: Id<'syndicate'>
  /** The currency of the fund company's newest offering; US dollars if it has none. */
  readonly fund_currency: string
  readonly created_by: Id<'user'> | null
  readonly member_count: number
  /** The number of deals that are open or closing. */
  readonly deal_count: number
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
}

/** A syndicate as its managers see it. */
export type ShownSyndicate = Shown

type Row = Omit<Shown, 'fund'> & {
  readonly syndicate_type: Fund['type'] | null
  readonly fund_terms: string | null
}

/** Columns of `s`. `offset 0` makes PostgreSQL look up each deal by its id, even if it expects many deals. */
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

/** The syndicates that a user runs, newest first. */
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
