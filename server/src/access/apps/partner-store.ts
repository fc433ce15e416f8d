import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { AppState, ProgramAt, ProgramName, RequestKind } from './app.ts'
import { type HistoryEntry, WAITING } from './store.ts'

/** A request of a team that waits for the platform's decision. */
export type WaitingRequest = {
  readonly kind: RequestKind
  readonly app_id: Id<'app'>
  readonly app_name: string
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
  readonly program: ProgramName | null
  readonly tier: ProgramAt['tier']
  /** Real time. */
  readonly since: string
  /** Unique in the list, and the last column by which the list is sorted. */
  readonly place: string
}

const PLACE = `w.app_id || ' ' || w.kind || ' ' || coalesce(w.program, '')`

const LIST = platformStatement<WaitingRequest>(
  'apps.list_waiting_requests',
  `select w.kind, w.app_id, a.name as app_name, o.id as organization_id, o.name as organization_name, w.program, w.tier,
          w.since, ${PLACE} as place
     from ${WAITING}
    where ($1::text is null or w.kind = $1)
      and ($2::timestamptz is null or (w.since, (${PLACE}) collate "C") > ($2::timestamptz, $3))
    order by w.since, (${PLACE}) collate "C" limit $4`,
)

type RequestPage = {
  readonly kind: RequestKind | null
  readonly after: { readonly since: string; readonly place: string } | null
  readonly limit: number
}

/** Sorted by waiting time, longest first. */
export async function listWaitingRequests(queries: PlatformQueries, { kind, after, limit }: RequestPage) {
  return queries.many(LIST, [kind, after?.since ?? null, after?.place ?? '', limit])
}

const COUNT = platformStatement<{ kind: RequestKind; count: number }>(
  'apps.count_waiting_requests',
  `select w.kind, count(*)::int as count from ${WAITING} group by w.kind`,
)

export async function countWaitingRequests(queries: PlatformQueries): Promise<Readonly<Record<RequestKind, number>>> {
  const rows = await queries.many(COUNT)
  const countOf = (kind: RequestKind) => rows.find((row) => row.kind === kind)?.count ?? 0
  return { approval: countOf('approval'), pii: countOf('pii'), program: countOf('program') }
}

/** Data of other modules by which a search finds an app or an organization: the ids of its records, and its webhook hosts. */
const OWNED = [
  'webhook_host',
  'installation',
  'webhook_endpoint',
  'delivery',
  'event',
  'request',
  'intent',
  'invite_link',
  'join_session',
  'investment_session',
  'referral_code',
  'invitation',
] as const

/** The apps and organizations to which the searched record belongs. */
export type Owners = { readonly by: (typeof OWNED)[number]; readonly ids: readonly Id<'app' | 'organization'>[] }

export const MATCHES = ['id', 'name', 'client_id', 'redirect_host', 'member', ...OWNED] as const

/** An organization or an app that a search found. */
export type FoundPartner = {
  readonly type: 'organization' | 'app'
  readonly id: Id<'organization'> | Id<'app'>
  readonly name: string
  readonly status: AppState | 'ended'
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
  /** The parts of its data that the search matched. */
  readonly matched: readonly (typeof MATCHES)[number][]
}

const FOUND = 'type, id, name, status, organization_id, organization_name, matched'
const contains = (column: string) => `position(lower($1) in lower(${column})) > 0`

/** The host of an address: between the scheme and the port, path, query or fragment. */
const HOST = `lower(substring(uri from '^[A-Za-z][A-Za-z0-9+.-]*://([^/:?#]+)'))`

const SEARCH = platformStatement<FoundPartner>(
  'apps.search_partners',
  `select ${FOUND} from (
     select 'app' as type, a.id, a.name, case o.state when 'ended' then 'ended' else a.state end as status,
            o.id as organization_id, o.name as organization_name, array_remove(array[
              case when a.id = $1 or o.id = $1 then 'id' end, case when ${contains('a.name')} then 'name' end,
              case when exists (select from platform.app_keys k where k.app_id = a.id and k.id = $1) then 'client_id' end,
              case when exists (select from platform.app_keys k, unnest(k.redirect_uris) uri
                                 where k.app_id = a.id and ${HOST} = lower($4)) then 'redirect_host' end,
              case when a.id = any($5) then $6::text end], null) as matched
       from platform.apps a join platform.organizations o on o.id = a.organization_id
      where a.deleted_at is null and a.id > $2
     union all
     select 'organization', o.id, o.name, o.state, o.id, o.name, array_remove(array[
              case when o.id = $1 then 'id' end, case when ${contains('o.name')} then 'name' end,
              case when o.id = any($5) then $6::text end], null)
       from platform.organizations o where o.id > $2
   ) found where cardinality(matched) > 0 order by id collate "C" limit $3`,
)

export type SearchPage = { readonly query: string; readonly after: string; readonly limit: number }
type PartnerSearch = SearchPage & { readonly host: string; readonly owners: Owners | null }

