import { type Static, Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { absoluteUrlOrNull } from '#modules/catalog/index.ts'
import type { ProfileRow } from './profile-store.ts'
import { exactly, idOf, NullableText, nullable, time } from './schemas.ts'

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

export const OneUser = exactly({ data: UserSchema })

type UserRecord = Static<typeof UserSchema>

/** "With only write:follows or no profile scope the response contains only the user's id." */
export function bareUser(id: Id<'user'>): UserRecord {
  return { id, type: 'user' }
}

export function userRecord(id: Id<'user'>, row: ProfileRow, origin: string): UserRecord {
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
