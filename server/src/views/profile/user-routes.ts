import { type Static, Type } from 'typebox'
import { actingUser, forThemselves } from '#access/installations/index.ts'
import { updateUser } from '#access/people/index.ts'
import { type Route, route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import { LINE_PATTERN, SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import type { Tx } from '#system/postgres/database.ts'
import { absoluteUrlOrNull } from '#views/catalog/index.ts'
import {
  exactly,
  holdCaller,
  idOf,
  NullableText,
  nullable,
  type ProfileRouteDeps,
  time,
  userHasLeft,
} from './route-parts.ts'
import { type ProfileRow, readProfile, readProfileIn, worldNow } from './store.ts'

export const userRoutes = ({ origin }: Pick<ProfileRouteDeps, 'origin'>): Route[] => [
  route({
    operation: 'getCurrentUser',
    method: 'GET',
    path: '/users/me',
    summary: 'Get the current user',
    description:
      'Returns the user for whom the token acts. With `read:profile` it is the whole profile, otherwise only the id.',
    tag: 'User',
    // Every app may learn whom it acts for, whatever they let it do.
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

/** Lengths are those of the columns. */
const Place = nullable(Type.String({ minLength: 1, maxLength: 100, pattern: LINE_PATTERN }))

/**
 * What an app may change for a person: how they describe themselves. Who they are (name, address, username, picture,
 * certification) is between them and the platform.
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

/** Changes the fields given and no others; null takes one away. */
async function updateProfile(tx: Tx, user: Id<'user'>, changes: Changes): Promise<void> {
  await holdCaller(tx, user)
  await updateUser(tx, { id: user, ...changes }, { occurredAt: await worldNow(tx) })
}

const Attributes = Type.Object(
  {
    email: Type.String(),
    username: Type.Optional(Type.String({ description: 'Left out for who has none.' })),
    name: Type.String({ description: 'What to call them: the first name, where one is known.' }),
    full_name: Type.String(),
    bio: NullableText,
    city: NullableText,
    state: NullableText,
    country: NullableText,
    avatar_url: NullableText,
    created_at: time(),
    certified_at: nullable(time(), 'When the person last certified that they may invest.'),
  },
  { additionalProperties: false, description: 'Left out unless the token holds read:profile.' },
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
      // Clients in the field do not expect a null here.
      ...(username === null ? {} : { username }),
      name: row.first_name ?? row.name,
      full_name: row.name,
      ...{ bio, city, state, country },
      avatar_url: absoluteUrlOrNull(origin, row.avatar_url),
      ...{ created_at, certified_at },
    },
  }
}
