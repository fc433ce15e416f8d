import { randomBytes } from 'node:crypto'
import { linkAccount, signIns } from '#access/accounts/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { aClient, aClientToken, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import type { Route } from '#http/route.ts'
import { type TestBrowser, testBrowser } from '#http/testing/browser.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { systemClock } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { World } from '#kernel/world.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import { confirmInvestment } from '#market/investments/index.ts'
import { linkFollower } from '#referrals/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { StaleReads, Tx } from '#system/postgres/database.ts'
import type { DatabaseTimes } from '#system/postgres/open.ts'
import { anAccount } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { catalogRoutes } from '../http.ts'
import { refreshFigures } from '../index.ts'
import { requirePromised } from './promised.ts'

export type Fields = Readonly<Record<string, unknown>>
export type Offering = {
  readonly id: Id<'offering'>
  readonly company: Id<'company'>
  readonly attributes: Fields
  readonly warnings: readonly Fields[]
  readonly etag: string
}
export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: Offering
  readonly list: readonly Offering[]
  readonly meta: Fields
  readonly error: { readonly type: string; readonly message: string; readonly [more: string]: unknown }
}
export type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>

export const ORIGIN = 'https://portico.example'

export type InstalledOn = { readonly company?: Id<'company'>; readonly user?: Id<'user'> }

type OfferingOverrides = Parameters<typeof makeOffering>[1]

/** The catalogue on a real port and a real database, with real tokens. */
export type CatalogStage = {
  readonly db: TestDatabase
  readonly url: string
  readonly client: Readonly<Record<World, StagedClient>>
  /** Sends a request with the publishable key, which gets the public view. */
  readonly everybody: Get
  bearer(token: string): Get
  /** Sends requests with a user token that has read:explore or the given scopes. */
  as(user: Id<'user'>, scopes?: readonly string[], world?: World): Promise<Get>
  /** Sends requests with an installation token on a company or a user. */
  installedOn(target: InstalledOn, scopes?: readonly string[]): Promise<Get>
  /** A browser signed in as this user; for null, as a person who has no user in any world. */
  signedIn(user: Id<'user'> | null, world?: World): Promise<TestBrowser>
  /** A browser without a sign-in. */
  browser(): TestBrowser
  user(overrides?: Parameters<typeof makeUser>[1]): Promise<Id<'user'>>
  company(overrides?: Parameters<typeof makeCompany>[1]): Promise<Id<'company'>>
  /** Creates an offering, which is listed by default. */
  offering(overrides?: OfferingOverrides): Promise<Id<'offering'>>
  /** Creates an investment and confirms it, so that it counts in the figures. */
  invest(offering: Id<'offering'>, units: number, investor?: Id<'user'>): Promise<Id<'investment'>>
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  refresh(): Promise<void>
  close(): Promise<void>
}

const SCOPES = ['read:public', 'read:explore', 'read:profile', 'write:follows']

type Deps = Parameters<typeof catalogRoutes>[0]
type Opening = {
  readonly times?: Partial<DatabaseTimes>
  /** Routes of other modules that are served together with the catalogue. */
  readonly more?: (deps: Deps) => Route[]
  /** A database with replicas, which the test has opened. */
  readonly on?: { readonly db: TestDatabase; readonly staleReads: StaleReads }
}

