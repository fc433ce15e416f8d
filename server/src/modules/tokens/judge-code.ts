import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientId } from '#kernel/client-id.ts'
import type { Client } from '#modules/apps/index.ts'
import type { StoredCode } from './code-store.ts'
import type { Connection } from './connection-store.ts'
import type { GrantRefusal } from './issued-token.ts'

export type CodeProof = { readonly keyId: ClientId; readonly redirectUri: string; readonly verifier: string }

/**
 * Whether a code is good for this attempt. Having been used comes before everything else that is wrong: a second use
 * ends what the first gave, also when it comes without the verifier or too late. A code that is presented wrongly and
 * was not used stays good, or whoever saw it pass could spoil it.
 */
export function judgeCode(code: StoredCode, { keyId, redirectUri, verifier }: CodeProof): GrantRefusal | null {
  if (code.keyId !== keyId) return 'unknown'
  if (code.consumed) return 'reused'
  if (code.revoked) return 'revoked'
  if (code.expired) return 'expired'
  if (code.redirectUri !== redirectUri) return 'redirect_uri'
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
  return connection?.active === true ? null : 'installation'
}

/** RFC 7636, S256: the challenge is the SHA-256 of the verifier. */
function proves(verifier: string, challenge: string): boolean {
  const digest = createHash('sha256').update(verifier).digest()
  const wanted = Buffer.from(challenge, 'base64url')
  return wanted.length === digest.length && timingSafeEqual(wanted, digest)
}
