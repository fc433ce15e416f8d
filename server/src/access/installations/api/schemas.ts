import { type Static, Type } from 'typebox'
import { printScopes } from '#access/scopes/index.ts'
import type { IssuedToken } from '#access/tokens/index.ts'
import { listOf, openCursor, page, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import { type Fields, inData, isFields, type VersionStep } from '#http/version-steps.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { INSTALLER_TIERS } from '../grant-rules.ts'
import type { EligibleTarget } from '../install-app.ts'
import { INSTALLATION_STATES, type Installation, recordOf, TARGET_TYPES, type Target, TIERS } from '../installation.ts'
import { WHY_MISSING, type WhyMissing } from '../missing-scopes.ts'
import type { Wanted } from '../target-store.ts'

const Time = time('World time, in UTC.')
const ActedBy = exactly({
  role: Type.String({ description: 'founder, manager, user, partner, or the platform’s name if its staff acted.' }),
})

export const InstallationSchema = exactly(
  {
    id: idOf('installation'),
    status: oneOf(INSTALLATION_STATES),
    target: exactly({
      type: oneOf(TARGET_TYPES),
      id: Type.String(),
      name: Type.Union([Type.String(), Type.Null()], { description: 'Null for a user.' }),
    }),
    tier: oneOf(TIERS),
    scopes: Type.Array(Type.String(), {
      description: 'The granted scopes, which can be fewer than the requested ones.',
    }),
    installed_at: Time,
    installed_by: ActedBy,
    revoked_at: Type.Optional(Time),
    revoked_by: Type.Optional(ActedBy),
  },
  'Installation',
)

export function installationRecord(installation: Installation): Static<typeof InstallationSchema> {
  const record = recordOf(installation)
  return { ...record, scopes: [...record.scopes] }
}

const TokenSchema = exactly(
  {
    access_token: Type.String({ description: 'Shown only in this response.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Optional(Type.Integer({ description: 'In seconds. Absent if the token never expires.' })),
    scope: Type.String({ description: 'The scopes of the token, separated by spaces.' }),
    installation: idOf('installation'),
    created_at: Type.Integer({ description: 'Unix time.' }),
  },
  'InstallationToken',
)

export function tokenBlock(installation: Id<'installation'>, issued: IssuedToken): Static<typeof TokenSchema> {
  const { accessToken, expiresInSeconds, scopes, createdAt } = issued
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    ...(expiresInSeconds === null ? {} : { expires_in: expiresInSeconds }),
    scope: printScopes(scopes),
    installation,
    created_at: createdAt,
  }
}

export const OneInstallation = exactly({ data: InstallationSchema })
export const InstallationWithToken = exactly(
  { data: InstallationSchema, token: TokenSchema, meta: exactly({}) },
  'InstallationWithToken',
)
export const InstallationList = listOf(InstallationSchema, {
  count: Type.Integer({ description: 'The number of rows in this page, the same as page_count.' }),
})

/** `user` is missing, because a user connects an app by consent. */
const INSTALLABLE = ['company', 'syndicate'] as const

const EligibleSchema = exactly(
  {
    type: oneOf(INSTALLABLE),
    id: Type.String(),
    name: Type.String(),
    tier: oneOf(INSTALLER_TIERS),
    installed: Type.Boolean(),
    installation: nullable(InstallationSchema),
  },
  'EligibleTarget',
)
export const EligibleList = listOf(EligibleSchema)

export function eligibleRecord({ installation, ...target }: EligibleTarget): Static<typeof EligibleSchema> {
  const { type, id, name, tier } = target
  const there = installation === null ? null : installationRecord(installation)
  return { type, id, name, tier, installed: there !== null, installation: there }
}

const scopeList = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, description })

export const EligibleQuery = Type.Object({ target_type: Type.Optional(oneOf(INSTALLABLE)), ...pageQuery() })

export const NewInstallation = exactly(
  {
    target_type: oneOf(INSTALLABLE),
    target_id: Type.String({ minLength: 1, maxLength: 100, examples: ['co_0V3xkQ2b9TzQ4mYcW8sLr7Hp'] }),
    scopes: Type.Optional(scopeList('Default: all scopes that the app declares.')),
    tier: Type.Optional(
      oneOf(INSTALLER_TIERS, 'On a company, a lower role than the installer’s own. Default: the installer’s own role.'),
    ),
  },
  'NewInstallation',
)

export const NewToken = exactly(
  {
    scopes: Type.Optional(scopeList('Default: all scopes of the installation.')),
    never_expires: Type.Optional(
      Type.Boolean({
        description:
          '`true` creates an API key of a syndicate, which never expires. Only for a manager, on an installation on their syndicate.',
      }),
    ),
  },
  'NewInstallationToken',
)

export const Mode = oneOf(WORLDS, 'Default: live.')

