import { carriesBack } from '#http/browser/return-to.ts'
import type { RawQuery } from '#http/input/query-text.ts'
import { authorizeAddress } from './authorize-address.ts'
import { PageRefusal } from './refusals.ts'

/**
 * Whoever has to sign in first comes back to this very request, which travels in an address meanwhile. Said before
 * anything else, and to who is signed in too: they may want to become somebody else, and half a request is none.
 */
export function checkLength({ query }: { readonly query: RawQuery }): void {
  if (carriesBack(authorizeAddress(query))) return
  throw new PageRefusal('too_long', 'The parameters are too long together.')
}
