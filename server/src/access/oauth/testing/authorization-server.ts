import { createHash, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { expect } from 'vitest'
import { lockClient } from '#access/apps/index.ts'
import { authenticateTokens, insertCode } from '#access/tokens/index.ts'
import { heldBy } from '#http/access.ts'
import { route } from '#http/route.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { aKey, anApp, type KeyPair, type MadeUpApp, type MadeUpKey } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { oauthRoutes } from '../routes.ts'
import { NO_CLIENT_LIMIT } from './no-client-limit.ts'

export const CALLBACK = 'https://partner.example/callback'

export type Key = KeyPair & { readonly app: Id<'app'>; readonly world: World }
export type Fields = Readonly<Record<string, string>>
export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}
/** The result of a user's consent, with everything that is needed to exchange its code. */
export type Consent = {
  readonly code: string
  readonly verifier: string
  readonly user: Id<'user'>
  readonly installation: Id<'installation'>
}
type Asked = { readonly scopes?: readonly string[]; readonly byDefault?: boolean; readonly redirectUri?: string }

/** The OAuth routes on a real port and a real database, and a route that accepts any valid token. The issuer is the server's URL. */
export type AuthorizationServer = {
  readonly db: TestDatabase
  readonly app: ProbeApp
  /** A key of a new app: confidential and of the test world by default. */
  key(key?: MadeUpKey, app?: MadeUpApp): Promise<Key>
  keyOf(app: Id<'app'>, key?: MadeUpKey): Promise<Key>
  send(path: string, init: RequestInit): Promise<ApiResponse>
  post(path: string, fields: Fields, headers?: Fields): Promise<ApiResponse>
  /** Sends a form as this client, with its secret in the body if it has one. */
  as(key: Key, path: string, fields: Fields): Promise<ApiResponse>
  consent(key: Key, asked?: Asked): Promise<Consent>
  /** Returns whether the API accepts this token now. */
  opens(token: unknown): Promise<boolean>
  close(): Promise<void>
}

export async function openAuthorizationServer(): Promise<AuthorizationServer> {
  const db = await testDatabase()
  const { databases } = db
  const routes = [...oauthRoutes({ databases, origin: () => app.url, clientLimit: NO_CLIENT_LIMIT }), anyToken]
  const ports = { databases, authenticate: authenticateTokens(databases) }
  const app: ProbeApp = await serveProbes(routes, { ports })

  const keyOf: AuthorizationServer['keyOf'] = async (id, key = {}) => {
    const pair = await aKey(db, id, { redirectUris: [CALLBACK], ...key })
    return { ...pair, app: id, world: key.world ?? 'test' }
  }
  const send: AuthorizationServer['send'] = async (path, init) => {
    const response = await fetch(app.url + path, init)
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  const post: AuthorizationServer['post'] = (path, fields, headers = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers })

  return {
    db,
    app,
    key: async (key, made) => keyOf(await anApp(db, { scopes: ['read:profile', 'read:investments'], ...made }), key),
    keyOf,
    send,
    post,
    as: (key, path, fields) => post(path, { ...credentialsOf(key), ...fields }),
    consent: (key, asked) => consent(db, key, asked),
    opens: async (token) => {
      const { status } = await send('/any-token', { headers: { authorization: `Bearer ${String(token)}` } })
      return status === 200
    },
    close: async () => {
      await app.close()
      await db.close()
    },
  }
}

const anyToken = route({
  operation: 'openToAnyToken',
  method: 'GET',
  path: '/any-token',
  summary: 'Probe',
  tag: 'probe',
  access: heldBy(['client', 'user', 'installation']),
  schema: { response: { 200: Type.Object({}) } },
  handler: async () => ({ status: 200, body: {} }),
})

export function credentialsOf({ clientId, secret }: KeyPair): Fields {
  return { client_id: clientId, ...(secret === '' ? {} : { client_secret: secret }) }
}

export function basicOf({ clientId, secret }: KeyPair): Fields {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` }
}

/** A user consents to the app's request: returns the code that the browser brings back to the app. */
async function consent(db: TestDatabase, key: Key, asked: Asked = {}): Promise<Consent> {
  const { scopes = ['read:profile'], byDefault = false, redirectUri = CALLBACK } = asked
  const world = db.databases[key.world]
  const verifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
  const user = await world.transaction((tx) => makeUser(tx))
  const installation = newId('installation')
  await db.sql(
    `insert into ${key.world}.installations (id, app_id, target_type, user_id, tier, scopes, by_default, installed_by_role)
     values ($1, $2, 'user', $3, 'user', $4, $5, 'user')`,
    [installation, key.app, user, scopes, byDefault],
  )
  const code = await world.transaction(async (tx) => {
    const client = await lockClient(tx, key.clientId)
    if (client === null) throw new Error('the key is not of this world')
    const where = { userId: user, installationId: installation, redirectUri, codeChallenge }
    return insertCode(tx, { client, ...where, scopes, byDefault })
  })
  return { code, verifier, user, installation }
}

/** The token request that exchanges this code. */
export function redeeming({ code, verifier }: Consent, more: Fields = {}): Fields {
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CALLBACK, ...more }
}

/** A matcher for an RFC 6749 error response whose description has none of the forbidden characters. */
export function oauthError(error: string, status: 400 | 401 = 400) {
  return { status, body: { error, error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/) } }
}
