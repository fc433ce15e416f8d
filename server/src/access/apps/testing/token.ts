import { authenticateTokens, issueClientToken } from '#access/tokens/index.ts'
import { type ClientId, parseClientId } from '#kernel/ids.ts'
import type { TestDatabase } from '#test/database.ts'
import { findClient, noteLiveToken } from '../index.ts'

/** Issues a token of the app itself, without the token endpoint. Null if the key is unknown or not active, or the app changes meanwhile. */
export async function aToken({ databases }: TestDatabase, clientId: ClientId): Promise<string | null> {
  const world = parseClientId(clientId)?.world ?? 'test'
  const db = databases[world]
  const client = await findClient(db, clientId, null)
  if (client === null || client.state !== 'active') return null
  if (!client.liveTokenNoted) await noteLiveToken(db, client.appId)
  const issued = await issueClientToken(db, client, { scopes: ['read:public'], byDefault: true })
  return issued === 'stale' ? null : issued.accessToken
}

/** Whether the token or the publishable key is accepted now. */
export async function works({ databases }: TestDatabase, bearer: string | null): Promise<boolean> {
  const holder = bearer === null ? null : await authenticateTokens(databases)(bearer)
  return holder !== null && holder !== 'ended'
}
