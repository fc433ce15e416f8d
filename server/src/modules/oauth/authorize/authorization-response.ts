import { withAnswer } from '#http/pages/return-place.ts'
import type { AuthorizeErrorCode } from './refusals.ts'

/** `iss` on every answer, so that an app with several authorization servers knows who is talking (RFC 9207). */
export type ResponseParameters = { readonly iss: string; readonly state: string | null } & (
  | { readonly code: string }
  | { readonly error: AuthorizeErrorCode; readonly error_description: string }
)

/**
 * Where the browser goes next. The redirect URI's own query "MUST be retained" (RFC 6749, section 3.1.2).
 */
export function authorizationResponse(redirectUri: string, { state, ...parameters }: ResponseParameters): string {
  const answer = new URLSearchParams(parameters)
  if (state !== null) answer.set('state', state)
  return withAnswer(redirectUri, answer)
}
