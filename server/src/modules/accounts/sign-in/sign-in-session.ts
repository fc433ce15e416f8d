import { randomBytes } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { deleteSession, insertSession } from './store.ts'

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
