import { type Static, Type } from 'typebox'
import { ERASED_PERSON } from '#events/index.ts'
import { heldBy } from '#http/access.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { World } from '#kernel/world.ts'
import { COLOUR_PATTERN } from '#pages/platform-brand.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import { FRAME_PATH, JOIN_PATH } from '../join-page/entry-guard.ts'
import { CORNERS, INELIGIBLE_REASONS, JOIN_SESSION_STATES } from '../join-session-states.ts'
import { ANSWERED_URL_CHARS_MAX, ORIGIN_CHARS_MAX, ORIGINS_MAX } from '../session-input.ts'
import type { JoinTheme, SessionRecord } from './store.ts'

const time = () => Type.String({ format: 'date-time', description: 'UTC, in the time of the world.' })

export const TAG = 'Join sessions'

/** "Mint join sessions that sign a person up to a syndicate from the partner's site; included in write:syndicates." */
export const minting = heldBy(['user', 'installation'], 'write:syndicate_members')

/** A token that may read the syndicate's members may also read its join sessions. */
export const reading = heldBy(['user', 'installation'], 'write:syndicate_members', 'read:syndicates')

const NAME_CHARS_MAX = 100

const Colour = (description: string) => Type.String({ pattern: COLOUR_PATTERN, description })

const LOOKS = {
  accent: Colour('The colour of buttons. A contrast of at least 4.5:1 to paper.'),
  paper: Colour('The colour of the background.'),
  ink: Colour('The colour of text. A contrast of at least 7:1 to paper.'),
  corners: oneOf(CORNERS),
}

/** The fields that a session may override, and that a theme may omit. */
const LOOKS_OPTIONAL = {
  accent: Type.Optional(LOOKS.accent),
  paper: Type.Optional(LOOKS.paper),
  ink: Type.Optional(LOOKS.ink),
  corners: Type.Optional(LOOKS.corners),
}

const Name = Type.String({
  minLength: 1,
  maxLength: NAME_CHARS_MAX,
  pattern: LINE_PATTERN,
  description: 'For your own use: people who join do not see it.',
})

export const NewTheme = exactly({ name: Name, ...LOOKS_OPTIONAL }, 'NewJoinTheme')
export const ThemeChange = exactly({ name: Type.Optional(Name), ...LOOKS_OPTIONAL }, 'JoinThemeChange')

export const ThemeSchema = exactly(
  {
    id: idOf('joinTheme'),
    type: Type.Literal('join_theme'),
    attributes: exactly({
      syndicate: idOf('syndicate'),
      name: Type.String(),
      version: Type.Integer({ minimum: 1, description: 'Every change of the theme creates the next version.' }),
      ...LOOKS,
      created_at: time(),
    }),
  },
  'JoinTheme',
)

export const OneTheme = exactly({ data: ThemeSchema }, 'JoinThemeEnvelope')

export function themeRecord(theme: JoinTheme, syndicate: Static<typeof ThemeSchema>['attributes']['syndicate']) {
  const { id, created_at, name, version, accent, paper, ink, corners } = theme
  const attributes = { syndicate, name, version, accent, paper, ink, corners, created_at }
  return { id, type: 'join_theme', attributes } satisfies Static<typeof ThemeSchema>
}

const HOURS_MAX = 2_160
/** A join session is open for 30 days, unless the app requests another time of at most 90 days. */
export const HOURS_DEFAULT = 720

const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Your own data, returned unchanged. It is in no event.',
})

const PinnedTheme = exactly({
  id: idOf('joinTheme'),
  version: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 1_000 }), 'The newest version if omitted or null.'),
  ),
  overrides: Type.Optional(nullable(exactly(LOOKS_OPTIONAL))),
})

export const NewJoinSession = exactly(
  {
    return_url: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: ANSWERED_URL_CHARS_MAX }),
        'The address to which the person returns, with `join_session_id` and `status` added to the query. It must be https; in the ' +
          'sandbox also http on localhost, 127.0.0.1 or [::1]. Without it, the person stays on our page, which shows the outcome.',
      ),
    ),
    expires_in_hours: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: HOURS_MAX }), `${HOURS_DEFAULT} if omitted or null.`),
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
        'Makes an embedded session. If omitted or null, the session is hosted on our own page.',
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
      ineligible_reason: nullable(oneOf(INELIGIBLE_REASONS), 'Null unless `status` is `ineligible`.'),
      url: nullable(
        Type.String(),
        'The page to send the person to. Null after the session has ended, and while the app has no access to the syndicate.',
      ),
      embed: nullable(
        exactly({
          url: nullable(Type.String(), 'The address for your frame. Null when `attributes.url` is null.'),
          origins: Type.Array(Type.String()),
        }),
        'Null for a hosted session.',
      ),
      theme: exactly({
        id: nullable(Type.String()),
        version: nullable(Type.Integer()),
        override_fingerprint: nullable(Type.String(), 'SHA-256 of the session’s overrides of the theme.'),
      }),
      user: nullable(
        exactly({ id: idOf('user'), name: Type.String() }),
        'Null until a signed-in person presses “Continue as …” on the session’s page.',
      ),
      membership_id: nullable(idOf('membership'), 'The user’s membership, once they have applied or joined.'),
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
      user: session.user_id === null ? null : { id: session.user_id, name: session.user_name ?? ERASED_PERSON.name },
      ...{ membership_id, return_url, metadata: JSON.parse(session.metadata), created_at, expires_at },
    },
  }
}

const UNDER_WAY: ReadonlySet<string> = new Set(['open', 'pending_approval'])

function addressesOf({ id, status, app_has_access, frame_origins }: SessionRecord, { origin, links, world }: Shown) {
  const link = app_has_access && UNDER_WAY.has(status) ? links.make(world, id) : null
  const at = (path: string) => (link === null ? null : origin + path.replace(':link', link))
  return {
    url: at(JOIN_PATH),
    embed: frame_origins === null ? null : { url: at(FRAME_PATH), origins: frame_origins },
  }
}