/** Searches by a part of a name, a complete id, a client id, the host of a redirect URI, or the owners of a record. */
export async function searchPartners(queries: PlatformQueries, { query, after, limit, host, owners }: PartnerSearch) {
  return queries.many(SEARCH, [query, after, limit, host, owners?.ids ?? [], owners?.by ?? null])
}

/** `@example.org` finds every address of the domain. The search needs no index, because few people are on teams. */
const OF_MEMBER = platformStatement<FoundPartner>(
  'apps.search_partners_of_member',
  `select 'organization' as type, o.id, o.name, o.state as status, o.id as organization_id, o.name as organization_name,
          array['member'] as matched
     from platform.organizations o
    where o.id > $2 and exists (
      select from platform.organization_members m join platform.accounts p on p.id = m.account_id
       where m.organization_id = o.id
         and case when $1 like '@%' then right(lower(p.email), char_length($1)) = lower($1) else lower(p.email) = lower($1) end)
    order by o.id limit $3`,
)

/** The organizations whose team has a person with this address, or with any address of a domain (`@example.org`). */
export async function searchPartnersOfMember(queries: PlatformQueries, { query, after, limit }: SearchPage) {
  return queries.many(OF_MEMBER, [query, after, limit])
}

type OrganizationEntry = HistoryEntry & { readonly subject: string }

const HISTORY = platformStatement<OrganizationEntry>(
  'apps.history_of_organization',
  `select e.id, e.at, e.actor, coalesce(p.name, o.name, k.name) as actor_name, e.action, e.details,
          e.by_operator, e.reason, e.subject
     from platform.audit_entries e
     left join platform.accounts p on p.id = e.actor
     left join platform.operator_keys o on o.id = e.actor
     left join platform.app_keys k on k.id = e.actor
    where e.subject = any (array(select id from platform.apps where organization_id = $1) || $1::text)
      and e.action <> 'operator.read' and ($2::bigint is null or e.id < $2::bigint)
    order by e.id desc limit $3`,
)

/** What was done to an organization and its apps, including deleted apps. Newest first. */
export async function listOrganizationHistory(
  queries: PlatformQueries,
  organization: Id<'organization'>,
  { before, limit }: { readonly before: string | null; readonly limit: number },
) {
  return queries.many(HISTORY, [organization, before, limit])
}

const APP_IDS = platformStatement<{ id: Id<'app'> }>(
  'apps.ids_of_organization',
  'select id from platform.apps where organization_id = $1 and deleted_at is null order by id',
)

export async function appIdsOf(queries: PlatformQueries, organization: Id<'organization'>): Promise<Id<'app'>[]> {
  return (await queries.many(APP_IDS, [organization])).map(({ id }) => id)
}

const RECORD_WAITING = platformStatement(
  'apps.record_waiting',
  `insert into platform.waiting_counts as known (unit, begins_at, approvals, pii, programs)
   select u.unit, date_trunc(u.unit, clock_timestamp(), 'UTC'), c.approvals, c.pii, c.programs
     from (select count(*) filter (where w.kind = 'approval') as approvals, count(*) filter (where w.kind = 'pii') as pii,
                  count(*) filter (where w.kind = 'program') as programs from ${WAITING}) c,
          (values ('day'), ('hour')) as u (unit)
   on conflict on constraint waiting_counts_pkey do update
      set approvals = excluded.approvals, pii = excluded.pii, programs = excluded.programs
    where (known.approvals, known.pii, known.programs) is distinct from (excluded.approvals, excluded.pii, excluded.programs)`,
)

const PURGE_WAITING = platformStatement(
  'apps.purge_waiting',
  `delete from platform.waiting_counts
    where (unit = 'hour' and begins_at < clock_timestamp() - interval '8 days')
       or (unit = 'day' and begins_at < clock_timestamp() - interval '400 days')`,
)

/** Stores how many requests wait now, for the current hour and day, and deletes rows that are too old for a series. */
export async function recordWaiting(tx: PlatformTx): Promise<void> {
  await tx.run(RECORD_WAITING)
  await tx.run(PURGE_WAITING)
}

export type WaitingPoint = {
  readonly begins_at: string
  readonly approvals: number
  readonly pii: number
  readonly programs: number
}

const WAITING_SERIES = platformStatement<WaitingPoint>(
  'apps.waiting_series',
  `select begins_at, approvals, pii, programs from platform.waiting_counts
    where unit = $1 and begins_at > date_trunc($1, clock_timestamp(), 'UTC') - $2::int * ('1 ' || $1)::interval
    order by begins_at`,
)

/** Oldest first. Hours and days in which no worker ran are left out. */
export async function waitingSeries(queries: PlatformQueries, unit: 'hour' | 'day', count: number) {
  return queries.many(WAITING_SERIES, [unit, count])
}
