import { parseClientId } from '#kernel/client-id.ts'
import type { World } from '#kernel/world.ts'
import { findClient, type Presented } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { judgeClient, stranger } from './judge-client.ts'
import type { Credentials } from './read-credentials.ts'

export type Authenticated = { readonly db: WorldDatabase; readonly client: Presented }

type Request = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly credentials: Credentials }

/** The client id's prefix picks the world, and nothing that follows leaves it. */
export async function authenticateClient({ databases, credentials }: Request): Promise<Authenticated> {
  const id = parseClientId(credentials.clientId)
  if (id === null) throw stranger()
  const db = databases[id.world]
  return { db, client: judgeClient(await findClient(db, id.id, credentials.secret), credentials) }
}
