import { EVENT_CATALOGUE, EVENT_NAMES } from './catalogue.ts'
import type { EventName } from './event-data.ts'

/** `*`, or every event of a group: `investment.*`. The group is the part of a name before its dot. */
export type Wildcard = '*' | `${string}.*`

/** An entry of an endpoint's `events`. */
export type Subscription = EventName | Wildcard

const groupOf = (name: string) => name.slice(0, name.indexOf('.'))

export const WILDCARDS: readonly Wildcard[] = [
  '*',
  ...new Set(EVENT_NAMES.map((name): Wildcard => `${groupOf(name)}.*`)),
]

export const SUBSCRIPTIONS: readonly Subscription[] = [...EVENT_NAMES, ...WILDCARDS]

export function isWildcard(subscription: Subscription): subscription is Wildcard {
  return subscription === '*' || subscription.endsWith('.*')
}

/** Whether a subscription covers the event. A wildcard covers what the catalogue of the app's pinned version has. */
export function covers(subscription: Subscription, name: EventName, version: string): boolean {
  if (subscription === name) return true
  return (subscription === '*' || subscription === `${groupOf(name)}.*`) && isInCatalogue(name, version)
}

/** Versions are dates of one form and compare as text. */
export function isInCatalogue(name: EventName, version: string): boolean {
  const { since } = EVENT_CATALOGUE[name]
  return since === null || version >= since
}

/** The events that a list of subscriptions covers, in the list's order, each once. */
export function coveredBy(subscriptions: readonly Subscription[], version: string): readonly EventName[] {
  return [
    ...new Set(
      subscriptions.flatMap((subscription) => EVENT_NAMES.filter((name) => covers(subscription, name, version))),
    ),
  ]
}
