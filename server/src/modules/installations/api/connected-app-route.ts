import { Type } from 'typebox'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { idPattern } from '#kernel/ids.ts'
import { appByAnyId } from '#modules/apps/index.ts'
import { actingUser, forThemselves } from '../acting-user.ts'
import { becauseOf, type OnRevoked } from '../because.ts'
import { disconnectUser } from '../disconnect-user.ts'
import { exactly } from './schemas.ts'

const Disconnection = exactly(
  {
    data: exactly({
      revoked: Type.Literal(true),
      tokens_revoked: Type.Integer({ description: 'Access and refresh tokens that were in force until now.' }),
    }),
  },
  'ConnectedAppRevocation',
)

const AppId = Type.String({
  pattern: `${idPattern('app')}|^[0-9]{1,15}$`,
  description: 'The app’s id. The integer id of older versions is accepted too.',
})

/** "write updates the profile and revokes connected apps": any of the user's, by its app's id, this one included. */
export const connectedAppRoute = ({ onRevoked }: { readonly onRevoked: readonly OnRevoked[] }): Route =>
  route({
    operation: 'revokeConnectedApp',
    method: 'DELETE',
    path: '/connected-apps/:id',
    summary: 'Disconnect an app',
    description: 'Disconnects an app from the user and revokes every token that the app has for them.',
    tag: 'Connected apps',
    action: 'connected_apps.revoke',
    access: forThemselves('write:profile'),
    schema: { params: Type.Object({ id: AppId }), response: { 200: Disconnection } },
    transaction: async ({ tx, caller, params: { id }, requestId }) => {
      const userId = await actingUser(tx, caller)
      const appId = await appByAnyId(tx, id)
      if (appId === null) throw notFound(`${id} is no app`)
      const because = becauseOf(requestId, { onRevoked })
      const disconnected = await disconnectUser(tx, { appId, userId, role: 'user' }, because)
      if (disconnected === null) throw notFound(`${userId} has not connected ${appId}`)
      const { accessTokens, refreshTokens } = disconnected.tokens
      const data = { revoked: true, tokens_revoked: accessTokens + refreshTokens } as const
      return { status: 200, body: { data } }
    },
  })
