import { randomBytes } from 'node:crypto'
import { accountRoutes } from '#access/accounts/http.ts'
import { linkAccount, signIns } from '#access/accounts/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import type { Route } from '#http/route.ts'
import { type TestBrowser, testBrowser } from '#http/testing/browser.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { systemClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import { pageAssetRoutes } from '#pages/assets.ts'
import { namedBrand, type ShownBrand } from '#pages/platform-brand.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { anAccount } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { connectedAppsRoutes } from '../connected-apps/routes.ts'

/** An account with its users. */
export type SitePerson = {
  readonly account: Id<'account'>
  readonly users: Readonly<Partial<Record<World, Id<'user'>>>>
}

/** The pages on a real port and a real database, with real sign-in sessions, cookies and form tokens. */
export type Site = {
  readonly db: TestDatabase
  readonly url: string
  /** A person with a user in each of these worlds; default: both. */
  person(worlds?: readonly World[], name?: string): Promise<SitePerson>
  /** A browser without a sign-in. */
  browser(): TestBrowser
  signedIn(person: SitePerson): Promise<TestBrowser>
  close(): Promise<void>
}

type SiteDeps = {
  readonly databases: TestDatabase['databases']
  readonly origin: () => string
  readonly brand: ShownBrand
}

/** `more`: the routes of modules that depend on this one. */
export async function openSite(more: (deps: SiteDeps) => readonly Route[] = () => []): Promise<Site> {
  const db = await testDatabase()
  const { databases } = db
  const keys = keyring(randomBytes(32).toString('hex'))
  let url = ''
  const deps = { databases, origin: () => url, brand: 'wefunder' }
  const routes = [
    ...accountRoutes({
      ...deps,
      keys,
      cursors: cursorSealer(sealedBox(keys('cursors'))),
      clock: systemClock,
      log: { warn: () => {} },
      settings: { passwords: true, openid: null, signUp: 'open', mail: true },
      hasher: quickHasher,
    }),
    ...connectedAppsRoutes({ ...deps, onRevoked: [] }),
    ...pageAssetRoutes(namedBrand('Portico')),
    ...more(deps),
  ]
  const app = await serveProbes(routes, {
    settings: { versionSteps: VERSION_STEPS },
    ports: {
      databases,
      platform: databases.platform,
      authenticate: authenticateTokens(databases),
      signIns: signIns(databases),
      csrfKeys: keys('csrf'),
    },
  })
  url = app.url
  return {
    db,
    url,
    person: (worlds = WORLDS, name = 'Ada Lovelace') => makePerson(db, worlds, name),
    browser: () => testBrowser(url),
    signedIn: async ({ account }) => {
      const browser = testBrowser(url)
      browser.cookies.set('portico', await signIn(db, account))
      return browser
    },
    close: async () => {
      await app.close()
      await db.close()
    },
  }
}

async function makePerson(db: TestDatabase, worlds: readonly World[], name: string): Promise<SitePerson> {
  const account = await anAccount(db, { name })
  const users: Partial<Record<World, Id<'user'>>> = {}
  for (const world of worlds) {
    const user = await db.databases[world].transaction((tx) => makeUser(tx, { name }))
    await db.databases.platform.transaction((tx) => linkAccount(tx, { account, world, user }))
    users[world] = user
  }
  return { account, users }
}

/** Creates a sign-in session without checking a password, because another module tests the check of passwords. */
async function signIn(db: TestDatabase, account: Id<'account'>): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  await db.sql(
    `insert into platform.sign_in_sessions (hash, account_id, expires_at)
     values ($1, $2, clock_timestamp() + interval '1 hour')`,
    [digestOf(value), account],
  )
  return value
}

export function userIn({ users }: SitePerson, world: World = 'test'): Id<'user'> {
  const user = users[world]
  if (user === undefined) throw new Error(`this person has no user in the ${world} world`)
  return user
}
