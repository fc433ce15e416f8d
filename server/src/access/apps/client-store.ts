import type { OrganizationRole } from '#access/organizations/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { PlatformQueries, Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { gathered } from '#system/postgres/gathered-statements.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'
import type { AppState, Client } from './app.ts'
import { closeGate, enterGate } from './store.ts'

/** The version of a logo: its ETag, and the part of its URL that changes with the picture. */
export function logoVersion(digest: Buffer): string {
  return digest.toString('base64url').slice(0, 16)
}

/** An address on our own host; null for an app without a logo. */
export function logoUrl(app: Id<'app'>, digest: Buffer | null): string | null {
  return digest === null ? null : `/assets/apps/${app}/logo?v=${logoVersion(digest)}`
}

/** What consent and install pages show about an app. */
export type AppDescription = {
  readonly id: Id<'app'>
  readonly name: string
  /** An address on our own host. */
  readonly logoUrl: string | null
  readonly websiteUrl: string | null
  readonly description: string | null
  readonly setupUrl: string | null
  readonly organization: { readonly id: Id<'organization'>; readonly name: string }
  readonly approved: boolean
  readonly piiApproved: boolean
  /** `ended` if the platform ended the app's organization. */
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

/** Also returns a deleted app, because pages show the name of an app that requested something before its deletion. */
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

/** Finds an app by its id, or by the integer that older versions of the API use for it. Null for an unknown integer. */
export async function appByAnyId(queries: WorldQueries, id: string): Promise<Id<'app'> | null> {
  if (!DIGITS.test(id)) return id as Id<'app'>
  return (await queries.maybeOne(BY_LEGACY_ID, [id]))?.id ?? null
}

/**
 * "An app that … issued a live token or was installed cannot be deleted." Each of these events is recorded once, before the transaction
 * locks the app `for share`: if two transactions had that lock and then both wrote the row, they would deadlock.
 *
 * The first call changes the row and waits at the gate like every change; later calls do not wait.
 */
const note = (column: 'first_live_token_at' | 'first_installed_at') => `
  update platform.apps a set ${column} = clock_timestamp()
    from (select ${closeGate('b.id')} from platform.apps b where b.id = $1 and b.${column} is null offset 0) closed
   where a.id = $1 and a.${column} is null`

const NOTE_LIVE_TOKEN = statement('apps.note_live_token', note('first_live_token_at'))

/** Commits at once. If the token request then fails, the app still counts as undeletable, but it can be disabled. */
export async function noteLiveToken(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_LIVE_TOKEN, [app])
}

const NOTE_INSTALLED = statement('apps.note_installed', note('first_installed_at'))

/**
 * Records a person's consent in the live world. Does nothing in the test world, because a consent there does not make an app undeletable.
 * Commits at once, before the transaction that connects the person, and stays recorded even if that transaction fails.
 */
export async function noteInstalled(db: WorldDatabase, app: Id<'app'>): Promise<void> {
  if (db.world === 'live') await db.reads.run(NOTE_INSTALLED, [app])
}

/**
 * Runs in the transaction that installs the app, and is rolled back with it. It must be the transaction's first statement about the app. On
 * the app's first installation, every other transaction that locks the app waits until this one ends.
 */
export async function noteInstalledIn(tx: Tx, app: Id<'app'>): Promise<void> {
  await tx.run(NOTE_INSTALLED, [app])
}

/** A client that authenticates: the id that it claims, and whether the secret that it sent is in force. */
export type Presented = Client & {
  readonly secretMatches: boolean
  /** Whether the app's first live token needs no recording: it is recorded already, or this is the test world. */
  readonly liveTokenNoted: boolean
}

const CLIENT = `
  k.id as "keyId", k.app_id as "appId", k.world, k.client_type as "clientType", k.redirect_uris as "redirectUris",
  k.state, k.scopes, k.api_version as "apiVersion", k.generation, a.revision::text as revision,
  a.pii_approved_at is not null as "piiApproved"`

