import { type Route, route } from '#http/route.ts'
import { actingUser, forThemselves } from '#modules/installations/index.ts'
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
