import { randomBytes } from 'node:crypto'
import type { NewUser } from '#access/people/index.ts'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { aClient, aConnection, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import type { Route } from '#http/route.ts'
import { type ErrorResponse, readError } from '#http/testing/error-response.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { systemClock, worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { VERSION_STEPS } from '#main/routes.ts'
import { followCompany } from '#market/companies/index.ts'
import { linkFollower } from '#referrals/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { digestOf, newSecret } from '#system/crypto/secret.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { MadeUpApp } from '#test/apps.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { catalogRoutes } from '#views/catalog/http.ts'
import { type ProfileRouteDeps, profileRoutes } from '../http.ts'

export const ORIGIN = 'https://platform.example.org'
export const OLDER = { 'wefunder-version': '2026-10-01' }

export type Fields = Readonly<Record<string, unknown>>
export type Resource = { readonly id: string; readonly type: string; readonly attributes: Fields }
export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  /** The response text, unchanged. */
  readonly text: string
  readonly data: Resource
  readonly list: readonly (Resource & Fields)[]
  readonly meta: Fields & { readonly next_cursor: string | null }
  /** The `error` in the body of a rejected request. */
  readonly error: ErrorResponse
}
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse>

type NewFollow = { readonly user: Id<'user'>; readonly company: Id<'company'>; readonly at?: string }
/** A company, a syndicate, or the user who connected the app. */
export type InstalledOn = Partial<Record<'company' | 'syndicate' | 'user', string>>
type CompanyChange = NonNullable<Parameters<typeof makeCompany>[1]>

/** The routes of this module and of the catalogue, on a real port and a real database, with real tokens. */
export type ProfileStage = {
  readonly db: TestDatabase
  client(app?: MadeUpApp & { readonly world?: World }): Promise<StagedClient>
  user(profile?: Partial<NewUser>, world?: World): Promise<Id<'user'>>
  /** Calls the API with a token of an app with these scopes for this user. */
  as(user: Id<'user'>, scopes: readonly string[], client?: StagedClient): Promise<Send>
  /** Calls the API with an installation token on a company, a syndicate, or the user's own connection. */
  installedOn(target: InstalledOn, scopes: readonly string[], client?: StagedClient): Promise<Send>
  bearer(token: string | null): Send
  /** Creates a company, by default with an open, listed round. */
  company(change?: CompanyChange & { readonly listed?: boolean }): Promise<Id<'company'>>
  follow(follow: NewFollow): Promise<void>
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  close(): Promise<void>
}

/** The app has every scope, also retired ones, so that each test can choose the scopes of its token. */
const EVERYTHING = SCOPE_NAMES.filter((name) => name !== 'read:public')

/** `more`: routes of other modules that are served too. */
export async function openProfileStage(more: (deps: ProfileRouteDeps) => Route[] = () => []): Promise<ProfileStage> {
  const db = await testDatabase()
  const { databases } = db
  const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
  const deps = { databases, cursors, origin: () => ORIGIN, clock: systemClock, brand: 'wefunder' }
  // Without the catalogue's pages for people, because they need parts of the edge that this stage does not have.
  const catalogue = catalogRoutes({ ...deps, followLink: linkFollower(REFERRAL_SETTINGS) }).filter(
    ({ access }) => access.kind === 'token',
  )
  const served = await serveProbes([...profileRoutes(deps), ...catalogue, ...more(deps)], {
    settings: { versionSteps: VERSION_STEPS },
    ports: { databases, platform: databases.platform, authenticate: authenticateTokens(databases) },
  })
  const client: ProfileStage['client'] = (app = {}) => aClient(db, { scopes: EVERYTHING, approved: true, ...app })
  const usual = await client()
  const arrange: ProfileStage['arrange'] = (work, world = 'test') => databases[world].transaction(work)
  const bearer = (token: string | null) =>
    sender(served.url, token === null ? {} : { authorization: `Bearer ${token}` })
  return {
    ...{ db, client, arrange, bearer },
    user: (profile = {}, world) => arrange((tx) => makeUser(tx, profile), world),
    as: async (user, scopes, by = usual) => {
      const on = await aConnection(db, by, { user, scopes })
      return bearer((await aUserToken(db, by, { on, scopes })).accessToken)
    },
    installedOn: async (target, scopes, by = usual) => bearer(await installationToken(db, by, { target, scopes })),
    company: ({ listed = true, ...change } = {}) =>
      arrange(async (tx) => {
        const company = await makeCompany(tx, change)
        if (listed) await makeOffering(tx, { company, listed })
        return company
      }),
    follow: ({ at = '2026-03-01T00:00:00.000000Z', ...follow }) =>
      arrange(async (tx) => {
        await followCompany(tx, follow, { occurredAt: worldTime(at) })
      }),
    close: async () => {
      await served.close()
      await db.close()
    },
  }
}

type Installed = { readonly target: InstalledOn; readonly scopes: readonly string[] }

/** Inserts rows, because other tests cover how an app gets such a token. */
async function installationToken(db: TestDatabase, client: StagedClient, { target, scopes }: Installed) {
  const { world, keyId, app } = client
  const { company = null, syndicate = null, user = null } = target
  const [id, token] = [newId('installation'), newSecret('at', world)]
  const [type, tier] =
    company !== null ? ['company', 'founder'] : syndicate !== null ? ['syndicate', 'manager'] : ['user', 'user']
  await db.sql(
    `insert into ${world}.installations
       (id, app_id, target_type, company_id, syndicate_id, user_id, tier, scopes, installed_by_role, pii_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'founder', $9)`,
    [id, app, type, company, syndicate, user, tier, scopes, scopes.includes('read:investors:pii') ? 'approval' : null],
  )
  await db.sql(
    `insert into ${world}.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation, expires_at)
     select $1, 'installation', id, $2, $3, $4, generation, clock_timestamp() + interval '1 hour'
       from platform.app_keys where id = $5`,
    [digestOf(token), app, id, scopes, keyId],
  )
  return token
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
    const text = await response.text()
    const parsed = JSON.parse(text) as { readonly data: unknown }
    return { ...seen, text, ...parsed, list: parsed.data } as ApiResponse
  }
}

/** All pages of a list, in their order. */
export async function allPages(send: Send, path: string): Promise<ApiResponse[]> {
  const pages: ApiResponse[] = []
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await send('GET', path + next)
    pages.push(page)
    cursor = page.meta.next_cursor
  } while (cursor !== null)
  return pages
}

export const refusal = ({ status, error }: ApiResponse) => [status, error?.type]
