import { createHash } from 'node:crypto'
import { findClient, lockClient, type Presented } from '#access/apps/index.ts'
import { connectUser } from '#access/installations/index.ts'
import type { Caller } from '#kernel/caller.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { aKey, anApp, type MadeUpApp } from '#test/apps.ts'
import type { TestDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import {
  authenticateTokens,
  type CodeAttempt,
  type GrantOutcome,
  type IssuedToken,
  insertCode,
  issueClientToken,
  type RefreshAttempt,
  redeemCode,
  rotateFamily,
  type UserToken,
} from '../index.ts'

/** Creates the rows of all steps from a consent to a request, so that a test can test a single step. */

export type StagedClient = {
  readonly app: Id<'app'>
  readonly keyId: ClientId
  readonly secret: string
  readonly world: World
}

export type StagedConnection = { readonly user: Id<'user'>; readonly installation: Id<'installation'> }

const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const REDIRECT = 'https://partner.example/callback'
export const SEEN = { operation: 'createToken', requestId: 'req_test' }

export const GRANTED = ['read:profile', 'read:investments'] as const

type Db = TestDatabase

/** An app that declares these scopes, with a key. */
export async function aClient(db: Db, { world = 'test', ...app }: MadeUpApp & { world?: World } = {}) {
  const id = await anApp(db, { scopes: GRANTED, ...app })
  const { clientId, secret } = await aKey(db, id, { world, redirectUris: [REDIRECT] })
  return { app: id, keyId: clientId, secret, world } satisfies StagedClient
}

type Consent = {
  readonly scopes?: readonly string[]
  readonly byDefault?: boolean
  readonly user?: Id<'user'>
}

export async function aConnection(db: Db, client: StagedClient, consent: Consent = {}): Promise<StagedConnection> {
  const { scopes = GRANTED, byDefault = false } = consent
  return db.databases[client.world].transaction(async (tx) => {
    const user = consent.user ?? (await makeUser(tx))
    const changeContext = { cause: 'test', caused: [], onRevoked: [] }
    const piiBy = scopes.includes('read:investors:pii') ? 'approval' : null
    const grant = { appId: client.app, userId: user, scopes, byDefault, piiBy } as const
    const { installation } = await connectUser(tx, grant, changeContext)
    return { user, installation: installation.id }
  })
}

/** A code of the given connection, or of a new connection. */
export async function aCode(db: Db, client: StagedClient, consent: Consent & { on?: StagedConnection } = {}) {
  const { scopes = GRANTED, byDefault = false } = consent
  const { user, installation } = consent.on ?? (await aConnection(db, client, consent))
  return db.databases[client.world].transaction(async (tx) => {
    const locked = await lockClient(tx, client.keyId)
    if (locked === null) throw new Error('the key does not exist')
    const granted = { userId: user, installationId: installation, scopes, byDefault }
    return insertCode(tx, { ...granted, client: locked, redirectUri: REDIRECT, codeChallenge: CHALLENGE })
  })
}

type CodeChange = Partial<Omit<CodeAttempt, 'code'>>

export function redeem(db: Db, client: StagedClient, code: string, change: CodeChange = {}): Promise<GrantOutcome> {
  const attempt = { code, keyId: client.keyId, redirectUri: REDIRECT, verifier: VERIFIER, seen: SEEN, ...change }
  return db.databases[client.world].transaction((tx) => redeemCode(tx, attempt))
}

type RefreshChange = Partial<Omit<RefreshAttempt, 'refreshToken'>>

export function refresh(db: Db, client: StagedClient, refreshToken: string, change: RefreshChange = {}) {
  const attempt = { refreshToken, keyId: client.keyId, requested: null, seen: SEEN, ...change }
  return db.databases[client.world].transaction((tx) => rotateFamily(tx, attempt))
}

/** Returns the tokens of an outcome, which must be a success. */
export function given(outcome: GrantOutcome): UserToken {
  if (outcome.outcome === 'refused') throw new Error(`refused: ${outcome.why}`)
  return outcome.token
}

export const whyNot = (outcome: GrantOutcome): string => (outcome.outcome === 'refused' ? outcome.why : 'issued')

export async function aUserToken(db: Db, client: StagedClient, consent: Parameters<typeof aCode>[2] = {}) {
  return given(await redeem(db, client, await aCode(db, client, consent)))
}

export async function present(db: Db, { keyId, secret, world }: StagedClient): Promise<Presented> {
  const client = await findClient(db.databases[world], keyId, secret)
  if (client === null) throw new Error('the key does not exist')
  return client
}

export async function aClientToken(db: Db, client: StagedClient, scopes: readonly string[] = ['read:public']) {
  const issued = await issueClientToken(db.databases[client.world], await present(db, client), {
    scopes,
    byDefault: false,
  })
  if (issued === 'stale') throw new Error('stale')
  return issued satisfies IssuedToken
}

export async function lookUp(db: Db, bearer: string): Promise<Caller | null> {
  const holder = await authenticateTokens(db.databases)(bearer)
  return holder === 'ended' ? null : holder
}

/** Returns how many of these tokens are accepted. */
export async function accepted(db: Db, bearers: readonly string[]): Promise<number> {
  const callers = await Promise.all(bearers.map((bearer) => lookUp(db, bearer)))
  return callers.filter((caller) => caller !== null).length
}

export async function advance(db: Db, interval: string): Promise<void> {
  await db.sql('update test.world_clock set ahead = ahead + $1::interval', [interval])
}
