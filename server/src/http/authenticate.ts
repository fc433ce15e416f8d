import { hash } from 'node:crypto'
import type { Caller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { TokenLookup } from './ports.ts'

/** RFC 6750's b64token. Longer than any credential we make is not worth a lookup. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i

/** What was presented: nobody yet, until the caller is known. `credential` is a digest, for counting. */
export type Presented = { readonly caller: Caller | null; readonly credential: string | null }

export const NOTHING: Presented = { caller: null, credential: null }

/** Looks the credential up and refuses nothing: limits count a failed attempt before it is answered. */
export async function lookUp(lookup: TokenLookup, authorization: string | undefined): Promise<Presented> {
  const bearer = BEARER.exec(authorization ?? '')?.[1]
  if (bearer === undefined) return NOTHING
  return { caller: await lookup(bearer), credential: hash('sha256', bearer, 'base64url') }
}

export function requireCaller({ caller, credential }: Presented): Caller {
  if (caller !== null) return caller
  throw new ApiError('invalid_token', {
    public: credential === null ? 'No access token was sent.' : 'The access token is invalid, expired or revoked.',
    remediation:
      credential === null
        ? 'Send the header Authorization: Bearer followed by an access token, or a publishable key for public reads.'
        : 'Obtain a new token, then send the request again.',
  })
}
