import { lockClient, noteInstalled } from '@portico/server/access/apps/index.ts'
import { connectUser } from '@portico/server/access/installations/index.ts'
import { lockUser } from '@portico/server/access/people/index.ts'
import { parseClientId } from '@portico/server/kernel/client-id.ts'
import { type Id, parseId } from '@portico/server/kernel/ids.ts'
import type { Tx, WorldDatabase } from '@portico/server/system/postgres/database.ts'
import type { Part } from './cast.ts'
import { wasEverConnected } from './connection-store.ts'
import type { FileApp } from './demo-file.ts'
import type { DemoPerson } from './demo-world.ts'

/** Who has let in which app, so that there is one to look at and to disconnect. */
const CONNECTED = { part: 'investor', app: 'Fieldbook Digest' } as const satisfies { part: Part; app: string }

/** Once and for all: a person who disconnects the app stays without it, whatever is started again. */
export async function ensureConnection(
  db: WorldDatabase,
  apps: readonly FileApp[],
  people: Readonly<Record<Part, DemoPerson>>,
): Promise<void> {
  const made = apps.find(({ name }) => name === CONNECTED.app)
  const [app, { id: user }] = [parseId('app', made?.id), people[CONNECTED.part]]
  const key = made?.keys.find(({ mode }) => mode === db.world)?.client_id
  if (app === null || key === undefined || (await wasEverConnected(db.reads, app, user))) return
  await noteInstalled(db, app)
  await db.transaction((tx) => connect(tx, key, user))
}

/** As a consent does it, with everything that the app declares. */
async function connect(tx: Tx, key: string, userId: Id<'user'>): Promise<void> {
  const { deactivated } = await lockUser(tx, 'user', userId)
  const keyId = parseClientId(key)?.id
  const client = deactivated || keyId === undefined ? null : await lockClient(tx, keyId)
  if (client === null) return
  const { appId, scopes } = client
  const connection = { appId, userId, scopes, byDefault: false, piiBy: null }
  await connectUser(tx, connection, { cause: 'demo', caused: [], onRevoked: [] })
}
