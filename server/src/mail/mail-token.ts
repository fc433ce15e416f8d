import { createHmac } from 'node:crypto'
import { fillRandom } from '#kernel/random.ts'
import { KEY_ID_BYTES, type PurposeKeys } from '#system/crypto/keyring.ts'

/**
 * The secret at the end of a link in a mail. A queued mail holds only a seed, and the row that the link stands for only the
 * token's digest: the token is the seed's HMAC, made again when the mail is sent. A person who reads the database, or a copy
 * of it, can open no link.
 */
export type MailTokens = {
  /** `seed` goes into the letter, and the digest of `token` into the row. */
  issue(purpose: string): { readonly seed: string; readonly token: string }
  /** Throws for a seed that was made with a sealing secret that is not listed any more. */
  tokenOf(seed: string): string
}

const CHANCE_BYTES = 24

export function mailTokens(keys: PurposeKeys): MailTokens {
  const tokenOf = (seed: string) => {
    const key = keys.byId(Buffer.from(seed.slice(seed.lastIndexOf('.') + 1), 'base64url').subarray(0, KEY_ID_BYTES))
    if (key === null) throw new Error('the sealing secret of a mail’s link is not listed any more')
    return createHmac('sha256', key.secret).update(seed).digest('base64url')
  }
  return {
    issue(purpose) {
      const bytes = Buffer.alloc(KEY_ID_BYTES + CHANCE_BYTES)
      fillRandom(bytes)
      bytes.set(keys.current.id)
      const seed = `${purpose}.${bytes.toString('base64url')}`
      return { seed, token: tokenOf(seed) }
    },
    tokenOf,
  }
}
