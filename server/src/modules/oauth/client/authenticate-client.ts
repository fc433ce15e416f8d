import { parseClientId } from '#kernel/client-id.ts'
import type { World } from '#kernel/world.ts'
import { findClient, type Presented } from '#modules/apps/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Credentials } from './read-credentials.ts'
import { whyStopped } from './stopped.ts'

export type Authenticated = { readonly db: WorldDatabase; readonly client: Presented }

type Request = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly credentials: Credentials }

/** The client id's prefix picks the world, and nothing that follows leaves it. */
export async function authenticateClient({ databases, credentials }: Request): Promise<Authenticated> {
  const id = parseClientId(credentials.clientId)
  if (id === null) throw stranger()
  const db = databases[id.world]
  return { db, client: judgeClient(await findClient(db, id.id, credentials.secret), credentials) }
}

/**
 * A confidential key proves itself with a secret, a public one has none to send; "every credential of a suspended,
 * disabled or ended app" is refused. Whether a key exists and whether its secret is right are one answer, and only who
 * has the secret hears about the app's state.
 */
export function judgeClient(client: Presented | null, credentials: Credentials): Presented {
  if (client === null) throw stranger()
  if (client.clientType === 'confidential') {
    if (credentials.method === 'none')
      throw new OAuthError('invalid_client', 'This key is confidential: send its secret.')
    if (!client.secretMatches) throw stranger()
  } else if (credentials.method !== 'none') {
    throw new OAuthError('invalid_client', 'This key is public and has no secret: send client_id alone, in the body.')
  }
  const stopped = whyStopped(client)
  if (stopped !== null) throw new OAuthError('invalid_client', stopped)
  return client
}

function stranger(): OAuthError {
  return new OAuthError('invalid_client', 'The client is not known, or its secret is wrong.')
}