/** The first read of every request to the token endpoint: key, app and secret, each by its primary key. */
const CLIENT_FIND = shortStatement<{ readonly found: string | null }>(
  'apps.find_clients',
  `select json_object_agg(w.at, client) as found
     from rows from (json_to_recordset($1) as (id text, hash text)) with ordinality as w (id, hash, at)
    cross join lateral (
      select ${CLIENT},
             a.first_live_token_at is not null or k.world = 'test' as "liveTokenNoted",
             exists (select from platform.app_secrets s where s.key_id = k.id and s.hash = decode(w.hash, 'hex')
                        and (s.expires_at is null or s.expires_at > clock_timestamp())) as "secretMatches"
        from platform.app_keys k join platform.apps a on a.id = k.app_id
       where k.id = w.id and k.world = $2) client`,
)

type ClaimedClient = { readonly id: ClientId; readonly hash: string | null }

const findTogether = gathered<ClaimedClient, Presented | null>(
  { rowsMax: 64, statementsMax: 2 },
  async (db, claimed) => {
    const [response] = await db.short(CLIENT_FIND, [JSON.stringify(claimed), db.world])
    const found: Readonly<Record<number, Presented>> = JSON.parse(response?.found ?? '{}')
    return claimed.map((_, index) => found[index + 1] ?? null)
  },
)

export function findClient(db: WorldDatabase, id: ClientId, secret: string | null): Promise<Presented | null> {
  return findTogether(db, { id, hash: secret === null ? null : hexDigestOf(secret) })
}

/** Finds the client again by the digest of the secret that it sent before. */
export function findClientAgain(db: WorldDatabase, id: ClientId, digest: Buffer): Promise<Presented | null> {
  return findTogether(db, { id, hash: digest.toString('hex') })
}

const ENTER = statement('apps.enter_gate', `select ${enterGate('k.app_id')} from platform.app_keys k where k.id = $1`)

/**
 * `for share` waits for a transaction that is changing the app, and prevents changes of the app until the token is committed. Every
 * transaction enters the gate before it takes this lock.
 */
const LOCK_APP = statement<{ id: string }>(
  'apps.lock_for_issuing',
  `select a.id from platform.apps a join platform.app_keys k on k.app_id = a.id where k.id = $1 for share of a`,
)

const READ = statement<Client>(
  'apps.read_client',
  `select ${CLIENT} from platform.app_keys k join platform.apps a on a.id = k.app_id where k.id = $1 and k.world = $2`,
)

/** Locks first, then reads in a new statement, which sees the change that the lock waited for. */
export async function lockClient(tx: Tx, id: ClientId): Promise<Client | null> {
  await tx.run(ENTER, [id])
  if ((await tx.maybeOne(LOCK_APP, [id])) === null) return null
  return readClient(tx, id)
}

/** Reads without a lock, for a caller that locks the client later. */
export async function readClient(queries: WorldQueries, id: ClientId): Promise<Client | null> {
  return queries.maybeOne(READ, [id, queries.world])
}

type RoleRow = { readonly role: OrganizationRole }

const ROLE = `
  select m.role from platform.apps a join platform.organization_members m on m.organization_id = a.organization_id
   where a.id = $1 and a.deleted_at is null and m.account_id = $2`

const ON_PLATFORM = platformStatement<RoleRow>('apps.team_role', ROLE)

const IN_WORLD = statement<RoleRow>('apps.team_role_in_world', ROLE)

export async function findTeamRoleOn(
  queries: PlatformQueries,
  { app, account }: { readonly app: Id<'app'>; readonly account: Id<'account'> },
): Promise<OrganizationRole | null> {
  return (await queries.maybeOne(ON_PLATFORM, [app, account]))?.role ?? null
}

/**
 * The role of an account in the organization that owns an app, read from a world; null if the account is not on the organization's team.
 */
export async function findTeamRole(
  queries: WorldQueries,
  app: Id<'app'>,
  account: Id<'account'>,
): Promise<OrganizationRole | null> {
  return (await queries.maybeOne(IN_WORLD, [app, account]))?.role ?? null
}
