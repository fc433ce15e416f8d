import type { AccountCaller } from '#kernel/caller.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findSession, touchSession } from './store.ts'

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
