import { type Static, Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { LINE_PATTERN, PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { type User, updateUser } from '#modules/people/index.ts'
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
    bio: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 5000, pattern: PARAGRAPHS_PATTERN }))),
    city: Type.Optional(Place),
    state: Type.Optional(Place),
    country: Type.Optional(Place),
  },
  'ProfileChanges',
)

type Changes = Static<typeof ProfileChanges>

/** Changes the fields given and no others; null takes one away. */
export async function updateProfile(tx: Tx, user: Id<'user'>, changes: Changes): Promise<void> {
  const before = await holdCaller(tx, user)
  await updateUser(tx, { id: user, ...withoutStaleState(before, changes) }, { occurredAt: await worldNow(tx) })
}

/** A new city beside an old state is nowhere: who moves and does not say to which state is in none that we know. */
export function withoutStaleState(before: Pick<User, 'city' | 'country'>, changes: Changes): Changes {
  const { city = before.city, country = before.country } = changes
  const moved = city !== before.city || country !== before.country
  return moved && changes.state === undefined ? { ...changes, state: null } : changes
}
