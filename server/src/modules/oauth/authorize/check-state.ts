import type { RawQuery } from '#http/input/query-text.ts'
import { sentValue } from './query.ts'
import { AuthorizeError } from './refusals.ts'

/** It comes back in a header, together with the rest of the redirect URI. */
const STATE_CHARS_MAX = 2_048

/** What goes back to the app as `state`; null for none, and for one that is not sent back as it came. */
export function stateToReturn(query: RawQuery): string | null {
  const [state, ...others] = query.values.get('state') ?? []
  if (state === undefined || state === '' || others.length > 0) return null
  return state.length <= STATE_CHARS_MAX && state.isWellFormed() ? state : null
}

/** Optional: with PKCE on every request and `iss` on every answer, an app is protected without it too. */
export function checkState({ query }: { readonly query: RawQuery }): { readonly state: string | null } {
  const state = stateToReturn(query)
  if (state === null && sentValue(query, 'state') !== undefined) {
    throw new AuthorizeError('invalid_request', `state must be at most ${STATE_CHARS_MAX} characters.`)
  }
  return { state }
}
