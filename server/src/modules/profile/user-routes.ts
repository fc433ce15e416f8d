import { user } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { userHasLeft } from './hold-caller.ts'
import { type ProfileRow, readProfile, readProfileIn } from './profile-store.ts'
import type { ProfileRouteDeps } from './route-deps.ts'
import { ProfileChanges, updateProfile } from './update-profile.ts'
import { bareUser, OneUser, userRecord } from './user-record.ts'

export const userRoutes = ({ origin }: Pick<ProfileRouteDeps, 'origin'>): Route[] => [
  route({
    operation: 'getCurrentUser',
    method: 'GET',
    path: '/users/me',
    summary: 'The user who authorized the app: their profile with read:profile, else only their id',
    tag: 'User',
    // Every app may learn whom it acts for, whatever they let it do.
    access: user(),
    schema: { response: { 200: OneUser } },
    handler: async ({ db, caller: { userId, scopes } }) => {
      if (!scopes.has('read:profile')) return { status: 200, body: { data: bareUser(userId) } }
      const row = present(await readProfile(db, userId))
      return { status: 200, body: { data: userRecord(userId, row, origin()) } }
    },
  }),
  route({
    operation: 'updateCurrentUser',
    method: 'PATCH',
    path: '/users/me',
    summary: 'Change what the user says of themself: the fields given, no others; null takes one away',
    tag: 'User',
    access: user('write:profile'),
    schema: { body: ProfileChanges, response: { 200: OneUser } },
    transaction: async ({ tx, caller: { userId }, body }) => {
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
