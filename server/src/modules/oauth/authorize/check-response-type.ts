import type { RawQuery } from '#http/input/query-text.ts'
import { sentValue } from './query.ts'
import { AuthorizeError } from './refusals.ts'

/** Codes only: RFC 9700, section 2.1.2, warns of tokens in addresses. */
export function checkResponseType({ query }: { readonly query: RawQuery }): void {
  const type = sentValue(query, 'response_type')
  if (type === undefined) throw new AuthorizeError('invalid_request', 'response_type is missing.')
  if (type !== 'code') throw new AuthorizeError('unsupported_response_type', 'response_type must be code.')
}

/** The answer is in the query, which is the default for codes; nothing else is offered. */
export function checkResponseMode({ query }: { readonly query: RawQuery }): void {
  const mode = sentValue(query, 'response_mode')
  if (mode !== undefined && mode !== 'query') {
    throw new AuthorizeError('invalid_request', 'response_mode must be query, or be left out.')
  }
}
