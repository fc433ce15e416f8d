import type { ClientType, KeyState } from '#access/apps/index.ts'
import type { OrganizationRole } from '#access/organizations/index.ts'
import { type ClientId, type Id, newClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { TestDatabase } from './database.ts'
import { nextId } from './later-ids.ts'

/**
 * Inserts apps and their keys as rows, in any state that a test starts with. The use cases have their own tests. All
 * other tests only need existing apps.
 */
type Db = Pick<TestDatabase, 'sql'>

export async function anAccount(db: Db, { name = 'Dev', email }: { name?: string; email?: string } = {}) {
  const id = nextId('account')
  await db.sql('insert into platform.accounts (id, email, name) values ($1, $2, $3)', [
    id,
    email ?? `${id}@example.org`,
    name,
  ])
  return id
}

/** Creates an organization without members. */
export async function anOrganization(db: Db, { name = 'Partner' }: { name?: string } = {}) {
  const id = nextId('organization')
  await db.sql('insert into platform.organizations (id, name) values ($1, $2)', [id, name])
  return id
}

type NewMember = {
  readonly organization: Id<'organization'>
  readonly role?: OrganizationRole
  readonly account?: Id<'account'>
}

/** Adds an account to a team: a new account, unless one is given. */
export async function aMember(db: Db, { organization, role = 'owner', account }: NewMember): Promise<Id<'account'>> {
  const id = account ?? (await anAccount(db))
  await db.sql('insert into platform.organization_members (organization_id, account_id, role) values ($1, $2, $3)', [
    organization,
    id,
    role,
  ])
  return id
}

export type MadeUpApp = {
  readonly organization?: Id<'organization'>
  readonly name?: string
  readonly scopes?: readonly string[]
  readonly state?: 'active' | 'suspended' | 'disabled'
  readonly apiVersion?: string
  readonly approved?: boolean
  readonly piiApproved?: boolean
  readonly setupUrl?: string
  readonly websiteUrl?: string
  readonly description?: string
}

/** Creates an app without keys. It belongs to a new organization, unless one is given. */
export async function anApp(db: Db, app: MadeUpApp = {}): Promise<Id<'app'>> {
  const id = nextId('app')
  const organization = app.organization ?? (await anOrganization(db))
  const account = await anAccount(db)
  await db.sql(
    `insert into platform.apps
       (id, organization_id, name, description, website_url, setup_url, api_version, scopes, suspended_at,
        suspended_reason, disabled_at, approved_at, pii_approved_at, conditions_version, conditions_accepted_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8,
             case when $9 = 'suspended' then clock_timestamp() end, case when $9 = 'suspended' then 'Because.' end,
             case when $9 = 'disabled' then clock_timestamp() end, case when $10 then clock_timestamp() end,
             case when $11 then clock_timestamp() end, '2026-01-01', $12)`,
    [
      id,
      organization,
      app.name ?? 'Deal Desk',
      app.description ?? null,
      app.websiteUrl ?? null,
      app.setupUrl ?? null,
      app.apiVersion ?? '2026-11-01',
      app.scopes ?? [],
      app.state ?? 'active',
      app.approved ?? false,
      app.piiApproved ?? false,
      account,
    ],
  )
  return id
}

export type MadeUpKey = {
  readonly world?: World
  readonly clientType?: ClientType
  readonly redirectUris?: readonly string[]
  readonly name?: string
  /** The default is the app's state. A key can also be revoked although its app is active. */
  readonly state?: KeyState
}

export type KeyPair = {
  readonly clientId: ClientId
  /** Empty for a public key, which has no secret. */
  readonly secret: string
}

/**
 * Creates a key with the app's scopes, version and state. By default it is confidential and belongs to the test world.
 */
export async function aKey(db: Db, app: Id<'app'>, key: MadeUpKey = {}): Promise<KeyPair> {
  const { world = 'test', clientType = 'confidential', redirectUris = [], name = 'Server', state = null } = key
  const clientId = newClientId(world)
  await db.sql(
    `insert into platform.app_keys
       (id, app_id, world, name, client_type, redirect_uris, scopes, api_version, state, revoked_at)
     select $1, id, $3, $4, $5, $6, scopes, api_version, coalesce($7, state),
            case when $7 = 'revoked' then clock_timestamp() end
       from platform.apps where id = $2`,
    [clientId, app, world, name, clientType, redirectUris, state],
  )
  if (clientType === 'public') return { clientId, secret: '' }
  const secret = newSecret('sk', world)
  await db.sql('insert into platform.app_secrets (key_id, hash) values ($1, $2)', [clientId, digestOf(secret)])
  return { clientId, secret }
}
