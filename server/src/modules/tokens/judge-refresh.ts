import type { ClientId } from '#kernel/client-id.ts'
import type { Id } from '#kernel/ids.ts'

/** A family of refresh tokens as it is under its lock. */
export type Family = {
  readonly id: string
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  readonly installationId: Id<'installation'>
  readonly headHash: Buffer
  readonly previousHash: Buffer | null
  /** Within the time in which an answer may be repeated; null before the first rotation. */
  readonly rotatedJustNow: boolean | null
  /** What the last rotation gave, sealed. */
  readonly answer: Buffer | null
  readonly scopes: readonly string[]
  readonly byDefault: boolean
  readonly generation: number
  readonly revoked: boolean
  readonly expired: boolean
}

export type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'unknown' | 'expired' | 'revoked'

/**
 * "Presenting a used refresh token revokes its family, except that the same client repeating the very last rotation
 * within 30 s gets the same successor again." Who knows the family's name and is not the newest of it holds a used
 * token, whichever client it says it is. The newest in the hands of another client gives it nothing and ends nothing.
 * The 30 s are real time, in which a sandbox's clock may have been moved beyond the family's end.
 */
export function judgeRefresh(family: Family, presented: Buffer, keyId: ClientId): RefreshVerdict {
  if (family.revoked) return 'revoked'
  const own = family.keyId === keyId
  if (family.headHash.equals(presented)) {
    if (!own) return 'unknown'
    return family.expired ? 'expired' : 'rotate'
  }
  const repeats = own && family.rotatedJustNow === true && family.previousHash?.equals(presented) === true
  if (!repeats || family.answer === null) return 'reused'
  return family.expired ? 'expired' : 'repeat'
}
