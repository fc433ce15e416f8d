import type { RawQuery } from '#http/input/query-text.ts'
import { sentValue } from './query.ts'
import { AuthorizeError } from './refusals.ts'

/** RFC 6749, appendix A.5: visible ASCII and the space. It comes back in a header, with the rest of the redirect URI. */
const STATE_CHARS_MAX = 2_048
const STATE = /^[\x20-\x7e]+$/

/** What goes back to the app as `state`; null for none, and for one that is not sent back as it came. */
export function stateToReturn(query: RawQuery): string | null {
  const [state, ...others] = query.values.get('state') ?? []
  if (state === undefined || state === '' || others.length > 0) return null
  return state.length <= STATE_CHARS_MAX && STATE.test(state) ? state : null
}

/** Optional: with PKCE on every request and `iss` on every answer, an app is protected without it too. */
export function checkState({ query }: { readonly query: RawQuery }): { readonly state: string | null } {
  const state = stateToReturn(query)
  if (state === null && sentValue(query, 'state') !== undefined) {
    throw new AuthorizeError('invalid_request', `state must be plain ASCII, at most ${STATE_CHARS_MAX} characters.`)
  }
  return { state }
}
