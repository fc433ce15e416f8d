import { randomBytes } from 'node:crypto'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { lockClient } from '#access/apps/index.ts'
import { authenticateTokens, mintInstallationToken } from '#access/tokens/index.ts'
import { aClient, aClientToken, aConnection, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type CompanyRole, endRole, setRole } from '#market/companies/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { ledgerRoutes } from '../../http.ts'
import { ChangeList, InvestmentList, OfferingStats, OneInvestment } from '../schemas.ts'

export type Fields = Readonly<Record<string, unknown>>
export type RecordView = {
  readonly id: Id<'investment'>
  readonly visible: boolean
  readonly observed_at: string
  readonly cursor?: string
  readonly reason?: string
  readonly status?: string
  readonly investor?: Fields
  readonly amounts?: Fields
  readonly [more: string]: unknown
}

export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  readonly data: RecordView & Fields
  readonly list: readonly RecordView[]
  readonly meta: {
    readonly mode: string
    readonly has_more: boolean
    readonly page_count: number
    readonly next_cursor: string
    readonly [more: string]: unknown
  }
  readonly error: { readonly type: string; readonly message: string; readonly [more: string]: unknown }
}

export type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>

const INVESTMENTS = ['read:investments'] as const
export const PII = ['read:investments', 'read:investors:pii'] as const

/** The read routes on a real port and a real database, with real tokens and a publisher. */
export type LedgerStage = {
  readonly db: TestDatabase
  readonly client: Readonly<Record<World, StagedClient>>
  bearer(token: string): Get
  /** A user's token; with read:investments if no scopes are given. */
  asUser(user: Id<'user'>, scopes?: readonly string[], world?: World): Promise<Get>
  /** An installation's token. */
  asInstalledOn(target: Target, scopes?: readonly string[], world?: World): Promise<Get>
  user(world?: World): Promise<Id<'user'>>
  company(world?: World): Promise<Id<'company'>>
  /** A company with an offering and a founder, already published. */
  raising(world?: World): Promise<Raising>
  offering(company: Id<'company'>, overrides?: Parameters<typeof makeOffering>[1]): Promise<Id<'offering'>>
  syndicate(): Promise<Id<'syndicate'>>
  invest(offering: Id<'offering'>, investor?: Id<'user'>, world?: World): Promise<Id<'investment'>>
  role(company: Id<'company'>, user: Id<'user'>, role?: CompanyRole): Promise<void>
  noRole(company: Id<'company'>, user: Id<'user'>, role?: CompanyRole): Promise<void>
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  /** Publishes until nothing is left. */
  publish(world?: World): Promise<void>
  advance(interval: string): Promise<void>
  close(): Promise<void>
}

type Raising = {
  readonly company: Id<'company'>
  readonly offering: Id<'offering'>
  readonly founder: Id<'user'>
}

type Target = Id<'company'> | Id<'user'> | Id<'syndicate'>

export async function openLedgerStage(): Promise<LedgerStage> {
  const db = await testDatabase()
  const { databases } = db
  const keys = keyring(randomBytes(32).toString('hex'))
  const ports = { databases, platform: databases.platform, authenticate: authenticateTokens(databases) }
  const served = await serveProbes(ledgerRoutes({ keys }), { ports })
  const scopes = [...PII, 'read:companies', 'read:profile']
  const client = {
    test: await aClient(db, { scopes }),
    live: await aClient(db, { scopes, world: 'live' }),
  }
  const arrange: LedgerStage['arrange'] = (work, world = 'test') => databases[world].transaction(work)
  const bearer = (token: string) => getter(served.url, { authorization: `Bearer ${token}` })
  return {
    ...{ db, client, bearer, arrange },
    asUser: async (user, held = INVESTMENTS, world = 'test') => {
      const on = await aConnection(db, client[world], { user, scopes: held })
      return bearer((await aUserToken(db, client[world], { on, scopes: held })).accessToken)
    },
    asInstalledOn: async (target, held = INVESTMENTS, world = 'test') =>
      bearer(await installedToken(db, client[world], { target, scopes: held })),
    user: (world) => arrange((tx) => makeUser(tx), world),
    company: (world) => arrange((tx) => makeCompany(tx), world),
    offering: (company, overrides) => arrange((tx) => makeOffering(tx, { company, ...overrides })),
    syndicate: () => arrange((tx) => makeSyndicate(tx)),
    raising: async (world) => {
      const made = await arrange(async (tx) => {
        const company = await makeCompany(tx)
        const founder = await makeUser(tx)
        await setRole(tx, { company, user: founder, role: 'founder' }, occasionAt())
        return { company, founder, offering: await makeOffering(tx, { company }) }
      }, world)
      await publishAll(databases[world ?? 'test'])
      return made
    },
    invest: (offering, investor, world) =>
      arrange((tx) => makeInvestment(tx, { offering, ...(investor === undefined ? {} : { investor }) }), world),
    role: (company, user, role = 'founder') =>
      arrange(async (tx) => void (await setRole(tx, { company, user, role }, occasionAt()))),
    noRole: (company, user, role = 'founder') =>
      arrange(async (tx) => void (await endRole(tx, { company, user, role }, occasionAt()))),
    publish: async (world = 'test') => {
      await publishAll(databases[world])
    },
    advance: async (interval) => {
      await db.sql('update test.world_clock set ahead = ahead + $1::interval', [interval])
    },
    close: async () => {
      await served.close()
      await db.close()
    },
  }
}

