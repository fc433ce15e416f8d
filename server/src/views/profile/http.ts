import { type Static, Type } from 'typebox'
import { actingUser, forThemselves } from '#access/installations/index.ts'
import { updateUser } from '#access/people/index.ts'
import { inCatalogueOrder, seesEveryFollow } from '#access/scopes/index.ts'
import { OLDER_VERSIONS_ONLY } from '#http/openapi-schemas.ts'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, time } from '#http/schema-fields.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { withLegacyIds } from '#http/version-steps.ts'
import type { Behaviour } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import { LINE_PATTERN, SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { COMPANY_ROLES } from '#market/companies/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { ACTIONS_COUNTED_MAX, countActions } from '#views/activity/index.ts'
import { followRoutes, lockCaller, NullableText, type ProfileRouteDeps, Time, userHasLeft } from './follow-routes.ts'
import {
  type ConnectedApp,
  companiesOf,
  connectedAppsOf,
  type MyCompany,
  type ProfileRow,
  readProfile,
  readProfileIn,
} from './store.ts'

export { FOLLOW_STEPS, type ProfileRouteDeps } from './follow-routes.ts'

/** The profile routes: reads and changes of a token's own user. */
export const profileRoutes = (deps: ProfileRouteDeps): Route[] => [
  ...userRoutes(deps),
  ...myCompanyRoutes(deps),
  ...followRoutes(deps),
  ...connectedAppRoutes(deps),
]

const MyCompanySchema = exactly(
  {
    id: idOf('company'),
    type: Type.Literal('company'),
    attributes: exactly({
      name: Type.String(),
      tagline: NullableText,
      url: Type.String({ description: 'The company’s page.' }),
      roles: Type.Array(Type.String({ enum: [...COMPANY_ROLES] }), {
        description: 'The user’s current roles at the company.',
      }),
      raising: Type.Boolean({ description: 'Whether a round accepts investments or reservations now.' }),
    }),
  },
  'MyCompany',
)

const MyCompanies = listOf(MyCompanySchema, { count: Type.Integer({ description: 'The same as page_count.' }) })

const myCompanyRoutes = ({ cursors, origin }: Pick<ProfileRouteDeps, 'cursors' | 'origin'>): Route[] => [
  route({
    operation: 'listMyCompanies',
    method: 'GET',
    path: '/users/me/companies',
    summary: 'List the user’s companies',
    description: 'Returns all companies on whose team the user is, each with the user’s roles.',
    tag: 'User',
    access: forThemselves('read:companies'),
    schema: { query: Type.Object(pageQuery()), response: { 200: MyCompanies } },
    handler: async ({ db, caller, query, behaviour: { unpagedLists: lists } }) => {
      const user = await actingUser(db.reads, caller)
      const { data, meta } = shortListPage({
        ...{ query, lists, cursors, kind: { kind: `my_companies/${user}`, version: 1 } },
        rows: await companiesOf(db.reads, user),
        place: ({ name, id }) => [name.toLowerCase(), id],
        item: (company) => recordOf(company, origin()),
      })
      return { status: 200, body: { data, meta: { ...meta, count: meta.page_count } } }
    },
  }),
]

function recordOf({ id, name, tagline, page_url, roles, raising }: MyCompany, origin: string) {
  const attributes = { name, tagline, url: absoluteUrl(origin, page_url), roles: [...roles], raising }
  return { id, type: 'company', attributes } satisfies Static<typeof MyCompanySchema>
}

const ConnectedAppSchema = exactly(
  {
    id: idOf('app'),
    type: Type.Literal('connected_app'),
    attributes: exactly({
      legacy_id: Type.Optional(Type.Integer({ [OLDER_VERSIONS_ONLY]: true })),
      name: Type.String(),
      scopes: Type.Array(Type.String(), {
        description:
          'The scopes of the connection, and of tokens that are still valid from a connection that it replaced.',
      }),
      last_active_at: nullable(Time, 'When the app last got a token. Null if it got none for 60 days.'),
      action_count: Type.Integer({
        description: `How many of the app’s newest ${ACTIONS_COUNTED_MAX} entries GET /activity shows to this token.`,
      }),
      created_at: time('When the user first connected the app: UTC, in world time.'),
    }),
  },
  'ConnectedApp',
)

const connectedAppRoutes = ({ cursors }: Pick<ProfileRouteDeps, 'cursors'>): Route[] => [
  route({
    operation: 'listConnectedApps',
    method: 'GET',
    path: '/connected-apps',
    summary: 'List connected apps',
    description: 'Returns all apps that are connected to the user now, newest connection first.',
    tag: 'Connected apps',
    access: forThemselves('read:profile'),
    schema: { query: Type.Object(pageQuery()), response: { 200: listOf(ConnectedAppSchema) } },
    handler: async ({ db, caller, query, behaviour: { unpagedLists: lists, integerIds } }) => {
      const user = await actingUser(db.reads, caller)
      const apps = await connectedAppsOf(db.reads, user)
      const counted = { apps: apps.map(({ id }) => id), everyFollow: seesEveryFollow(caller.scopes) }
      const actions = await countActions(db.reads, user, counted)
      const body = shortListPage({
        ...{ rows: apps, query, lists, cursors, kind: { kind: `connected_apps/${user}`, version: 1 } },
        place: ({ connection }) => [connection],
        order: 'descending',
        item: (app) => connectedAppRecord(app, { integerIds, action_count: actions.get(app.id) ?? 0 }),
      })
      return { status: 200, body }
    },
  }),
]

type Shown = { readonly integerIds: Behaviour['integerIds']; readonly action_count: number }

function connectedAppRecord(app: ConnectedApp, { integerIds, action_count }: Shown) {
  const { id, legacy_id, name, scopes, last_active_at, created_at } = app
  const attributes = {
    ...(integerIds === 'shown' ? { legacy_id: Number(legacy_id) } : {}),
    name,
    scopes: [...inCatalogueOrder(scopes)],
    last_active_at,
    action_count,
    created_at,
  }
  return { id, type: 'connected_app', attributes } satisfies Static<typeof ConnectedAppSchema>
}

const userRoutes = ({ origin }: Pick<ProfileRouteDeps, 'origin'>): Route[] => [
  route({
    operation: 'getCurrentUser',
    method: 'GET',
    path: '/users/me',
    summary: 'Get the current user',
    description:
      'Returns the user for whom the token acts: the whole profile with `read:profile`, otherwise only the id.',
    tag: 'User',
    // Every app may read the id of its user, with any scopes.
    access: forThemselves(),
    schema: { response: { 200: OneUser } },
    handler: async ({ db, caller }) => {
      const userId = await actingUser(db.reads, caller)
      if (!caller.scopes.has('read:profile')) return { status: 200, body: { data: bareUser(userId) } }
      const row = present(await readProfile(db, userId))
      return { status: 200, body: { data: userRecord(userId, row, origin()) } }
    },
  }),
  route({
    operation: 'updateCurrentUser',
    method: 'PATCH',
    path: '/users/me',
    summary: 'Update the current user',
    description: 'Changes the user’s own profile texts. Only the fields in the body change; null clears a field.',
    tag: 'User',
    action: 'profile.update',
    access: forThemselves('write:profile'),
    schema: { body: ProfileChanges, response: { 200: OneUser } },
    transaction: async ({ tx, caller, body }) => {
      const userId = await actingUser(tx, caller)
      await updateProfile(tx, userId, body)
      const row = present(await readProfileIn(tx, userId))
      return { status: 200, body: { data: userRecord(userId, row, origin()) } }
    },
  }),
]

function present(row: ProfileRow | null): ProfileRow {
  if (row === null) throw userHasLeft()
  return row
}

/** The maximum lengths are those of the database columns. */
const Place = nullable(Type.String({ minLength: 1, maxLength: 100, pattern: LINE_PATTERN }))

/**
 * The fields with which people describe themselves. An app may change only these for a person. Name, email address, username, picture
 * and certification can be changed only on the platform.
 */
const ProfileChanges = exactly(
  {
    bio: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 5000, pattern: SEEN_PARAGRAPHS_PATTERN }))),
    city: Type.Optional(Place),
    state: Type.Optional(Place),
    country: Type.Optional(Place),
  },
  'ProfileChanges',
)

