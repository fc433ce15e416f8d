import type { PlatformTx } from '#system/postgres/database.ts'
import { findEnd, insertDigests, listUnchained, lockChain } from './chain-store.ts'
import { digestAfter, FIRST_DIGEST } from './digest.ts'

/**
 * Adds digests for up to `limit` entries and returns how many. Writers of entries never wait for it: they write no digest, and
 * entries that are committed late are taken by a later round. Of several workers one works, the others return 0.
 */
export async function chainAudit(tx: PlatformTx, limit: number): Promise<number> {
  if (!(await lockChain(tx))) return 0
  const entries = await listUnchained(tx, limit)
  if (entries.length === 0) return 0
  const end = await findEnd(tx)
  let digest = end?.digest ?? FIRST_DIGEST
  const digests: string[] = []
  for (const entry of entries) {
    digest = digestAfter(digest, entry)
    digests.push(digest.toString('hex'))
  }
  const ids = entries.map(({ id }) => id)
  await insertDigests(tx, { after: end?.position ?? '0', ids, digests })
  return entries.length
}
