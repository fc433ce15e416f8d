import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientId } from '#kernel/client-id.ts'
import type { Client } from '#modules/apps/index.ts'
import type { StoredCode } from './code-store.ts'
import type { GrantRefusal } from './issued-token.ts'
import type { Connection } from './store.ts'

export type CodeProof = {
  readonly keyId: ClientId
  /** Null where neither the client nor its key says which. */
  readonly redirectUri: string | null
  /** As it was sent, whatever that was; null for none. */
  readonly verifier: string | null
}

/**
 * Whether a code is good for this attempt. Having been used comes before everything else that is wrong: a second use
 * ends what the first gave, also when it comes too late or with less than it takes. A code that is presented with
 * another redirect URI or without a verifier stays good; a wrong verifier is a guess, and `redeemCode` burns the code.
 */
export function judgeCode(code: StoredCode, { keyId, redirectUri, verifier }: CodeProof): GrantRefusal | null {
  if (code.keyId !== keyId) return 'unknown'
  if (code.consumed) return 'reused'
  if (code.revoked) return 'revoked'
  if (code.expired) return 'expired'
  if (redirectUri === null) return 'no_redirect_uri'
  if (code.redirectUri !== redirectUri) return 'redirect_uri'
  if (verifier === null) return 'no_verifier'
  return proves(verifier, code.codeChallenge) ? null : 'verifier'
}

/** What everything given to a user rests on, looked at again under the locks whenever something is issued. */
export function judgeFooting(
  client: Client | null,
  connection: Connection | null,
  generation: number,
): GrantRefusal | null {
  if (client === null || client.state !== 'active') return 'client'
  if (client.generation !== generation) return 'revoked'
  if (connection?.deactivated === true) return 'user'
  if (connection?.disabled === true) return 'account_disabled'
  return connection?.active === true ? null : 'installation'
}

/** RFC 7636, section 4.1: 43 to 128 unreserved characters. One of another form cannot be the right one. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** RFC 7636, S256: the challenge is the SHA-256 of the verifier. */
function proves(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  const digest = createHash('sha256').update(verifier).digest()
  const wanted = Buffer.from(challenge, 'base64url')
  return wanted.length === digest.length && timingSafeEqual(wanted, digest)
}
