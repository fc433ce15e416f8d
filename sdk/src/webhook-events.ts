import type { EventPayloads } from './api-types.ts'

/** The name of an event: `investment.created` and so on. */
export type EventName = keyof EventPayloads

/** The body of every webhook: narrow it with `event.event === 'investment.created'`. */
export type WebhookEvent = EventPayloads[EventName]

/** The body of one event’s webhook. */
export type WebhookEventOf<Name extends EventName> = EventPayloads[Name]

/**
 * The same for every repetition of a delivery, and different for each installation that an event concerns. Store it,
 * and skip events that you have handled before.
 */
export function eventKey(event: WebhookEvent): string {
  const installation = 'installation' in event ? event.installation : undefined
  return `${event.id}:${installation?.id ?? ''}`
}
