import { type Static, Type } from 'typebox'
import type { World } from '#kernel/world.ts'
import { NOBODY } from '#modules/events/index.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import { FRAME_PATH, JOIN_PATH } from '../join-page/addresses.ts'
import { INELIGIBLE_REASONS } from '../join-session.ts'
import { JOIN_SESSION_STATES } from '../join-session-states.ts'
import { LOOKS_OPTIONAL } from '../join-themes/schemas.ts'
import { ANSWERED_URL_CHARS_MAX } from '../return-url.ts'
import { exactly, idOf, nullable, oneOf, time } from './fields.ts'
import { ORIGIN_CHARS_MAX, ORIGINS_MAX } from './frame-origins.ts'
import type { SessionRecord } from './store.ts'

const HOURS_MAX = 2_160
export const HOURS_DEFAULT = 720

const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Yours; echoed as it came, and in no event.',
})

const PinnedTheme = exactly({
  id: idOf('joinTheme'),
  version: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000 }), 'The newest, if left out or null.')),
  overrides: Type.Optional(nullable(exactly(LOOKS_OPTIONAL))),
})

export const NewJoinSession = exactly(
  {
    return_url: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: ANSWERED_URL_CHARS_MAX }),
        'Where the person goes afterwards, with `join_session_id` and `status` added to the query; https, in the sandbox ' +
          'also http on this machine. Left out, they stay on a page of ours that says how it ended.',
      ),
    ),
    expires_in_hours: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: HOURS_MAX }), `${HOURS_DEFAULT} if left out or null.`),
    ),
    embed: Type.Optional(
      nullable(
        exactly({
          origins: Type.Array(Type.String({ minLength: 1, maxLength: ORIGIN_CHARS_MAX }), {
            minItems: 1,
            maxItems: ORIGINS_MAX,
            description: 'The sites that may show the form in a frame, such as https://partner.example.',
          }),
          theme: Type.Optional(nullable(PinnedTheme)),
        }),
        'Left out or null: a hosted session.',
      ),
    ),
    metadata: Type.Optional(nullable(Metadata)),
  },
  'NewJoinSession',
)

export const JoinSessionSchema = exactly(
  {
    id: idOf('joinSession'),
    type: Type.Literal('join_session'),
    attributes: exactly({
      syndicate: idOf('syndicate'),
      status: oneOf(JOIN_SESSION_STATES, '`open` until the person finishes.'),
      ineligible_reason: nullable(oneOf(INELIGIBLE_REASONS), 'Null unless ineligible.'),
      url: nullable(
        Type.String(),
        'The page to send the person to. Null once the session is over, or when its link leads no further.',
      ),
      embed: nullable(
        exactly({
          url: nullable(Type.String(), 'What your frame shows. Null when the other is.'),
          origins: Type.Array(Type.String()),
        }),
        'Null for a hosted session.',
      ),
      theme: exactly({
        id: nullable(Type.String()),
        version: nullable(Type.Integer()),
        override_fingerprint: nullable(Type.String(), 'SHA-256 of what the session changes of the theme.'),
      }),
      user: nullable(
        exactly({ id: idOf('user'), name: Type.String() }),
        'Null until a signed-in person presses “Continue as …” on the session’s page.',
      ),
      membership_id: nullable(idOf('membership'), 'Theirs, once they have applied or joined.'),
      return_url: nullable(Type.String()),
      metadata: Metadata,
      created_at: time(),
      expires_at: time(),
    }),
  },
  'JoinSession',
)

export const OneJoinSession = exactly({ data: JoinSessionSchema }, 'JoinSessionEnvelope')

export type Shown = { readonly origin: string; readonly links: PageLinks; readonly world: World }

export function sessionRecord(session: SessionRecord, shown: Shown): Static<typeof JoinSessionSchema> {
  const { id, syndicate, status, ineligible_reason, membership_id, return_url, created_at, expires_at } = session
  return {
    id,
    type: 'join_session',
    attributes: {
      ...{ syndicate, status, ineligible_reason },
      ...addressesOf(session, shown),
      theme: {
        id: session.theme_id,
        version: session.theme_version,
        override_fingerprint: session.theme_override_fingerprint,
      },
      user: session.user_id === null ? null : { id: session.user_id, name: session.user_name ?? NOBODY.name },
      ...{ membership_id, return_url, metadata: JSON.parse(session.metadata), created_at, expires_at },
    },
  }
}

const UNDER_WAY: ReadonlySet<string> = new Set(['open', 'pending_approval'])

function addressesOf({ id, status, stands, frame_origins }: SessionRecord, { origin, links, world }: Shown) {
  const link = stands && UNDER_WAY.has(status) ? links.make(world, id) : null
  const at = (path: string) => (link === null ? null : origin + path.replace(':link', link))
  return {
    url: at(JOIN_PATH),
    embed: frame_origins === null ? null : { url: at(FRAME_PATH), origins: frame_origins },
  }
}
