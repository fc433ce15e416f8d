import { linkAccount } from '#access/accounts/index.ts'
import { createOperatorKey, revokeOperatorKey } from '#access/operator/index.ts'
import { aClient, aConnection, type StagedClient } from '#access/tokens/testing/stage.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import { aMember } from '#test/apps.ts'
import type { TestDatabase } from '#test/database.ts'
import type { ServiceInProcess } from '#test/service-in-process.ts'
import type { MatrixCredential } from './expected.ts'
import { CLIENT_SCOPES, EVERY_SCOPE } from './scope-catalogue.ts'

/** One column of the matrix. */
export type Credential = {
  readonly name: string
  /** The whole Authorization header, or null for no header. */
  readonly authorization: string | null
  readonly known: MatrixCredential
}

/** The records to which the tokens of one app are bound, in one world. */
export type Bindings = {
  readonly client: StagedClient
  readonly user: Id<'user'>
  readonly company: Id<'installation'>
  readonly syndicate: Id<'installation'>
  readonly connection: Id<'installation'>
}

type Bound = 'user' | 'company' | 'syndicate' | 'connection'
type TokenKind = 'client' | Bound
type NewToken = { readonly kind: TokenKind; readonly scopes: readonly string[]; readonly state?: 'expired' | 'revoked' }

/**
 * Inserts a token as a row, with any scopes that a token may ever have had, including retired scopes. Other tests show
 * how tokens are issued.
 */
async function insertToken(db: TestDatabase, to: Bindings, { kind, scopes, state }: NewToken): Promise<string> {
  const { world, keyId, app } = to.client
  const bearer = newSecret('at', world)
  const stored = kind === 'client' || kind === 'user' ? kind : 'installation'
  const installation = kind === 'client' ? null : kind === 'user' ? to.connection : to[kind]
  await db.sql(
    `insert into ${world}.access_tokens
       (hash, kind, key_id, app_id, user_id, installation_id, scopes, generation, expires_at, revoked_at)
     select $1, $2, k.id, $3, $4, $5, $6, k.generation,
            clock_timestamp() + case when $7 = 'expired' then interval '-1 second' else interval '1 hour' end,
            case when $7 = 'revoked' then clock_timestamp() end
       from platform.app_keys k where k.id = $8`,
    [digestOf(bearer), stored, app, kind === 'user' ? to.user : null, installation, scopes, state ?? null, keyId],
  )
  return bearer
}

const credentialOf = (name: string, bearer: string, known: MatrixCredential): Credential => ({
  name,
  authorization: `Bearer ${bearer}`,
  known,
})

/** Grants without scopes, with each scope alone, and with all scopes. */
const GRANTS: readonly (readonly [string, readonly string[]])[] = [
  ['nothing', []],
  ...EVERY_SCOPE.map((scope) => [scope, [scope]] as const),
  ['every scope', EVERY_SCOPE],
]

const CLIENT_GRANTS: typeof GRANTS = [
  ['nothing', []],
  ...CLIENT_SCOPES.map((scope) => [scope, [scope]] as const),
  ['all its possible scopes', CLIENT_SCOPES],
]

/** All credentials that an app can send in the test world. */
export async function appCredentials(db: TestDatabase, to: Bindings): Promise<Credential[]> {
  const { world, keyId } = to.client
  const made = [credentialOf('publishable', keyId, { kind: 'publishable', world, scopes: ['read:public'] })]
  for (const kind of ['client', 'user', 'company', 'syndicate', 'connection'] as const) {
    for (const [name, scopes] of kind === 'client' ? CLIENT_GRANTS : GRANTS) {
      made.push(credentialOf(`${kind}: ${name}`, await insertToken(db, to, { kind, scopes }), { kind, world, scopes }))
    }
  }
  return made
}

/** Makes a person a developer of the app that they also use. */
export async function joinTeam(db: TestDatabase, { app, world }: StagedClient, user: Id<'user'>): Promise<void> {
  const [row] = await db.sql<{ organization: Id<'organization'> }>(
    'select organization_id as organization from platform.apps where id = $1',
    [app],
  )
  if (row === undefined) throw new Error('the app does not exist')
  const account = await aMember(db, { ...row, role: 'developer' })
  await db.databases.platform.transaction((tx) => linkAccount(tx, { account, world, user }))
}

/**
 * The live world's credentials with all scopes: a key, a token of the app itself, of a user and of a connection. Ids of
 * the live world differ from those of the test world.
 */
export async function liveCredentials(db: TestDatabase): Promise<Credential[]> {
  const client = await aClient(db, { world: 'live', scopes: EVERY_SCOPE })
  const { user, installation } = await aConnection(db, client, { scopes: ['read:profile'] })
  await joinTeam(db, client, user)
  const to = { client, user, company: installation, syndicate: installation, connection: installation }
  const made = [
    credentialOf('live publishable', client.keyId, { kind: 'publishable', world: 'live', scopes: ['read:public'] }),
  ]
  for (const kind of ['client', 'user', 'connection'] as const) {
    const scopes = kind === 'client' ? CLIENT_SCOPES : EVERY_SCOPE
    made.push(
      credentialOf(`live ${kind}`, await insertToken(db, to, { kind, scopes }), { kind, world: 'live', scopes }),
    )
  }
  return made
}

export function operatorCredentials({ operatorKeys }: ServiceInProcess): Credential[] {
  const operatorCredential = (world: World) =>
    credentialOf(`operator ${world}`, operatorKeys[world], { kind: 'operator', world, scopes: [] })
  return [operatorCredential('test'), operatorCredential('live')]
}

/** A missing credential, and credentials of every kind that are invalid or no longer valid. */
export async function deadCredentials(db: TestDatabase, to: Bindings): Promise<Credential[]> {
  const suspended = await aClient(db, { state: 'suspended' })
  const every = { kind: 'user', scopes: EVERY_SCOPE } as const
  const alive = await insertToken(db, to, every)
  const dead = (name: string, bearer: string) => credentialOf(name, bearer, null)
  return [
    { name: 'none', authorization: null, known: null },
    { name: 'the token without its scheme', authorization: alive, known: null },
    { name: 'as Basic', authorization: `Basic ${alive}`, known: null },
    dead('nothing', ''),
    dead('garbage', 'let-me-in'),
    dead('an unknown token', newSecret('at', 'test')),
    dead('an unknown key', `pk_test_${'z'.repeat(24)}`),
    dead('the token with the prefix of the other world', alive.replace('at_test_', 'at_live_')),
    dead('the key with the prefix of the other world', to.client.keyId.replace('pk_test_', 'pk_live_')),
    dead('the client secret', to.client.secret),
    dead('expired', await insertToken(db, to, { ...every, state: 'expired' })),
    dead('revoked', await insertToken(db, to, { ...every, state: 'revoked' })),
    dead('the key of a suspended app', suspended.keyId),
    dead('a token of a suspended app', await insertToken(db, { ...to, client: suspended }, every)),
    dead('a revoked operator key', await revokedOperatorKey(db)),
  ]
}

async function revokedOperatorKey({ databases: { platform } }: TestDatabase): Promise<string> {
  return platform.transaction(async (tx) => {
    const { id, key } = await createOperatorKey(tx, { world: 'live', name: 'Gone' }, 'tests')
    await revokeOperatorKey(tx, id, 'tests')
    return key
  })
}
