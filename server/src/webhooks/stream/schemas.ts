import { type TProperties, Type } from 'typebox'
import { EVENT_NAMES, SUBSCRIPTIONS } from '#events/index.ts'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { idPattern } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { One, time } from '../endpoints/schemas.ts'

const EventAttributes = {
  event: oneOf(EVENT_NAMES),
  mode: oneOf(WORLDS),
  installation_id: nullable(idOf('installation'), 'Null for an event about the app itself.'),
  created_at: time('UTC, in the time of the event’s world.'),
  redelivery_of: nullable(
    idOf('delivery'),
    'In the stream: the delivery whose event is sent again. Null for an event that comes for the first time.',
  ),
  payload: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The body that a webhook endpoint would get now.',
  }),
}

/** `more`: additional attributes for one route. */
export const eventSchema = <More extends TProperties>(more: More, title: string) =>
  exactly(
    { id: idOf('event'), type: Type.Literal('event'), attributes: exactly({ ...EventAttributes, ...more }) },
    title,
  )

const EventSchema = eventSchema({}, 'Event')

export const EventList = listOf(EventSchema, { request_id: Type.String() })
export const OneEvent = One(EventSchema, 'EventEnvelope')

export const EventParam = Type.Object({ id: idOf('event') })

export const Types = Type.Optional(
  Type.Array(oneOf(SUBSCRIPTIONS), {
    maxItems: 100,
    description: 'Events with these names, wildcards included (`investment.*`). If left out, all events.',
  }),
)

const Installation = Type.Optional(idOf('installation', 'Events of this installation.'))

/** The kinds of record by which events can be searched; not users. */
export const SUBJECTS = [
  'company',
  'syndicate',
  'offering',
  'investment',
  'membership',
  'joinSession',
  'investmentSession',
  'installation',
] as const

export const EventsQuery = Type.Object({
  types: Types,
  installation_id: Installation,
  subject_id: Type.Optional(
    Type.String({
      pattern: SUBJECTS.map((kind) => `(?:${idPattern(kind)})`).join('|'),
      description:
        'Events about this company, syndicate, offering, investment, membership, session or installation. Not about a user.',
    }),
  ),
  since: Type.Optional(time('Events created at this time or later, in the time of their world (`created_at`).')),
  until: Type.Optional(time('Events created before this time.')),
  order: Type.Optional(oneOf(['newest', 'oldest'], 'Which events come first. If left out, the newest.')),
  ...pageQuery(),
})

export const EventQuery = Type.Object({ installation_id: Installation })

export const StreamQuery = Type.Object({
  types: Types,
  installation_id: Installation,
  last_event_id: Type.Optional(
    Type.String({
      maxLength: 1_024,
      description:
        'The same as the header Last-Event-ID, for clients that cannot send headers. If both are sent, the header counts.',
    }),
  ),
})
