import type { EventPayloads } from './api-types.ts'

/** The name of an event: `investment.created` and so on. */
export type EventName = keyof EventPayloads

/** The body of any webhook. Narrow its type with `event.event === 'investment.created'`. */
export type WebhookEvent = EventPayloads[EventName]

/** The body of a webhook for the event with this name. */
export type WebhookEventOf<Name extends EventName> = EventPayloads[Name]

/**
 * Returns a key that is the same for every repetition of a delivery, and different for each installation that an event
 * concerns. Store the keys of the events that you have handled, and skip events with a stored key.
 */
export function eventKey(event: WebhookEvent): string {
  const installation = 'installation' in event ? event.installation : undefined
  return `${event.id}:${installation?.id ?? ''}`
}