type Changes = Static<typeof ProfileChanges>

/** Changes only the given fields; null clears a field. */
async function updateProfile(tx: Tx, user: Id<'user'>, changes: Changes): Promise<void> {
  await lockCaller(tx, user)
  await updateUser(tx, { id: user, ...changes }, { occurredAt: await worldNow(tx) })
}

const Attributes = Type.Object(
  {
    email: Type.String(),
    username: Type.Optional(Type.String({ description: 'Absent if the user has none.' })),
    name: Type.String({ description: 'The first name if it is known, otherwise the whole name.' }),
    full_name: Type.String(),
    bio: NullableText,
    city: NullableText,
    state: NullableText,
    country: NullableText,
    avatar_url: NullableText,
    created_at: Time,
    certified_at: nullable(Time, 'When the person last certified that they may invest.'),
  },
  { additionalProperties: false, description: 'Absent unless the token holds read:profile.' },
)

const UserSchema = exactly(
  { id: idOf('user'), type: Type.Literal('user'), attributes: Type.Optional(Attributes) },
  'User',
)

const OneUser = exactly({ data: UserSchema })

type UserRecord = Static<typeof UserSchema>

/** "With only write:follows or no profile scope the response contains only the user's id." */
function bareUser(id: Id<'user'>): UserRecord {
  return { id, type: 'user' }
}

function userRecord(id: Id<'user'>, row: ProfileRow, origin: string): UserRecord {
  const { email, username, bio, city, state, country, created_at, certified_at } = row
  return {
    id,
    type: 'user',
    attributes: {
      email,
      // Existing clients do not expect null here.
      ...(username === null ? {} : { username }),
      name: row.first_name ?? row.name,
      full_name: row.name,
      ...{ bio, city, state, country },
      avatar_url: absoluteUrl(origin, row.avatar_url),
      ...{ created_at, certified_at },
    },
  }
}

export const CONNECTED_APP_STEPS: readonly VersionStep[] = [
  {
    name: 'ids of connected apps',
    before: '2026-11-01',
    operations: ['listConnectedApps'],
    response: withLegacyIds,
  },
]
