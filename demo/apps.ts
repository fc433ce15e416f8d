import {
  approveApp,
  type ClientType,
  CONDITIONS_VERSION,
  changeLogo,
  createApp,
  createKey,
  findApp,
  findClient,
  lockClient,
  noteInstalled,
  rotateSecret,
  type Seat,
} from '@portico/server/access/apps/index.ts'
import { connectUser } from '@portico/server/access/installations/index.ts'
import { lockUser } from '@portico/server/access/people/index.ts'
import { PICKER } from '@portico/server/access/scopes/index.ts'
import { type ClientId, type Id, parseClientId, parseId } from '@portico/server/kernel/ids.ts'
import type { World } from '@portico/server/kernel/world.ts'
import type { Databases, PlatformTx, Tx, WorldDatabase } from '@portico/server/system/postgres/database.ts'
import type { DemoFile, FileApp } from './demo-file.ts'
import type { DemoPerson } from './demo-world.ts'
import { letterLogo } from './logos.ts'
import type { DemoRole } from './sign-in-people.ts'
import { findAppNamed, findKeyNamed, wasEverConnected } from './store.ts'

const ACTOR = 'demo'

/**
 * Redirect URIs on a developer's own machine. The service accepts each of them with any port. The last two are for the API
 * reference, which gets tokens for the demo's people.
 */
const REDIRECT_URIS = [
  'http://127.0.0.1/callback',
  'http://localhost:3000/callback',
  'http://127.0.0.1/docs',
  'http://localhost/docs',
]

type DemoKey = { readonly world: World; readonly name: string; readonly client_type: ClientType }
type DemoApp = {
  readonly name: string
  readonly description: string
  readonly scopes: readonly string[]
  readonly approved: boolean
  /** PNG, in base64. */
  readonly logo?: string
  readonly keys: readonly DemoKey[]
}

/** The first app declares every scope of the portal's picker and is approved. The second has three scopes and no approval. */
const APPS: readonly DemoApp[] = [
  {
    name: 'Fieldbook CRM',
    description: 'Keeps a founder’s investors, their questions and their updates in one place.',
    scopes: PICKER.map(({ name }) => name),
    approved: true,
    logo: letterLogo().toString('base64'),
    keys: [
      { world: 'test', name: 'Server', client_type: 'confidential' },
      { world: 'test', name: 'Phone', client_type: 'public' },
      { world: 'live', name: 'Server', client_type: 'confidential' },
    ],
  },
  {
    name: 'Fieldbook Digest',
    description: 'A weekly letter about the offerings you follow.',
    scopes: ['read:explore', 'read:profile', 'write:follows'],
    approved: false,
    keys: [{ world: 'test', name: 'Web', client_type: 'public' }],
  },
]

export type Partner = { readonly organization: Id<'organization'>; readonly account: Id<'account'> }

/**
 * A secret is shown only when it is created. So a new secret replaces a secret that is missing from the file or no longer
 * valid.
 */
export async function ensureApps(
  databases: Databases,
  partner: Partner,
  file: Partial<DemoFile> | null,
): Promise<readonly FileApp[]> {
  const stored = secretsOf(file)
  const apps: FileApp[] = []
  for (const app of APPS) apps.push(await ensureApp(databases, { partner, app, stored }))
  return apps
}

type AppRequest = { readonly partner: Partner; readonly app: DemoApp; readonly stored: ReadonlyMap<string, string> }

async function ensureApp(databases: Databases, { partner, app, stored }: AppRequest): Promise<FileApp> {
  const id = await databases.platform.transaction(async (tx) => {
    return (await findAppNamed(tx, partner.organization, app.name)) ?? (await createDemoApp(tx, partner, app))
  })
  const seat = { app: id, account: partner.account }
  const keys: FileApp['keys'][number][] = []
  for (const key of app.keys) {
    const { clientId, secret } = await ensureKey(databases, { seat, key, stored })
    const client_secret = secret === null ? {} : { client_secret: secret }
    keys.push({
      mode: key.world,
      type: key.client_type,
      client_id: clientId,
      ...client_secret,
      redirect_uris: REDIRECT_URIS,
    })
  }
  const { scopes = [] } = (await findApp(databases.platform.reads, id)) ?? {}
  return { id, name: app.name, organization_id: partner.organization, scopes, keys }
}

async function createDemoApp(tx: PlatformTx, { organization, account }: Partner, app: DemoApp): Promise<Id<'app'>> {
  const { name, description, scopes, approved, logo } = app
  const fields = { name, description, scopes, accepted_conditions: CONDITIONS_VERSION, brand: null }
  const id = await createApp(tx, { organization, account }, fields)
  if (logo !== undefined) await changeLogo(tx, { app: id, account }, { media_type: 'image/png', data: logo })
  if (approved) await approveApp(tx, { app: id, actor: ACTOR, notify: async () => {} })
  return id
}

type KeyRequest = { readonly seat: Seat; readonly key: DemoKey; readonly stored: ReadonlyMap<string, string> }

async function ensureKey(databases: Databases, { seat, key, stored }: KeyRequest) {
  const clientId = await findKeyNamed(databases.platform.reads, seat.app, key)
  if (clientId === null) {
    const created = await databases.platform.transaction((tx) =>
      createKey(tx, seat, { ...key, redirect_uris: REDIRECT_URIS }),
    )
    return { clientId: created.id, secret: created.secret }
  }
  if (key.client_type === 'public') return { clientId, secret: null }
  const secret = stored.get(clientId) ?? null
  const found = await findClient(databases[key.world], clientId, secret)
  if (found?.secretMatches === true) return { clientId, secret }
  // A person who deletes the file wants a new secret, so the old secret is revoked at once.
  const rotated = await databases.platform.transaction((tx) => rotateSecret(tx, { ...seat, key: clientId }, 0))
  return { clientId, secret: rotated.secret }
}

function secretsOf(file: Partial<DemoFile> | null): ReadonlyMap<ClientId | string, string> {
  const keys = (file?.apps ?? []).flatMap((app) => app.keys ?? [])
  return new Map(keys.flatMap(({ client_id, client_secret }) => (client_secret ? [[client_id, client_secret]] : [])))
}

/** A connection that the demo's investor can see and disconnect. */
const CONNECTION = { demoRole: 'investor', app: 'Fieldbook Digest' } as const satisfies {
  demoRole: DemoRole
  app: string
}

/** Connects the app to the investor, but only once: if the investor disconnects it, later starts do not connect it again. */
export async function ensureConnection(
  db: WorldDatabase,
  apps: readonly FileApp[],
  people: Readonly<Record<DemoRole, DemoPerson>>,
): Promise<void> {
  const connected = apps.find(({ name }) => name === CONNECTION.app)
  const [app, { id: user }] = [parseId('app', connected?.id), people[CONNECTION.demoRole]]
  const key = connected?.keys.find(({ mode }) => mode === db.world)?.client_id
  if (app === null || key === undefined || (await wasEverConnected(db.reads, app, user))) return
  await noteInstalled(db, app)
  await db.transaction((tx) => connect(tx, key, user))
}

/** Creates the connection as if the user had consented to every scope that the app declares. */
async function connect(tx: Tx, key: string, userId: Id<'user'>): Promise<void> {
  const { deactivated } = await lockUser(tx, 'user', userId)
  const keyId = parseClientId(key)?.id
  const client = deactivated || keyId === undefined ? null : await lockClient(tx, keyId)
  if (client === null) return
  const { appId, scopes } = client
  const connection = { appId, userId, scopes, byDefault: false, piiBy: null }
  await connectUser(tx, connection, { cause: 'demo', caused: [], onRevoked: [] })
}
