import type { Api } from '@portico/sdk'

export type EventTypes = NonNullable<NonNullable<Api.Operations['GET /events']['query']>['types']>

/** Names and wildcards, separated by commas or given one by one. The service knows which there are. */
export function readEventTypes(lists: readonly string[]): EventTypes {
  return lists.flatMap((list) => list.split(',')).filter((name) => name !== '') as EventTypes
}
