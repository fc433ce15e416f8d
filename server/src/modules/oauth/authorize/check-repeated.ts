import type { RawQuery } from '#http/input/query-text.ts'
import { AuthorizeError } from './refusals.ts'

const ONCE = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]

/** "Request and response parameters MUST NOT be included more than once" (RFC 6749, section 3.1). */
export function checkRepeated({ query }: { readonly query: RawQuery }): void {
  const repeated = ONCE.find((name) => (query.values.get(name)?.length ?? 0) > 1)
  if (repeated !== undefined) throw new AuthorizeError('invalid_request', `${repeated} was sent more than once.`)
}
