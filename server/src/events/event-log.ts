import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { EVENT_CATALOGUE } from './catalogue.ts'
import type { NewEvent, Occasion } from './new-event.ts'
import {
  deleteEvents,
  eraseAbout,
  eraseNamed,
  eraseSentTo,
  findHorizon,
  insertEvent,
  insertEvents,
  insertEventsInto,
  type StoredEvent,
} from './store.ts'

/** Records an event in the transaction that causes it. */
export async function appendEvent(tx: Tx, event: NewEvent, occasion: Occasion): Promise<void> {
  const id = newId('event')
  await insertEvent(tx, { id, cause: occasion.cause, trace: tx.trace ?? null, ...event })
  occasion.caused.push({ id, name: event.name, occurredAt: event.occurredAt })
}

/** `cause` is null if no single fact or request caused the events. */
type BatchOccasion = Pick<Occasion, 'caused'> & { readonly cause: string | null }

/** Records many events about investments with one statement; the rows are the same as those of appendEvent. */
export async function appendEvents(
  tx: Tx,
  events: readonly NewEvent[],
  { cause, caused }: BatchOccasion,
): Promise<void> {
  const named = events.map((event) => ({ id: newId('event'), cause, trace: tx.trace ?? null, ...event }))
  await insertEvents(tx, named)
  for (const { id, name, occurredAt } of named) caused.push({ id, name, occurredAt })
}

type Into = { readonly world: World; readonly events: readonly NewEvent[] }

/** Records events in a world from a platform transaction, such as the revocation of installations. */
export async function appendEventsInto(
  tx: PlatformTx,
  { world, events }: Into,
  { cause, caused }: Pick<Occasion, 'cause' | 'caused'>,
): Promise<void> {
  if (events.length === 0) return
  const named = events.map((event) => ({ id: newId('event'), cause, trace: tx.trace ?? null, ...event }))
  await insertEventsInto(tx, world, named)
  for (const { id, name, occurredAt } of named) caused.push({ id, name, occurredAt })
}

export type Forgotten = {
  readonly id: Id<'user'>
  /** The person's addresses: events may have been recorded for them before the user existed. */
  readonly addresses: readonly string[]
}

/**
 * Erases a person from all events: events about the person, events that were recorded for the person's addresses before the user
 * existed, and the person's name where they approved or invited another person. The events stay without identity.
 */
export async function eraseFromEvents(tx: Tx, { id, addresses }: Forgotten): Promise<void> {
  await eraseAbout(tx, id)
  await eraseSentTo(tx, addresses)
  await eraseNamed(tx, id)
}

/** How many days of world time an event is stored: "What is undelivered is kept as long as its event (90 days)". */
export const EVENT_DAYS = 90

/** Events recorded before this wall time are older than EVENT_DAYS. */
export async function eventHorizon(tx: Tx): Promise<string> {
  return findHorizon(tx, EVENT_DAYS)
}

/** Deletes at most `limit` expired events, oldest first, and returns how many. */
export async function purgeEvents(tx: Tx, limit: number): Promise<number> {
  return deleteEvents(tx, await eventHorizon(tx), limit)
}

type Fields = { readonly [key: string]: unknown }

/** `data` as a receiver with all scopes sees it: with identity merged in, and occurred_at. */
export function wholeData({ name, occurred_at, data, identity }: StoredEvent): Fields {
  const whole = JSON.parse(data) as OwnFields
  if (identity !== null) putInto(whole, JSON.parse(identity) as Fields)
  // "occurred_at: present on every investment event except investment.executed"; some other groups do not have it at all.
  if (EVENT_CATALOGUE[name].occurredAt) whole['occurred_at'] = occurred_at
  return whole
}

/** Fields that were just parsed for this call and may be changed in place. A copy would cost time at almost every delivery. */
type OwnFields = { [key: string]: unknown }

/**
 * Merges `identity` into the same places of `data`; a list in `identity` is appended to the list in `data`. The identity is stored
 * separately, so that it can be erased.
 */
function putInto(data: OwnFields, identity: Fields): void {
  for (const key of Object.keys(identity)) {
    const [below, value] = [data[key], identity[key]]
    if (Array.isArray(below) && Array.isArray(value)) data[key] = [...below, ...value]
    else if (isFields(below) && isFields(value)) putInto(below, value)
    else data[key] = value
  }
}

function isFields(value: unknown): value is OwnFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
