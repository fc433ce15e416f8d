import { type Static, type TSchema, Type } from 'typebox'
import {
  EVENT_CATALOGUE,
  findEvents,
  type Occasion,
  type RecordedEvent,
  type StoredEvent,
  wholeData,
} from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { Time } from './fields.ts'

const CausedEvent = Type.Object(
  {
    id: Type.String(),
    event: Type.String({ description: 'The name of the event.' }),
    occurred_at: Time,
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'As a webhook with every scope would carry it.' }),
  },
  { title: 'CausedEvent', additionalProperties: false },
)

/** Canceling an offering cancels all that is invested in it: the answer shows this many and counts the rest. */
export const EVENTS_SHOWN_MAX = 1_000

const Meta = Type.Object(
  {
    events: Type.Array(CausedEvent, {
      description: `What this caused, in order; the first ${EVENTS_SHOWN_MAX}.`,
    }),
    event_count: Type.Integer({ minimum: 0, description: 'How many events there were in all.' }),
  },
  { title: 'SandboxMeta', additionalProperties: false },
)

/** Every answer of the sandbox: the record as it is now, and the events that made it so. */
export function played<R extends TSchema>(record: R) {
  return Type.Object({ data: record, meta: Meta }, { additionalProperties: false })
}

/** The events as they were recorded, read back in the transaction that wrote them. */
export async function causedEvents(tx: Tx, { caused }: Occasion): Promise<Static<typeof Meta>> {
  const told = caused.filter(isForEverybodyHere)
  const shown = told.slice(0, EVENTS_SHOWN_MAX).map(({ id }) => id)
  const events = shown.length === 0 ? [] : await findEvents(tx, shown)
  return { events: events.map(showEvent), event_count: told.length }
}

/**
 * What is for the owner of a referral code reaches them "only through an installation …; otherwise never, in any form":
 * whoever invests with another app's code must not see that app's tokens.
 */
function isForEverybodyHere({ name }: RecordedEvent): boolean {
  return EVENT_CATALOGUE[name].audience.every(({ through }) => through !== 'code_owner')
}

function showEvent(event: StoredEvent): Static<typeof CausedEvent> {
  return { id: event.id, event: event.name, occurred_at: event.occurred_at, data: wholeData(event) }
}
