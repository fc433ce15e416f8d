import { createHash } from 'node:crypto'

/** What a digest covers of an entry. `at` and `details` are texts as PostgreSQL writes them, so that nothing is rounded. */
export type DigestedEntry = {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: string
  readonly by_operator: boolean
  readonly request_id: string | null
  /** Stands for the reason, which may be erased. */
  readonly reason_digest: string | null
}

/** What the first digest follows. */
export const FIRST_DIGEST = Buffer.alloc(32)

/** SHA-256 over the digest before and the entry: a change of any entry changes every later digest. */
export function digestAfter(before: Buffer, entry: DigestedEntry): Buffer {
  const { id, at, actor, action, subject, details, by_operator, request_id, reason_digest } = entry
  const text = JSON.stringify([id, at, actor, action, subject, details, by_operator, request_id, reason_digest])
  return createHash('sha256').update(before).update(text).digest()
}

export function reasonDigest(salt: Buffer, reason: string): Buffer {
  return createHash('sha256').update(salt).update(reason, 'utf8').digest()
}
