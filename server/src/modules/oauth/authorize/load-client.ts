import { parseClientId } from '#kernel/client-id.ts'
import type { World } from '#kernel/world.ts'
import { type Client, findClient } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { ClientParameters } from './read-query.ts'
import { PageRefusal } from './refusals.ts'

type Request = ClientParameters & { readonly databases: Readonly<Record<World, WorldDatabase>> }

/** The key alone, unproven: here a browser asks on its behalf, and secrets have no business in an address bar. */
export async function loadClient({ databases, clientId }: Request): Promise<{ readonly client: Client }> {
  const id = parseClientId(clientId)
  const client = id === null ? null : await findClient(databases[id.world], id.id, null)
  if (client === null) throw new PageRefusal('unknown_app', 'client_id is not the id of a key.')
  return { client }
}
