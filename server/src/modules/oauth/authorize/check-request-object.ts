import type { RawQuery } from '#http/input/query-text.ts'
import { sentValue } from './query.ts'
import { AuthorizeError } from './refusals.ts'

/** Ignoring them would carry out another request than the one that was signed (RFC 9101). */
export function checkRequestObject({ query }: { readonly query: RawQuery }): void {
  if (sentValue(query, 'request') !== undefined) {
    throw new AuthorizeError('request_not_supported', 'Request objects are not supported.')
  }
  if (sentValue(query, 'request_uri') !== undefined) {
    throw new AuthorizeError('request_uri_not_supported', 'Request objects are not supported.')
  }
}
