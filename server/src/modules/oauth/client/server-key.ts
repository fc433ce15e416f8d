import type { ServerKeyLookup } from '#http/ports.ts'
import { parseClientId } from '#kernel/client-id.ts'
import type { World } from '#kernel/world.ts'
import { findClient } from '#modules/apps/index.ts'
import { declaredIn, heldScopes } from '#modules/scopes/index.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { parseBasic } from './basic-credentials.ts'
import type { ClientLimit } from './client-limit.ts'

/** Wrong secrets are guesses, limited as at /oauth/token; a request that proved itself counts on its key's own hour. */
export type ServerKeyLimit = Pick<ClientLimit, 'tries'> & {
  calls: ClientLimit['asks']
}

type Deps = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly limit: ServerKeyLimit }

/**
 * "A confidential key may authenticate with HTTP Basic." Looked up for every request, so that a revoked key, a rotated
 * secret and a suspended or disabled app are refused on the next one. The key's prefix picks the world. It holds what the
 * app declares at this moment.
 */
export function authenticateServerKey({ databases, limit }: Deps): ServerKeyLookup {
  return async (authorization, { address, counted }) => {
    const pair = parseBasic(authorization)
    const id = pair === null ? null : parseClientId(pair.id)
    if (pair === null || id === null) return null
    const attempt = await limit.tries({ client: id.id, secret: pair.secret, address })
    const client = await findClient(databases[id.world], id.id, pair.secret)
    if (client?.clientType !== 'confidential' || !client.secretMatches) return null
    attempt.proved()
    if (client.state !== 'active') return null
    await limit.calls(client.keyId, counted)
    const { world, appId, keyId, apiVersion } = client
    const scopes = heldScopes(declaredIn(apiVersion, client.scopes), apiVersion)
    return { kind: 'server_key', world, appId, keyId, apiVersion, scopes, secretDigest: digestOf(pair.secret) }
  }
}
