import { randomBytes } from 'node:crypto'
import { linkAccount, signIns } from '#access/accounts/index.ts'
import { authenticateOperator, createOperatorKey } from '#access/operator/index.ts'
import { organizationRoutes } from '#access/organizations/http.ts'
import type { OrganizationRole } from '#access/organizations/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { aClient, aConnection, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import type { Route } from '#http/route.ts'
import { type ErrorResponse, readError } from '#http/testing/error-response.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import type { CompanyRole } from '#market/companies/index.ts'
import { setRole } from '#market/companies/index.ts'
import { setManager } from '#market/syndicates/index.ts'
import { type Keyring, keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import { aMember, anAccount, anOrganization, type MadeUpApp } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { installationRoutes } from '../api/routes.ts'
import type { OnRevoked } from '../lifecycle.ts'

export type Fields = Readonly<Record<string, unknown>>
export type InstallationView = {
  readonly id: Id<'installation'>
  readonly status: string
  readonly target: Fields
  readonly tier: string
  readonly scopes: readonly string[]
  readonly [more: string]: unknown
}
export type TokenBlock = {
  readonly access_token: string
  readonly scope: string
  readonly expires_in?: number
  readonly [more: string]: unknown
}

export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  readonly data: InstallationView
  readonly list: readonly InstallationView[]
  readonly token: TokenBlock
  readonly meta: Fields
  /** The error of a rejected request; its shape has been checked. */
  readonly error: ErrorResponse
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ApiResponse>

export type Person = { readonly account: Id<'account'>; readonly user: Id<'user'>; readonly world: World }

/** An app with its organization and a key in one world. */
export type Partner = StagedClient & { readonly organization: Id<'organization'> }

/** The default scopes of apps in these tests. */
const DECLARED = [
  'read:profile',
  'read:companies',
  'read:installations',
  'write:installations',
  'read:investors:pii',
  'read:syndicates',
  'write:syndicates',
  'read:referral_codes',
]

/** The default scopes that an installation gets if a person outside the team makes it. */
export const GRANTED = [
  'read:profile',
  'read:companies',
  'read:installations',
  'write:installations',
  'read:syndicates',
  'write:syndicates',
]

/** The routes of installations on a real port and a real database, with real tokens, sign-in sessions and operator keys. */
export type ApiStage = {
  readonly db: TestDatabase
  readonly url: string
  /** An app, approved by default. */
  partner(app?: MadeUpApp & { readonly world?: World }): Promise<Partner>
  person(world?: World): Promise<Person>
  /** A person on the app's team. */
  teammate(partner: Partner, role?: OrganizationRole): Promise<Person>
  /** Sends requests to the API with a token of the app for this person. */
  as(partner: Partner, person: Person, scopes?: readonly string[]): Promise<Send>
  bearer(token: string): Send
  signedIn(person: Person): Promise<Send>
  /** Sends requests as a browser that has no session. */
  signedOut(): Send
  operator(world?: World): Send
  company(people?: Readonly<Partial<Record<CompanyRole, Person>>>, name?: string): Promise<Id<'company'>>
  syndicate(
    manager: Person | null,
    settings?: { readonly published?: boolean; readonly name?: string },
  ): Promise<Id<'syndicate'>>
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  close(): Promise<void>
}

type More = { readonly databases: TestDatabase['databases']; readonly cursors: CursorSealer; readonly keys: Keyring }

/** `more`: the routes of modules that depend on this one. */
export async function openApiStage(
  onRevoked: readonly OnRevoked[] = [],
  more: (deps: More) => readonly Route[] = () => [],
): Promise<ApiStage> {
  const db = await testDatabase()
  const { databases } = db
  const keys = keyring(randomBytes(32).toString('hex'))
  const cursors = cursorSealer(sealedBox(keys('cursors')))
  const operator = authenticateOperator(databases)
  const app = authenticateTokens(databases)
  const routes = [
    ...organizationRoutes({ platform: databases.platform, cursors, brand: 'wefunder', mails: null }),
    ...installationRoutes({ databases, cursors, brand: 'wefunder', onRevoked }),
    ...more({ databases, cursors, keys }),
  ]
  const served = await serveProbes(routes, {
    settings: { versionSteps: VERSION_STEPS },
    ports: {
      databases,
      platform: databases.platform,
      authenticate: async (bearer) => (await operator(bearer)) ?? app(bearer),
      signIns: signIns(databases),
      csrfKeys: keys('csrf'),
      answers: sealedBox(keys('stored-answers')),
    },
  })
  const operators = new Map<World, string>()
  for (const world of WORLDS) {
    const made = await databases.platform.transaction((tx) =>
      createOperatorKey(tx, { world, name: 'Tests', reason: 'A test' }, 'tests'),
    )
    operators.set(world, made.key)
  }
  const bearer = (token: string) => sender(served.url, { authorization: `Bearer ${token}` })
  const person: ApiStage['person'] = async (world = 'test') => {
    const account = await anAccount(db)
    const user = await databases[world].transaction((tx) => makeUser(tx))
    await databases.platform.transaction((tx) => linkAccount(tx, { account, world, user }))
    return { account, user, world }
  }
  const arrange: ApiStage['arrange'] = (work, world = 'test') => databases[world].transaction(work)
  return {
    ...{ db, url: served.url, person, bearer, arrange },
    partner: async (made = {}) => {
      const organization = made.organization ?? (await anOrganization(db))
      const client = await aClient(db, { scopes: DECLARED, approved: true, ...made, organization })
      return { ...client, organization }
    },
    teammate: async ({ organization, world }, role = 'developer') => {
      const made = await person(world)
      await aMember(db, { organization, role, account: made.account })
      return made
    },
    as: async (partner, { user }, scopes = ['write:installations']) =>
      bearer((await userToken(db, partner, user, scopes)).accessToken),
    signedIn: (person) => signIn(db, served.url, person),
    signedOut: () => sender(served.url, { origin: served.url }),
    operator: (world = 'test') => bearer(operators.get(world) ?? ''),
    company: (people = {}, name = 'Analytical Engines') => {
      const [first] = Object.values(people)
      return arrange(async (tx) => {
        const company = await makeCompany(tx, { name })
        for (const [role, { user }] of Object.entries(people)) {
          await setRole(tx, { company, user, role: role as CompanyRole }, occasionAt())
        }
        return company
      }, first?.world)
    },
    syndicate: (manager, settings = {}) =>
      arrange(async (tx) => {
        const syndicateId = await makeSyndicate(tx, settings)
        const permission = 'operator' as const
        if (manager !== null) await setManager(tx, { syndicateId, userId: manager.user, permission }, occasionAt())
        return syndicateId
      }, manager?.world),
    close: async () => {
      await served.close()
      await db.close()
    },
  }
}

/** Issues a user token. Keeps a connection that has the same scopes, like a second consent; otherwise makes a new one. */
async function userToken(db: TestDatabase, partner: Partner, user: Id<'user'>, scopes: readonly string[]) {
  const on = await aConnection(db, partner, { user, scopes })
  return aUserToken(db, partner, { on, scopes })
}

async function signIn(db: TestDatabase, url: string, { account }: Person): Promise<Send> {
  const cookie = randomBytes(32).toString('base64url')
  await db.sql(
    `insert into platform.sign_in_sessions (hash, account_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
    [digestOf(cookie), account],
  )
  const headers = { cookie: `portico=${cookie}`, origin: url }
  const me = await sender(url, headers)('GET', '/portal/api/me')
  return sender(url, { ...headers, 'x-portico-csrf': String(me.meta['csrf']) })
}

function sender(url: string, always: Readonly<Record<string, string>>): Send {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...always, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const seen = { status: response.status, headers: response.headers }
    if (!response.ok) return { ...seen, error: await readError(response) } as ApiResponse
    const parsed = (await response.json()) as { data: unknown }
    return { ...seen, ...parsed, list: parsed.data } as ApiResponse
  }
}
