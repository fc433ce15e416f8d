import { randomBytes } from 'node:crypto'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { deleteSession, findSession, insertSession, touchSession } from './store.ts'

/** Longer than any value we give a browser; longer ones are not worth a digest. */
const VALUE_CHARS_MAX = 200

/**
 * Fills the edge's port: who signed in with the browser that brings this cookie. One short read of the platform's own
 * tables, which either world's connection may make; nothing is remembered between requests.
 */
export function signIns({ live: db }: { readonly live: WorldDatabase }): {
  find(cookieValue: string): Promise<AccountCaller | null>
} {
  return {
    async find(cookieValue) {
      if (cookieValue.length > VALUE_CHARS_MAX) return null
      const hash = digestOf(cookieValue)
      const session = await findSession(db, hash)
      if (session === null) return null
      if (session.unseen_lately) noteUse(db, hash)
      const { account_id, name, email } = session
      return { kind: 'account', accountId: account_id, name, email, sessionHash: hash }
    },
  }
}

/** Beside the request, which neither waits for it nor fails with it; the next one tries again. */
function noteUse(db: WorldDatabase, hash: Buffer): void {
  touchSession(db, hash).catch(() => {})
}

const VALUE_BYTES = 32

/**
 * Signs an account in in one browser, with a cookie value that nobody has seen before: a value somebody put into the
 * browser beforehand gains nothing (session fixation), and whoever was signed in there no longer is. Null for an
 * account that is disabled.
 */
export async function startSession(
  tx: PlatformTx,
  account: Id<'account'>,
  cookieBefore: string | null,
): Promise<string | null> {
  const value = randomBytes(VALUE_BYTES).toString('base64url')
  if (!(await insertSession(tx, digestOf(value), account))) return null
  if (cookieBefore !== null) await deleteSession(tx, digestOf(cookieBefore))
  return value
}

export async function endSession(tx: PlatformTx, cookieValue: string): Promise<void> {
  await deleteSession(tx, digestOf(cookieValue))
}
