import type { Version } from '#http/versions.ts'
import type { EventName } from '#modules/events/index.ts'

export type Fields = { readonly [key: string]: unknown }

/** How the data of some events looked before a version. */
export type EventStep = {
  readonly before: Version
  readonly events: readonly EventName[]
  readonly data: (data: Fields) => Fields
}

/**
 * "Events follow the version the app had at fan-out." Every difference there is, newest first: none so far. What differs
 * between versions in the API's records does not in events; "a webhook's `reason` is `recomputed` in every version".
 */
export const EVENT_STEPS: readonly EventStep[] = []

export function stepsBefore(version: Version, name: EventName, steps: readonly EventStep[]): readonly EventStep[] {
  return steps.filter(({ before, events }) => version < before && events.includes(name))
}
