import { Type } from 'typebox'
import { liveOperator } from '#http/access.ts'
import { type OperationWords, type Route, route } from '#http/route.ts'
import type { OperatorCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import type { PasswordHasher } from '../password-hasher.ts'
import { refuseBadPassword } from '../password-rules.ts'
import type { AccountRow } from './account-store.ts'
import { connectUser, disableAccount, enableAccount, openAccount, showAccount } from './administer.ts'
import { AccountEnvelope, AccountId, envelopeOf, NewAccountBody, UserId } from './record.ts'

export type AdministrationDeps = { readonly platform: PlatformDatabase; readonly hasher: PasswordHasher }

const Params = Type.Object({ id: AccountId })
const UserParams = Type.Object({
  id: AccountId,
  mode: Type.Unsafe<World>(Type.Enum([...WORLDS], { type: 'string', description: 'The world: test or live.' })),
})

/** An account is who signs in to both worlds, so a key of the sandbox decides nothing about it. */
const COMMON = { alias: false, tag: 'Platform accounts', access: liveOperator() } as const

const actorOf = ({ operatorKeyId }: OperatorCaller) => operatorKeyId
const shown = (account: AccountRow) => ({ status: 200 as const, body: envelopeOf(account) })

export function administrationRoutes({ platform, hasher }: AdministrationDeps): Route[] {
  return [
    route({
      ...COMMON,
      operation: 'createAccount',
      method: 'POST',
      path: '/platform/accounts',
      summary: 'Create an account',
      description: 'Creates an account with which a person signs in.',
      schema: { body: NewAccountBody, response: { 201: AccountEnvelope } },
      platform: async ({ ptx, body, caller }) => {
        const { email, name, password, users = {} } = body
        if (password !== undefined) refuseBadPassword(password)
        // Hashed with the transaction open, since a repeated request must not get this far; it is some 30 ms.
        const passwordHash = password === undefined ? null : await hasher.hash(password)
        const account = await openAccount(ptx, { email, name, passwordHash, users }, actorOf(caller))
        return { status: 201, body: envelopeOf(account) }
      },
    }),
    route({
      ...COMMON,
      operation: 'getAccount',
      method: 'GET',
      path: '/platform/accounts/:id',
      summary: 'Get an account',
      description: 'Returns an account with the users it is linked to.',
      schema: { params: Params, response: { 200: AccountEnvelope } },
      handler: async ({ params }) => shown(await showAccount(platform.reads, params.id)),
    }),
    route({
      ...COMMON,
      operation: 'linkAccountUser',
      method: 'PUT',
      path: '/platform/accounts/:id/users/:mode',
      summary: 'Link an account to a user',
      description: 'Links an account to its user in one world. The link cannot be changed afterwards.',
      schema: {
        params: UserParams,
        body: Type.Object({ user: UserId }, { additionalProperties: false, title: 'AccountUser' }),
        response: { 200: AccountEnvelope },
      },
      platform: async ({ ptx, params: { id, mode }, body, caller }) =>
        shown(await connectUser(ptx, { account: id, world: mode, user: body.user }, actorOf(caller))),
    }),
    change(
      'disable',
      {
        summary: 'Disable an account',
        description: 'Disables an account. It is signed out everywhere and cannot sign in.',
      },
      disableAccount,
    ),
    change(
      'enable',
      { summary: 'Enable an account', description: 'Lets a disabled account sign in again.' },
      enableAccount,
    ),
  ]
}

type Change = (tx: PlatformTx, id: Id<'account'>, actor: string) => Promise<AccountRow>

function change(verb: 'disable' | 'enable', words: OperationWords, useCase: Change): Route {
  return route({
    ...COMMON,
    operation: `${verb}Account`,
    method: 'POST',
    path: `/platform/accounts/:id/${verb}`,
    ...words,
    schema: { params: Params, response: { 200: AccountEnvelope } },
    platform: async ({ ptx, params, caller }) => shown(await useCase(ptx, params.id, actorOf(caller))),
  })
}