type Installing = { readonly target: Target; readonly scopes: readonly string[] }

/**
 * Inserts the installation as a row, because other modules test installing. First revokes an earlier one, because an
 * app has one active installation per target.
 */
async function installedToken(db: TestDatabase, client: StagedClient, { target, scopes }: Installing): Promise<string> {
  const { app, keyId, world } = client
  const type = target.startsWith('co_') ? 'company' : target.startsWith('syn_') ? 'syndicate' : 'user'
  const tier = { company: 'founder', syndicate: 'manager', user: 'user' }[type]
  await db.sql(
    `update ${world}.installations set state = 'revoked', revoked_at = now(), revoked_by_role = 'partner'
      where ${type}_id = $1 and app_id = $2 and state = 'active'`,
    [target, app],
  )
  const installation = newId('installation')
  await db.sql(
    `insert into ${world}.installations (id, app_id, target_type, ${type}_id, tier, scopes, pii_by, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, $7, 'founder')`,
    [installation, app, type, target, tier, scopes, type === 'syndicate' ? null : 'approval'],
  )
  return db.databases[world].transaction(async (tx) => {
    const locked = await lockClient(tx, keyId)
    if (locked === null) throw new Error('the key is not there')
    const token = await mintInstallationToken(tx, { client: locked, installation, scopes, neverExpires: false })
    if (token === null) throw new Error('no token was minted')
    return token.accessToken
  })
}

export async function clientToken({ db, client }: LedgerStage): Promise<string> {
  return (await aClientToken(db, client.test)).accessToken
}

/** Stored text bypasses the serializer, so every response is checked against the schema of its route. */
const PROMISED = [
  [/\/investments\/changes/, ChangeList],
  [/\/investments\/inv_/, OneInvestment],
  [/\/stats/, OfferingStats],
  [/\/investments/, InvestmentList],
] as const

function getter(url: string, always: Readonly<Record<string, string>>): Get {
  return async (path, headers = {}) => {
    const response = await fetch(url + path, { headers: { ...always, ...headers } })
    const body = (await response.json()) as { readonly data?: unknown }
    const promised = PROMISED.find(([form]) => form.test(path))?.[1]
    if (response.ok && promised !== undefined && headers['wefunder-version'] === undefined) {
      expect(Value.Errors(promised, body).slice(0, 3), path).toEqual([])
    }
    return { status: response.status, headers: response.headers, ...body, list: body.data } as ApiResponse
  }
}

export const idsOf = ({ list }: Pick<ApiResponse, 'list'>) => list.map(({ id }) => id)
export const refusal = ({ status, error }: ApiResponse) => [status, error?.type]

/** All pages of a listing or a sync, one after the other. `query` is repeated with each request. */
export async function readAll(
  get: Get,
  query: string,
  cursor?: string,
): Promise<{ pages: ApiResponse[]; rows: RecordView[]; next: string }> {
  const pages: ApiResponse[] = []
  let next = cursor
  do {
    const page = await get(`${query}${next === undefined ? '' : `&cursor=${next}`}`)
    expect(page.status, JSON.stringify(page.error)).toBe(200)
    pages.push(page)
    next = page.meta.next_cursor
  } while (pages.at(-1)?.meta.has_more)
  return { pages, rows: pages.flatMap(({ list }) => list), next: next ?? '' }
}
