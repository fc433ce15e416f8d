import { findInstallations } from '#access/installations/index.ts'
import type { Caller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { StaleReads, Tx, WorldDatabase, WorldQueries, WorldReads } from '#system/postgres/database.ts'
import { sharedRead } from '#system/postgres/shared-lookup.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'

const REVISION = shortStatement<{ revision: string }>('catalog.revision', 'select revision from catalog_revision')

/**
 * Changes with every change of the public catalogue. It is read after the request has arrived and never cached, but concurrent
 * requests share one read.
 */
export const catalogRevision = sharedRead(async (db) => {
  const [row] = await db.short(REVISION)
  if (row === undefined) throw new Error('the catalogue has no revision')
  return row.revision
})

const REVISION_THERE = statement<{ value: string }>(
  'catalog.revision_there',
  'select revision::text as value from catalog_revision',
)

type ViewOf = {
  readonly db: WorldDatabase
  readonly staleReads: StaleReads
  readonly viewer: Viewer
  /** The revision of the catalogue, read after the request arrived. */
  readonly revision: () => Promise<string>
}

/**
 * Reads what this viewer sees of the catalogue. The public view may come from a replica that has the same revision as the primary:
 * then the replica has the same public data, and the response may be cached under this revision. What a user sees depends on
 * rights, so it is read from the primary.
 */
export function readView<T>(view: ViewOf, work: (from: WorldReads) => Promise<T>): Promise<T> {
  const { db, staleReads, viewer, revision } = view
  return viewer === null ? staleReads(db, { statement: REVISION_THERE, value: revision }, work) : work(db)
}

type Parameter = `$${number}`

/**
 * Who sees which offering, as SQL fragments over `catalog_entries`. Everyone sees rounds that are listed and neither upcoming,
 * canceled nor for accredited investors only (`shown_to`, which the database maintains). A user also sees rounds for accredited
 * investors while they are accredited, rounds they were invited to or have invested in, deals of syndicates they are a member or
 * manager of, and every round of a company on whose team they are. The viewer's own rows are read once.
 */
export type Sight = {
  /** The `with` clause; the parameter is the viewer. */
  readonly given: string
  /** Whether the viewer can see this entry (by its alias). */
  readonly sees: (entry: string) => string
  /**
   * Whether this entry (by its alias) is in the viewer's list of open offerings: one public round of each company and, for an
   * accredited viewer, every round for accredited investors.
   */
  readonly explores: (entry: string) => string
}

export const PUBLIC_SIGHT: Sight = {
  given: 'nobody as (select)',
  sees: (entry) => `${entry}.shown_to = 'public'`,
  explores: (entry) => `${entry}.explored_by = 'public'`,
}

/** A user's own view. It implements the rule above for private rounds. */
export const userSight = (viewer: Parameter): Sight => ({
  given: `
  eyes as materialized (
    select case when exists (select from users where id = ${viewer} and accreditation <> 'none')
                then array['public', 'accredited'] else array['public'] end as shown),
  own_rounds as materialized (
    select offering_id from investments where investor_id = ${viewer}
    union
    select offering_id from offering_invitations where user_id = ${viewer}
    union
    select d.offering_id from syndicate_deals d
     where d.syndicate_id in (
       select syndicate_id from memberships where user_id = ${viewer} and status = 'member'
       union
       select syndicate_id from syndicate_managers where user_id = ${viewer})
    union
    select o.id from company_people p join offerings o on o.company_id = p.company_id
     where p.user_id = ${viewer} and p.ended_at is null)`,
  sees: (entry) => `(${entry}.shown_to = any((select shown from eyes)::text[])
    or ${entry}.offering_id in (select offering_id from own_rounds))`,
  explores: (entry) => `${entry}.explored_by = any((select shown from eyes)::text[])`,
})

type Taken = { readonly offering_id: string; readonly changes: number; readonly looked: number }

/** The oldest changes of a limited number of offerings. The sums of an offering with many changes are computed once. */
const TAKE = statement<Taken>(
  'catalog.take_changes',
  `with oldest as materialized (
     select seq, offering_id from catalog_changes order by seq limit $1 for update skip locked),
   first as materialized (
     select offering_id, count(*)::int as changes from oldest group by offering_id order by min(seq) limit $2),
   gone as (
     delete from catalog_changes c using oldest join first on first.offering_id = oldest.offering_id where c.seq = oldest.seq)
   select offering_id, changes, (select count(*)::int from oldest) as looked from first`,
)

/** Locks all entries of the raises. Otherwise two transactions could sum one raise, and the later one could store an older sum. */
const LOCK = statement<{ offering_id: string }>(
  'catalog.lock_entries',
  `select offering_id from catalog_entries
    where offering_id in (
      select leg.id from offerings o join offerings leg on leg.raise_id = o.raise_id where o.id = any($1))
    order by offering_id for no key update`,
)

/**
 * The investments that count toward a raise: confirmed or executed investments and, if an offering tests the waters, its
 * reservations. Investments that are hidden from the company do not count.
 */
const COUNTS = `not i.hidden
  and (i.status in ('reserved', 'executed') or i.status = 'active' and i.confirmed_at is not null)`

/** "This offering only, hellbanned investors out; not lifetime, not combined." Each investor is counted once. */
const ADD_UP = statement(
  'catalog.add_up',
  `update catalog_entries e
      set raised_cents = least(sums.raised_cents, 9007199254740900), investor_count = sums.investor_count
     from (select wanted.offering_id, coalesce(sum(each.amount_cents), 0) as raised_cents,
                  count(each.offering_id) as investor_count
             from unnest($1::text[]) as wanted (offering_id)
             left join (select i.offering_id, sum(i.amount_cents) as amount_cents
                          from investments i
                         where i.offering_id = any($1) and ${COUNTS}
                         group by i.offering_id, i.investor_id) each on each.offering_id = wanted.offering_id
            group by wanted.offering_id) sums
    where e.offering_id = sums.offering_id
      and (e.raised_cents, e.investor_count) is distinct from (sums.raised_cents, sums.investor_count)`,
)

/** Those raises of these offerings that have at least two legs that test the waters, or at least two legs that do not. */
const SHARED_RAISES = `
  select leg.raise_id, leg.testing_the_waters from offerings leg
   where leg.raise_id in (select raise_id from offerings where id = any($1))
   group by leg.raise_id, leg.testing_the_waters having count(*) > 1`

const FORGET_SHARED = statement(
  'catalog.forget_raise_investors',
  `delete from catalog_raise_investors
    where raise_id in (select raise_id from offerings where id = any($1))`,
)

/** How many investors each combination of legs of a raise has. */
const COUNT_SHARED = statement(
  'catalog.count_raise_investors',
  `insert into catalog_raise_investors (raise_id, ordinal, legs, investor_count)
   select raise_id, row_number() over (partition by raise_id), legs, count(*)
     from (select o.raise_id, (array_agg(distinct i.offering_id order by i.offering_id))[1:100] as legs
             from (${SHARED_RAISES}) shared
             join offerings o on o.raise_id = shared.raise_id and o.testing_the_waters = shared.testing_the_waters
             join investments i on i.offering_id = o.id
            where ${COUNTS}
            group by o.raise_id, o.testing_the_waters, i.investor_id) each
    group by raise_id, legs`,
)

/** A company that raised more ranks higher (see place_in_search). */
const PLACE_IN_SEARCH = statement(
  'catalog.place_in_search',
  `select place_in_search(array(
     select distinct company_id from catalog_entries where offering_id = any($1) order by company_id))`,
)

type FiguresShare = {
  /** How many changes are read, and for how many offerings. */
  readonly changes: number
  readonly offerings: number
}

/**
 * Recomputes the figures of offerings whose investments changed. Returns true if there may be more changes. It locks first and
 * reads in later statements, so that each statement sees all earlier commits.
 */
export async function refreshFigures(tx: Tx, share: FiguresShare): Promise<boolean> {
  const taken = await tx.many(TAKE, [share.changes, share.offerings])
  const [first] = taken
  if (first === undefined) return false
  const offerings = taken.map(({ offering_id }) => offering_id)
  await tx.many(LOCK, [offerings])
  await tx.run(ADD_UP, [offerings])
  await tx.run(FORGET_SHARED, [offerings])
  await tx.run(COUNT_SHARED, [offerings])
  await tx.run(PLACE_IN_SEARCH, [offerings])
  const changes = taken.reduce((sum, one) => sum + one.changes, 0)
  return first.looked === share.changes || changes < first.looked
}

/** The viewer of the catalogue: a user, or null for the public view. Determined once for each request. */
export type Viewer = Id<'user'> | null

/**
 * "With read:explore returns the user's own view", and only if there is a user: "a read:explore token with no resolvable user:
 * public view". An installation on a user acts for that user; one on a company or syndicate has no user.
 */
export async function viewerOf(queries: WorldQueries, caller: Caller): Promise<Viewer> {
  if (caller.kind === 'user') return caller.scopes.has('read:explore') ? caller.userId : null
  if (caller.kind !== 'installation' || !caller.scopes.has('read:explore')) return null
  const [installation] = await findInstallations(queries, [caller.installationId])
  return installation?.target.type === 'user' ? installation.target.id : null
}
