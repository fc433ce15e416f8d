import { randomBytes } from 'node:crypto'
import { signIns } from '#access/accounts/index.ts'
import { operatorAudit } from '#access/audit/index.ts'
import { authenticateOperator, createOperatorKey } from '#access/operator/index.ts'
import { organizationRoutes } from '#access/organizations/http.ts'
import { deleteTokensOfApps } from '#access/tokens/index.ts'
import type { Route } from '#http/route.ts'
import { type ErrorResponse, readError } from '#http/testing/error-response.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { ownersIn } from '#main/record-owners.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import { notifyAppTeam } from '#notices/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { platformAppRoutes, portalAppRoutes } from '../http.ts'

/** The name of the host platform. */
const BRAND = 'wefunder'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Attributes = Readonly<Record<string, unknown>>
type Resource = { readonly id: string; readonly type: string; readonly attributes: Attributes }

export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  /** The resource in `data`. */
  readonly data: Resource
  readonly client_secret?: string | null
  readonly meta?: Attributes
  /** The resources, if `data` is a list. */
  readonly list: readonly Resource[]
  /** The error of a rejected request; its shape has been checked. */
  readonly error: ErrorResponse
}

export type Sender = (
  method: Method,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ApiResponse>

/** The routes of organizations and apps on a real port and a real database, with real sign-in sessions and operator keys. */
export type PartnerService = {
  readonly db: TestDatabase
  readonly url: string
  /** Sends requests of a browser in which this person has signed in; null for a browser without a sign-in. */
  as(account: Id<'account'> | null): Promise<Sender>
  /** Sends requests of a command line that this person allowed. */
  commandLine(account: Id<'account'>): Promise<Sender>
  /** Sends requests of the host platform, with an operator key of this world. */
  operator(world?: World): Sender
  close(): Promise<void>
}

/** `more`: the routes about apps from modules that import this one. */
export async function partnerService(more: readonly Route[] = []): Promise<PartnerService> {
  const db = await testDatabase()
  const keys = keyring(randomBytes(32).toString('hex'))
  const cursors = cursorSealer(sealedBox(keys('cursors')))
  const { databases } = db
  const { platform } = databases
  const routes = [
    ...organizationRoutes({ platform, cursors, brand: BRAND, mails: null }),
    ...portalAppRoutes({ platform, cursors, brand: BRAND, onDeleted: [deleteTokensOfApps] }),
    ...platformAppRoutes({ platform, cursors, notify: notifyAppTeam, findOwners: ownersIn(databases) }),
    ...more,
  ]
  const app = await serveProbes(routes, {
    settings: { versionSteps: VERSION_STEPS },
    ports: {
      databases,
      platform,
      authenticate: authenticateOperator(databases),
      operatorAudit: operatorAudit(platform),
      signIns: signIns(databases),
      csrfKeys: keys('csrf'),
      answers: sealedBox(keys('stored-answers')),
    },
  })
  const operators = Object.fromEntries(
    await Promise.all(WORLDS.map(async (world) => [world, await operatorKey(db, world)] as const)),
  )
  return {
    db,
    url: app.url,
    as: (account) => signedIn(db, app.url, account),
    commandLine: (account) => commandLineOf(db, app.url, account),
    operator: (world = 'live') => sender(app.url, { authorization: `Bearer ${operators[world]}` }),
    close: async () => {
      await app.close()
      await db.close()
    },
  }
}

async function operatorKey({ databases }: TestDatabase, world: World): Promise<string> {
  const made = await databases.platform.transaction((tx) =>
    createOperatorKey(tx, { world, name: 'Tests', reason: 'A test' }, 'tests'),
  )
  return made.key
}

async function signedIn(db: TestDatabase, url: string, account: Id<'account'> | null): Promise<Sender> {
  const cookie = randomBytes(32).toString('base64url')
  if (account !== null) {
    await db.sql(
      `insert into platform.sign_in_sessions (hash, account_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
      [digestOf(cookie), account],
    )
  }
  const headers = { cookie: `portico=${cookie}`, origin: url }
  const me = await sender(url, headers)('GET', '/portal/api/me')
  return sender(url, { ...headers, 'x-portico-csrf': String(me.meta?.['csrf']) })
}

async function commandLineOf(db: TestDatabase, url: string, account: Id<'account'>): Promise<Sender> {
  const token = `portico_cli_${randomBytes(32).toString('base64url')}`
  await db.sql(
    `insert into platform.sign_in_sessions (hash, account_id, expires_at, kind, device)
     values ($1, $2, now() + interval '1 hour', 'command_line', 'laptop')`,
    [digestOf(token), account],
  )
  return sender(url, { authorization: `Bearer ${token}` })
}

function sender(url: string, always: Readonly<Record<string, string>>): Sender {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...always, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const seen = { status: response.status, headers: response.headers }
    if (!response.ok) return { ...seen, error: await readError(response) } as ApiResponse
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as { data?: unknown }
    return { ...seen, ...parsed, list: parsed.data } as ApiResponse
  }
}
