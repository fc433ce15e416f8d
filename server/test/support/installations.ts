import { type ChangeContext, connectUser, type Installation, type PiiBy } from '#access/installations/index.ts'
import { lockUser } from '#access/people/index.ts'
import { INVESTOR_PII } from '#access/scopes/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeUser } from '#test/people.ts'

let count = 0

/** Returns a change context with a cause that no other test uses. */
export function testChangeContext(onRevoked: ChangeContext['onRevoked'] = []): ChangeContext {
  count += 1
  return { cause: `installation-test-${count}`, caused: [], onRevoked }
}

type NewConnection = {
  readonly appId: Id<'app'>
  readonly userId?: Id<'user'>
  readonly scopes?: readonly string[]
  readonly byDefault?: boolean
  /** Why scopes that show investors were granted. The default is the platform's approval. */
  readonly piiBy?: PiiBy
}

/** Connects an existing app (`anApp`) for a user. It creates the user, unless one is given. */
export async function makeConnection(
  tx: Tx,
  connection: NewConnection,
  because = testChangeContext(),
): Promise<Installation> {
  const { appId, scopes = ['read:profile'], byDefault = false, piiBy = 'approval' } = connection
  const userId = connection.userId ?? (await makeUser(tx))
  await lockUser(tx, 'user', userId)
  const grounds = { byDefault, piiBy: scopes.includes(INVESTOR_PII) ? piiBy : null }
  const { installation } = await connectUser(tx, { appId, userId, scopes, ...grounds }, because)
  return installation
}
