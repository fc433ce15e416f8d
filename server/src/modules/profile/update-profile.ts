import { type Static, Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { LINE_PATTERN, SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { updateUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { holdCaller } from './hold-caller.ts'
import { worldNow } from './profile-store.ts'
import { exactly, nullable } from './schemas.ts'

/** Lengths are those of the columns. */
const Place = nullable(Type.String({ minLength: 1, maxLength: 100, pattern: LINE_PATTERN }))

/**
 * What an app may change for a person: how they describe themselves. Who they are (name, address, username, picture,
 * certification) is between them and the platform.
 */
export const ProfileChanges = exactly(
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
export async function updateProfile(tx: Tx, user: Id<'user'>, changes: Changes): Promise<void> {
  await holdCaller(tx, user)
  await updateUser(tx, { id: user, ...changes }, { occurredAt: await worldNow(tx) })
}