/** What the team can do about a missing scope. */
export const WAYS_OUT: Readonly<Record<WhyMissing, string>> = {
  removed: 'Declare the scope on the app again if it is missing there, then have the app installed again.',
  program_pending: 'Wait for the platform to grant the program, then have the app installed again.',
  pii_not_approved: 'Ask the platform for the investor PII approval, then have the app installed again.',
  tier_without_writes: 'Have a founder or an admin of the company install the app.',
  founder_only: 'Have a founder of the company install the app.',
  must_be_listed: 'Have the app installed again by a request that lists this scope.',
  not_for_installations: 'Use the app’s own token: client credentials.',
  retired: 'Declare the scope that replaced it.',
  not_consented: 'Ask the person to install the app again, or the user of the connection to consent again.',
}

/** An installation with the data that the app's team sees in the portal. */
export const AppInstallation = exactly({
  data: exactly(
    {
      ...InstallationSchema.properties,
      mode: oneOf(WORLDS),
      requested_scopes: Type.Array(Type.String(), {
        description:
          'The scopes that the app declares, the scopes of programs that its team has requested, and the scopes that this installation lost.',
      }),
      missing_scopes: Type.Array(
        exactly({
          scope: Type.String(),
          reason: oneOf(WHY_MISSING),
          remedy: Type.String({ description: 'What the team can do to get the scope, in a sentence.' }),
        }),
        { description: 'The requested scopes that the installation lacks, in the catalogue’s order.' },
      ),
      last_used_at: nullable(
        time('The real time of the last recorded use of a token. A use is recorded at most once an hour.'),
      ),
      valid_tokens: Type.Integer({ minimum: 0, description: 'Access tokens that are neither revoked nor expired.' }),
    },
    'AppInstallation',
  ),
})

export const NewAppInstallationToken = exactly(
  {
    key_id: Type.Unsafe<ClientId>(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The app’s key to which the token belongs. The token ends when the key is revoked.',
      }),
    ),
    scopes: Type.Optional(scopeList('Default: all scopes of the installation.')),
  },
  'NewAppInstallationToken',
)

type PageQuery = { readonly size: number; readonly cursor: string | undefined }
export type Position = Pick<Wanted, 'before' | 'limit'>

type Pages = { readonly cursors: CursorSealer; readonly kind: CursorKind }
type WhichList = { readonly list: string; readonly world: World; readonly app: Id<'app'> }

/** A cursor is valid only for the same list, the same app and the same world. */
export function pagesOf(cursors: CursorSealer, { list, world, app }: WhichList): Pages {
  return { cursors, kind: { kind: `${list}/${world}/${app}`, version: 1 } }
}

/** One page of a list of installations, newest first. */
export async function showPage(
  { cursors, kind }: Pages,
  { size, cursor }: PageQuery,
  list: (at: Position) => Promise<readonly Installation[]>,
) {
  const [before = null] = openCursor(cursors, kind, cursor) ?? []
  const rows = await list({ before: before === null ? null : String(before), limit: size + 1 })
  const { data, meta } = page({ rows, size, item: installationRecord, next: ({ id }) => cursors.seal(kind, [id]) })
  return { data, meta: { ...meta, count: data.length } }
}

type Types = readonly Target['type'][]

/** Older API versions do not show installations on users. */
const OLDER_TYPES: Types = TARGET_TYPES.filter((type) => type !== 'user')

/** The target types that an API version shows, in lists and by id. */
export function shownTypes({ userInstallations }: Pick<Behaviour, 'userInstallations'>): Types {
  return userInstallations === 'shown' ? TARGET_TYPES : OLDER_TYPES
}

const RECORDS = [
  'listInstallations',
  'createInstallation',
  'getInstallation',
  'revokeInstallation',
  'createInstallationToken',
]

/**
 * Converts the flat records of the newest version to older ones, which were `{id, type, attributes}`. Their `installed_by` was the
 * installer's name, which we always return as null, and they had no `revoked_by`.
 */
export const INSTALLATION_STEPS: readonly VersionStep[] = [
  {
    name: 'flat installation records',
    before: '2026-11-01',
    operations: RECORDS,
    response: (body) => inData(body, nested),
  },
  {
    name: 'flat installation records of eligible targets',
    before: '2026-11-01',
    operations: ['listEligibleInstallTargets'],
    response: (body) =>
      inData(body, ({ installation, ...target }) => {
        return { ...target, installation: isFields(installation) ? nested(installation) : installation }
      }),
  },
  {
    name: 'one tier on syndicates',
    before: '2026-11-01',
    operations: ['createInstallation'],
    request: (body) => (body['target_type'] === 'syndicate' && isPermission(body['tier']) ? withoutTier(body) : body),
  },
]

function nested({ id, revoked_by: _revoker, revoked_at = null, ...attributes }: Fields): Fields {
  return { id, type: 'installation', attributes: { ...attributes, installed_by: null, revoked_at } }
}

/** Older requests for a syndicate had the manager's permission as tier. We drop it, because the tier is always manager now. */
function isPermission(tier: unknown): boolean {
  return tier === 'full_access' || tier === 'operator'
}

function withoutTier({ tier: _tier, ...rest }: Fields): Fields {
  return rest
}
