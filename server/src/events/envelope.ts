import { type Static, type TObject, Type } from 'typebox'
import { exactly, oneOf } from '#http/schema-fields.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { carriesInstallation } from './catalogue.ts'
import { idOrExample, Timestamp } from './data/fields.ts'
import { EVENT_DATA, type EventData, type EventName } from './event-data.ts'
import { TEST_EVENT_PREFIX, TEST_INSTALLATION_PREFIX } from './new-event.ts'

const Target = Type.Union([
  exactly({ type: oneOf(['company']), id: idOrExample('company') }),
  exactly({ type: oneOf(['syndicate']), id: idOrExample('syndicate') }),
  exactly({ type: oneOf(['user']), id: idOrExample('user') }),
])

/**
 * The installation of a delivery. An event is sent once for each installation, so receivers need the event's id and the
 * installation's id to detect duplicates.
 */
export const EventInstallation = Type.Object(
  { id: idOrExample('installation'), target: Target },
  { title: 'EventInstallation', additionalProperties: false },
)

/** "For an app-wide endpoint installation is {id: inst_test_..., target: null, test: true}." */
export const TestInstallation = Type.Object(
  {
    id: Type.String({ pattern: `^${TEST_INSTALLATION_PREFIX}[0-9A-Za-z]+$` }),
    target: Type.Null(),
    test: Type.Literal(true),
  },
  { title: 'TestEventInstallation', additionalProperties: false },
)

/** The body of a delivery. */
export function envelopeSchema(name: EventName): TObject {
  const installation = carriesInstallation(name) ? { installation: EventInstallation } : {}
  return exactly({ id: Type.String({ pattern: idPattern('event') }), ...common(name), ...installation })
}

/** The body of a test event. An installation-bound endpoint gets its real installation, an app-wide one `TestInstallation`. */
export function testEnvelopeSchema(name: EventName): TObject {
  const installation = carriesInstallation(name)
    ? { installation: Type.Union([TestInstallation, EventInstallation]) }
    : {}
  return exactly({
    id: Type.String({ pattern: `^${TEST_EVENT_PREFIX}[0-9A-Za-z]+$` }),
    ...common(name),
    ...installation,
  })
}

function common(name: EventName) {
  return {
    event: oneOf([name]),
    created_at: Timestamp,
    /** The world in which the event happened. The mode "does not say whether the envelope is a test". */
    mode: oneOf(WORLDS),
    data: EVENT_DATA[name],
  }
}

type Block<N extends EventName, I> = N extends 'referral_cohorts.published'
  ? { readonly installation?: never }
  : { readonly installation: I }

type Common<N extends EventName> = {
  readonly event: N
  readonly created_at: string
  readonly mode: World
  readonly data: EventData<N>
}

export type Envelope<N extends EventName> = { readonly id: Id<'event'> } & Common<N> &
  Block<N, Static<typeof EventInstallation>>

export type TestEnvelope<N extends EventName> = { readonly id: `${typeof TEST_EVENT_PREFIX}${string}` } & Common<N> &
  Block<N, Static<typeof TestInstallation> | Static<typeof EventInstallation>>
