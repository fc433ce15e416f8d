import type { RawQuery } from '#http/input/query-text.ts'
import { sentValue } from './query.ts'
import { PageRefusal } from './refusals.ts'

/** These two decide whom to trust, so no error about them can be sent to anybody. */
const DECISIVE = ['client_id', 'redirect_uri'] as const

export type ClientParameters = { readonly clientId: string; readonly requestedUri: string | undefined }

export function readQuery({ query }: { readonly query: RawQuery }): ClientParameters {
  if (query.malformed) throw unreadable('The query is not correctly percent-encoded.')
  for (const name of DECISIVE) {
    // Two empty ones are two: which of them a careless reader would take must not matter.
    if ((query.values.get(name)?.length ?? 0) > 1) throw unreadable(`${name} was sent more than once.`)
  }
  const clientId = sentValue(query, 'client_id')
  if (clientId === undefined) throw unreadable('client_id is missing.')
  return { clientId, requestedUri: sentValue(query, 'redirect_uri') }
}

function unreadable(detail: string): PageRefusal {
  return new PageRefusal('unreadable_request', detail)
}
