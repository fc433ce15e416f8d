import { hash } from 'node:crypto'
import type { Caller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { SentCredential } from './limit-port.ts'

/** RFC 6750's b64token. Longer than any credential we make is not worth a lookup. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i

/** What was sent as a bearer, and its digest for counting, which comes before anything is looked up. */
export type Presented = { readonly bearer: string; readonly credential: SentCredential }

export function readBearer(authorization: string | undefined): Presented | null {
  const bearer = BEARER.exec(authorization ?? '')?.[1]
  if (bearer === undefined) return null
  const credential = { digest: hash('sha256', bearer, 'base64url'), publishable: bearer.startsWith('pk_') }
  return { bearer, credential }
}

export function requireCaller(caller: Caller | null, credential: SentCredential | null): Caller {
  if (caller !== null) return caller
  throw new ApiError('invalid_token', {
    public: credential === null ? 'No access token was sent.' : 'The access token is invalid, expired or revoked.',
    remediation:
      credential === null
        ? 'Send the header Authorization: Bearer followed by an access token, or a publishable key for public reads.'
        : 'Obtain a new token, then send the request again.',
  })
}
