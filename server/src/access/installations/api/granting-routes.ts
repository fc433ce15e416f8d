import { Type } from 'typebox'
import { mintInstallationToken } from '#access/tokens/index.ts'
import { heldBy, user } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { idOf } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import { parseId } from '#kernel/ids.ts'
import { installApp } from '../install-app.ts'
import { changeContext, type OnRevoked } from '../lifecycle.ts'
import { isEverlasting, mintToken } from '../mint-token.ts'
import type { InstallTarget } from '../target-store.ts'
import {
  InstallationWithToken,
  installationRecord,
  NewInstallation,
  NewToken,
  shownTypes,
  tokenBlock,
} from './schemas.ts'

/** Routes that create an installation, or a token of one. Both responses show a token once. */
export const grantingRoutes = ({ onRevoked }: { readonly onRevoked: readonly OnRevoked[] }): Route[] => [
  route({
    operation: 'createInstallation',
    method: 'POST',
    path: '/installations',
    summary: 'Create an installation',
    description: 'Installs the app on a company that the user can edit or on a syndicate that the user manages.',
    tag: 'Installations',
    access: user('write:installations'),
    schema: { body: NewInstallation, response: { 201: InstallationWithToken } },
    transaction: async ({ tx, caller, body, requestId, counted }) => {
      const { keyId, appId, userId } = caller
      const target = installTargetOf(body.target_type, body.target_id)
      const wanted = { keyId, appId, userId, target, scopes: body.scopes ?? null, tier: body.tier ?? null }
      const { installation, client, granted } = await installApp(tx, wanted, changeContext(requestId, { onRevoked }))
      const neverExpires = isEverlasting(client)
      const { id } = installation
      const token = await mintInstallationToken(tx, { client, installation: id, scopes: granted, neverExpires })
      if (token === null) throw new Error('a new installation returned no token')
      counted?.issued(token.accessToken)
      return { status: 201, body: { data: installationRecord(installation), token: tokenBlock(id, token), meta: {} } }
    },
  }),
  route({
    operation: 'createInstallationToken',
    method: 'POST',
    path: '/installations/:id/tokens',
    summary: 'Create an installation token',
    description: 'Creates a token of an installation, with all of its scopes or with some of them.',
    tag: 'Installations',
    access: heldBy(['user', 'server_key'], 'write:installations'),
    schema: {
      params: Type.Object({ id: idOf('installation') }),
      body: NewToken,
      response: { 201: InstallationWithToken },
    },
    transaction: async ({ tx, caller, params: { id }, body, behaviour, requestId, counted }) => {
      const wanted = { scopes: body.scopes ?? null, neverExpires: body.never_expires === true, requestId }
      const minting = { id, targetTypes: shownTypes(behaviour), ...wanted }
      const { installation, token } = await mintToken(tx, caller, minting)
      counted?.issued(token.accessToken)
      return { status: 201, body: { data: installationRecord(installation), token: tokenBlock(id, token), meta: {} } }
    },
  }),
]

/** A malformed id, or an id of the other kind, gets the same 404 as an unknown one. */
export function installTargetOf(type: InstallTarget['type'], text: string): InstallTarget {
  if (type === 'company') {
    const id = parseId('company', text)
    if (id !== null) return { type, id }
  } else {
    const id = parseId('syndicate', text)
    if (id !== null) return { type, id }
  }
  throw notFound(`the text is not an id of a ${type}`)
}
