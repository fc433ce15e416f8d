import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { CONDITIONS_VERSION } from './app.ts'

const IN_FORCE = platformStatement<{ version: string }>(
  'apps.conditions_in_force',
  `select greatest($1, (select max(version) from platform.usage_conditions)) as version`,
)

/** The version of the usage conditions that a new app accepts: the latest one. */
export async function conditionsInForce(queries: PlatformQueries): Promise<string> {
  return (await queries.one(IN_FORCE, [CONDITIONS_VERSION])).version
}

/** Times are real time, as text. */
export type PublishedConditions = {
  readonly version: string
  readonly published_at: string
  readonly published_by: string
}

const PUBLISH = platformStatement<PublishedConditions>(
  'apps.publish_conditions',
  `insert into platform.usage_conditions (version, text, published_by) values ($1, $2, $3)
   on conflict (version) do nothing returning version, published_at, published_by`,
)

/** Null if the version exists. */
export async function insertConditions(tx: PlatformTx, version: string, text: string, by: string) {
  return tx.maybeOne(PUBLISH, [version, text, by])
}

const CONDITIONS_TEXT = platformStatement<{ text: string }>(
  'apps.conditions_text',
  'select text from platform.usage_conditions where version = $1',
)

export async function findConditionsText(queries: PlatformQueries, version: string): Promise<string | null> {
  return (await queries.maybeOne(CONDITIONS_TEXT, [version]))?.text ?? null
}

const CONDITIONS = platformStatement<PublishedConditions>(
  'apps.list_conditions',
  'select version, published_at, published_by from platform.usage_conditions order by version desc limit 500',
)

/** The published versions, latest first. */
export async function listConditions(queries: PlatformQueries): Promise<readonly PublishedConditions[]> {
  return queries.many(CONDITIONS)
}

const COUNT_ACCEPTED = platformStatement<{ version: string; apps: number }>(
  'apps.count_accepted_conditions',
  `select accepted.version, count(*)::int as apps
     from (select id, conditions_version as version from platform.apps
           union all select app_id, version from platform.earlier_acceptances) accepted
     join platform.apps a on a.id = accepted.id and a.deleted_at is null
    group by accepted.version`,
)

/** For each version, the number of apps that accepted it, even if they have accepted a newer version since. */
export async function countAcceptances(queries: PlatformQueries): Promise<ReadonlyMap<string, number>> {
  return new Map((await queries.many(COUNT_ACCEPTED)).map(({ version, apps }) => [version, apps]))
}

/** The latest acceptance for an app. Times are real time, as text. */
export type Acceptance = {
  readonly app_id: Id<'app'>
  readonly app_name: string
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
  readonly version: string
  readonly account_id: Id<'account'>
  readonly accepted_at: string
  /** The versions that the app accepted before, latest first. */
  readonly earlier: readonly EarlierAcceptance[]
}

type EarlierAcceptance = Pick<Acceptance, 'version' | 'account_id' | 'accepted_at'>

const ACCEPTANCES = platformStatement<Omit<Acceptance, 'earlier'> & { readonly earlier: string }>(
  'apps.list_acceptances',
  `select a.id as app_id, a.name as app_name, o.id as organization_id, o.name as organization_name,
          a.conditions_version as version, a.conditions_accepted_by as account_id, a.conditions_accepted_at as accepted_at,
          (select coalesce(jsonb_agg(jsonb_build_object('version', e.version, 'account_id', e.account_id, 'accepted_at',
                                       to_char(e.accepted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                                     order by e.version desc), '[]')::text
             from platform.earlier_acceptances e where e.app_id = a.id) as earlier
     from platform.apps a join platform.organizations o on o.id = a.organization_id
    where a.deleted_at is null and ($1::text is null or a.conditions_version = $1
           or exists (select from platform.earlier_acceptances e where e.app_id = a.id and e.version = $1))
      and ($2::text is null or a.conditions_version < $2) and ($3::text is null or a.organization_id = $3)
      and ($4::text is null or a.id = $4) and ($5::text is null or a.conditions_accepted_by = $5
           or exists (select from platform.earlier_acceptances e where e.app_id = a.id and e.account_id = $5)) and a.id > $6
    order by a.id limit $7`,
)

export type AcceptanceFilter = {
  readonly version: string | null
  /** Only apps whose latest accepted version is older than this version. */
  readonly before: string | null
  readonly organization: Id<'organization'> | null
  readonly app: Id<'app'> | null
  readonly account: Id<'account'> | null
}

/** Which versions the team of each app accepted, oldest app first. */
export async function listAcceptances(
  queries: PlatformQueries,
  { version, before, organization, app, account }: AcceptanceFilter,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly Acceptance[]> {
  const rows = await queries.many(ACCEPTANCES, [version, before, organization, app, account, after, limit])
  return rows.map(({ earlier, ...row }) => ({ ...row, earlier: JSON.parse(earlier) as readonly EarlierAcceptance[] }))
}

const ACCEPT = platformStatement(
  'apps.accept_conditions',
  `with earlier as (
     insert into platform.earlier_acceptances (app_id, version, account_id, accepted_at)
     select id, conditions_version, conditions_accepted_by, conditions_accepted_at from platform.apps where id = $1)
   update platform.apps
      set conditions_version = $2, conditions_accepted_by = $3, conditions_accepted_at = clock_timestamp()
    where id = $1`,
)

type Accepted = { readonly app: Id<'app'>; readonly version: string; readonly account: Id<'account'> }

/** The transaction has locked the app. The earlier acceptance stays in the list. */
export async function acceptVersion(tx: PlatformTx, { app, version, account }: Accepted): Promise<void> {
  await tx.run(ACCEPT, [app, version, account])
}

const WITHOUT = platformStatement<{ id: Id<'app'> }>(
  'apps.without_conditions',
  `select a.id from platform.apps a join platform.organizations o on o.id = a.organization_id and o.state = 'active'
    where a.deleted_at is null and a.conditions_version < $1 order by a.id`,
)

/** The apps of active organizations whose latest accepted version is older than `version`. */
export async function appsWithout(queries: PlatformQueries, version: string): Promise<readonly Id<'app'>[]> {
  return (await queries.many(WITHOUT, [version])).map(({ id }) => id)
}
