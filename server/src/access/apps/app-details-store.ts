import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx, Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'
import type { AppProgram, AppState, ProgramAt, ProgramName } from './app.ts'
import { logoUrl } from './change-logo.ts'
import { closeGate } from './store.ts'

/** What people see about an app before they trust it with something. */
export type AppDescription = {
  readonly id: Id<'app'>
  readonly name: string
  /** On our own host. */
  readonly logoUrl: string | null
  readonly websiteUrl: string | null
  readonly description: string | null
  readonly setupUrl: string | null
  readonly organization: { readonly id: Id<'organization'>; readonly name: string }
  readonly approved: boolean
  readonly piiApproved: boolean
  /** `ended` where the platform ended its organization. */
  readonly state: AppState | 'ended'
}

type Row = Omit<AppDescription, 'organization' | 'logoUrl'> & {
  readonly logoDigest: Buffer | null
  readonly organizationId: Id<'organization'>
  readonly organizationName: string
}

const DESCRIBED = `select a.id, a.name, l.digest as "logoDigest", a.website_url as "websiteUrl", a.description,
         a.setup_url as "setupUrl", o.id as "organizationId", o.name as "organizationName",
         a.approved_at is not null as approved, a.pii_approved_at is not null as "piiApproved",
         case o.state when 'ended' then 'ended' else a.state end as state
    from platform.apps a join platform.organizations o on o.id = a.organization_id
    left join platform.app_logos l on l.app_id = a.id
   where a.id = $1`

const DESCRIBE = statement<Row>('apps.describe', `${DESCRIBED} and a.deleted_at is null`)
const DESCRIBE_FORMER = statement<Row>('apps.describe_former', DESCRIBED)

export async function describeApp(queries: WorldQueries, app: Id<'app'>): Promise<AppDescription | null> {
  return described(await queries.maybeOne(DESCRIBE, [app]))
}

/** Also for a deleted app: pages name the app that requested something before its deletion. */
export async function describeFormerApp(queries: WorldQueries, app: Id<'app'>): Promise<AppDescription | null> {
  return described(await queries.maybeOne(DESCRIBE_FORMER, [app]))
}

function described(row: Row | null): AppDescription | null {
  if (row === null) return null
  const { organizationId, organizationName, logoDigest, ...rest } = row
  const organization = { id: organizationId, name: organizationName }
  return { ...rest, logoUrl: logoUrl(row.id, logoDigest), organization }
}

const BY_LEGACY_ID = statement<{ id: Id<'app'> }>(
  'apps.by_legacy_id',
  'select id from platform.apps where legacy_id = $1::bigint',
)

const DIGITS = /^[0-9]{1,15}$/

/** An app by its id, or by the integer that older versions of the API have for it; null for an unknown integer. */
export async function appByAnyId(queries: WorldQueries, id: string): Promise<Id<'app'> | null> {
  if (!DIGITS.test(id)) return id as Id<'app'>
  return (await queries.maybeOne(BY_LEGACY_ID, [id]))?.id ?? null
}

/**
 * "An app that … issued a live token or was installed cannot be deleted." Noted once each and before anything holds the
 * app `for share`: of two transactions that held it so and then wrote its row, each would wait for the other.
 *
 * The first time is a change of the row and waits at the gate like any other; later calls wait for nothing.
 */
const note = (column: 'first_live_token_at' | 'first_installed_at') => `
  update platform.apps a set ${column} = clock_timestamp()
    from (select ${closeGate('b.id')} from platform.apps b where b.id = $1 and b.${column} is null offset 0) closed
   where a.id = $1 and a.${column} is null`

const NOTE_LIVE_TOKEN = statement('apps.note_live_token', note('first_live_token_at'))

/** Committed at once. If the token request then fails, the app counts as undeletable; it can still be disabled. */
export async function noteLiveToken(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_LIVE_TOKEN, [app])
}

const NOTE_INSTALLED = statement('apps.note_installed', note('first_installed_at'))

/**
 * For a person's consent: a consent in the test world alone does not keep an app from being deleted. Committed at once,
 * before the transaction that connects the person is opened, also where that then fails.
 */
export async function noteInstalled(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_INSTALLED, [app])
}

/**
 * As part of the transaction that installs, and undone with it. It must be the first thing that does anything with the
 * app; the first time, every other transaction that locks the app waits until that transaction ends.
 */
export async function noteInstalledIn(tx: Tx, app: Id<'app'>): Promise<void> {
  await tx.run(NOTE_INSTALLED, [app])
}

const OF_APPS = platformStatement<AppProgram>(
  'apps.programs',
  `select app_id, program, tier, requested_at, approved_at from platform.app_programs
    where app_id = any($1) order by app_id, program`,
)

export async function programsOf(queries: PlatformQueries, apps: readonly Id<'app'>[]): Promise<AppProgram[]> {
  return queries.many(OF_APPS, [apps])
}

export async function findProgram(queries: PlatformQueries, app: Id<'app'>, program: ProgramName) {
  return (await programsOf(queries, [app])).find((row) => row.program === program) ?? null
}

/** A granted tier stays in force while the app waits for a higher one. */
const REQUEST = platformStatement(
  'apps.request_program',
  `insert into platform.app_programs as p (app_id, program, tier, requested_at)
   values ($1, $2, $3, clock_timestamp())
   on conflict (app_id, program) do update
      set requested_at = excluded.requested_at,
          tier = case when p.approved_at is null then excluded.tier else p.tier end`,
)

export async function writeRequest(tx: PlatformTx, app: Id<'app'>, { program, tier }: ProgramAt): Promise<void> {
  await tx.run(REQUEST, [app, program, tier])
}

const APPROVE = platformStatement(
  'apps.approve_program',
  `insert into platform.app_programs (app_id, program, tier, approved_at) values ($1, $2, $3, clock_timestamp())
   on conflict (app_id, program) do update set approved_at = excluded.approved_at, tier = excluded.tier`,
)

export async function writeProgramApproved(tx: PlatformTx, app: Id<'app'>, { program, tier }: ProgramAt) {
  await tx.run(APPROVE, [app, program, tier])
}

const DELETE = platformStatement(
  'apps.delete_program',
  'delete from platform.app_programs where app_id = $1 and program = $2',
)

/** The row alone, under the app's lock: the caller that withdraws it also removes what its scopes were issued for. */
export async function deleteProgram(tx: PlatformTx, app: Id<'app'>, program: ProgramName): Promise<boolean> {
  return (await tx.run(DELETE, [app, program])) === 1
}