export async function openCatalogStage({ times, more = () => [], on }: Opening = {}): Promise<CatalogStage> {
  const db = on?.db ?? (await testDatabase(times))
  const { databases } = db
  const keys = keyring(randomBytes(32).toString('hex'))
  const cursors = cursorSealer(sealedBox(keys('cursors')))
  const clock = systemClock
  const deps: Deps = {
    ...{ databases, cursors, clock, brand: 'wefunder', origin: () => ORIGIN },
    followLink: linkFollower(REFERRAL_SETTINGS),
  }
  const routes = [...catalogRoutes(deps), ...more(deps)]
  const people = { signIns: signIns(databases), csrfKeys: keys('csrf') }
  const ports = {
    databases,
    platform: databases.platform,
    authenticate: authenticateTokens(databases),
    ...people,
    ...(on && { staleReads: on.staleReads }),
  }
  const served = await serveProbes(routes, { ports, settings: { versionSteps: VERSION_STEPS } })
  const client = {
    test: await aClient(db, { scopes: SCOPES }),
    live: await aClient(db, { scopes: SCOPES, world: 'live' }),
  }
  const bearer = (token: string) => getter(served.url, { authorization: `Bearer ${token}` })
  const arrange: CatalogStage['arrange'] = (work, world = 'test') => databases[world].transaction(work)
  return {
    ...{ db, url: served.url, client, bearer, arrange },
    everybody: bearer(client.test.keyId),
    as: async (user, scopes = ['read:explore'], world = 'test') =>
      bearer((await aUserToken(db, client[world], { user, scopes })).accessToken),
    installedOn: async (target, scopes = ['read:explore']) =>
      // A new app, because a user has at most one active installation of an app.
      bearer(await installationToken(db, await aClient(db, { scopes: SCOPES }), { target, scopes })),
    signedIn: async (user, world = 'test') => {
      const browser = testBrowser(served.url)
      browser.cookies.set('portico', await signIn(db, user, world))
      return browser
    },
    browser: () => testBrowser(served.url),
    user: (overrides) => arrange((tx) => makeUser(tx, overrides)),
    company: (overrides) => arrange((tx) => makeCompany(tx, overrides)),
    offering: (overrides) => arrange((tx) => makeOffering(tx, { listed: true, ...overrides })),
    invest: (offering, units, investor) =>
      arrange(async (tx) => {
        const amount_cents = (units * 100) as Cents
        const by = investor === undefined ? {} : { investor }
        const id = await makeInvestment(tx, { offering, amount_cents, ...by })
        await confirmInvestment(tx, { id }, occasionAt('2026-02-02T00:00:00.000000Z'))
        return id
      }),
    refresh: async () => {
      while (await arrange((tx) => refreshFigures(tx, { changes: 100, offerings: 100 })));
    },
    close: async () => {
      await served.close()
      await db.close()
    },
  }
}

export async function clientToken({ db, client }: CatalogStage): Promise<string> {
  return (await aClientToken(db, client.test)).accessToken
}

/** `signIn` and `installationToken` insert rows, because other tests cover signing in and getting such a token. */
async function signIn(db: TestDatabase, user: Id<'user'> | null, world: World): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  const account = await anAccount(db, { name: 'Ada' })
  if (user !== null) await db.databases.platform.transaction((tx) => linkAccount(tx, { account, world, user }))
  await db.sql(
    `insert into platform.sign_in_sessions (hash, account_id, expires_at)
     values ($1, $2, clock_timestamp() + interval '1 hour')`,
    [digestOf(value), account],
  )
  return value
}

type Installed = { readonly target: InstalledOn; readonly scopes: readonly string[] }

async function installationToken(db: TestDatabase, { keyId, app }: StagedClient, { target, scopes }: Installed) {
  const [id, token] = [newId('installation'), newSecret('at', 'test')]
  const { company = null, user = null } = target
  const [type, tier] = company === null ? ['user', 'user'] : ['company', 'founder']
  await db.sql(
    `insert into test.installations (id, app_id, target_type, company_id, user_id, tier, scopes, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, $7, 'founder')`,
    [id, app, type, company, user, tier, scopes],
  )
  await db.sql(
    `insert into test.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation, expires_at)
     select $1, 'installation', id, $2, $3, $4, generation, clock_timestamp() + interval '1 hour'
       from platform.app_keys where id = $5`,
    [digestOf(token), app, id, scopes, keyId],
  )
  return token
}

function getter(url: string, always: Readonly<Record<string, string>>): Get {
  return async (path, headers = {}) => {
    const response = await fetch(url + path, { headers: { ...always, ...headers } })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const body = isJson ? JSON.parse(text) : {}
    if (response.status === 200 && headers['wefunder-version'] === undefined) requirePromised(path, body)
    return { status: response.status, headers: response.headers, text, ...body, list: body.data } as ApiResponse
  }
}

export const idsOf = ({ list }: Pick<ApiResponse, 'list'>) => list.map(({ id }) => id)
export const refusal = ({ status, error }: ApiResponse) => [status, error?.type]
