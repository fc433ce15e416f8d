import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAccountByEmail, findUserOf, passwordHasher } from '@portico/server/access/accounts/index.ts'
import { describeApp, findClient } from '@portico/server/access/apps/index.ts'
import { disconnectUser } from '@portico/server/access/installations/index.ts'
import { authenticateOperator } from '@portico/server/access/operator/index.ts'
import { findRole } from '@portico/server/access/organizations/index.ts'
import { PICKER } from '@portico/server/access/scopes/index.ts'
import { type FactRules, factRules } from '@portico/server/intake/facts/index.ts'
import { type Id, parseClientId } from '@portico/server/kernel/ids.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../server/test/support/database.ts'
import { FACT_SETTINGS } from '../server/test/support/fact-settings.ts'
import type { DemoFile } from './demo-file.ts'
import { demoWorld } from './demo-world.ts'
import { ensureDemoWorld } from './index.ts'

const BASE_URL = 'http://127.0.0.1:4400'
const CREATED_MS = Date.now() - 60_000

let db: TestDatabase
let rules: FactRules
let dataDirectory: string
beforeAll(async () => {
  db = await testDatabase()
  rules = factRules(FACT_SETTINGS)
  dataDirectory = await mkdtemp(join(tmpdir(), 'portico-demo-'))
  await chmod(dataDirectory, 0o755)
  await ensure(CREATED_MS)
})
afterAll(async () => {
  await db.close()
  await rm(dataDirectory, { recursive: true, force: true })
})

const ensure = async (nowMs: number, baseUrl = BASE_URL) => {
  const demo = await ensureDemoWorld({ databases: db.databases, rules, nowMs })
  return demo.writeFile({ baseUrl, dataDirectory })
}

const withoutSecrets = (apps: DemoFile['apps']) =>
  apps.map((app) => ({ ...app, keys: app.keys.map(({ client_secret: _, ...key }) => key) }))

/** For each confidential key, in the file's order: whether the service accepts the secret in the file. */
const secretsMatch = ({ apps }: DemoFile) => {
  const keys = apps.flatMap((app) => app.keys).filter(({ type }) => type === 'confidential')
  return Promise.all(
    keys.map(async ({ mode, client_id, client_secret = null }) => {
      const client = parseClientId(client_id)
      return client !== null && (await findClient(db.databases[mode], client.id, client_secret))?.secretMatches
    }),
  )
}

const count = async (table: string, where = 'true') =>
  Number((await db.sql<{ n: string }>(`select count(*) as n from test.${table} where ${where}`))[0]?.n)

const statuses = async (table: string) =>
  Object.fromEntries(
    (await db.sql<{ status: string; n: string }>(`select status, count(*) as n from test.${table} group by 1`)).map(
      ({ status, n }) => [status, Number(n)],
    ),
  )

describe('the resulting records', () => {
  test('have all people, companies and offerings of the facts', async () => {
    expect(await count('users')).toBe(300)
    expect(await count('users', 'deactivated_at is not null')).toBe(3)
    expect(await count('companies')).toBeGreaterThanOrEqual(45)
    expect(await count('offerings')).toBeGreaterThanOrEqual(50)
    expect(await count('offerings', `listed and status = 'open' and not accredited_only`)).toBeGreaterThanOrEqual(32)
    expect(Object.keys(await statuses('offerings')).sort()).toEqual([
      'canceled',
      'closed',
      'closing',
      'open',
      'upcoming',
    ])
  })

  test('have 2,000 investments, some in every status, and some with states that cause blockers', async () => {
    const counts = await statuses('investments')
    expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(2_000)
    expect(counts['active']).toBeGreaterThan(500)
    expect(counts['reserved']).toBeGreaterThan(100)
    expect(counts['executed']).toBeGreaterThan(250)
    expect(counts['canceled']).toBeGreaterThan(100)
    expect(counts['converted']).toBeGreaterThan(50)
    expect(await count('investments', `status = 'canceled' and amount_cents is null`)).toBeGreaterThan(20)
    expect(await count('investments', `status = 'converted' and converted_to is null`)).toBeGreaterThan(2)
    expect(await count('events', `name = 'investment.reinstated'`)).toBeGreaterThan(10)
    expect(await count('investments', 'hidden')).toBeGreaterThan(2)
    for (const state of ['none', 'pending', 'received', 'failed', 'refunded']) {
      expect(await count('investments', `payment_state = '${state}'`), state).toBeGreaterThan(5)
    }
    for (const check of ['identity', 'signature', 'accreditation', 'review']) {
      expect(await count('investments', `${check}_state = 'required'`), check).toBeGreaterThan(2)
    }
  })

  test('have totals that are the sums of their investments', async () => {
    const wrong = await db.sql(
      `select t.raise_id from test.investor_totals t left join lateral (
         select count(*) as n, coalesce(sum(i.amount_cents), 0) as cents
           from test.investments i join test.offerings o on o.id = i.offering_id
          where o.raise_id = t.raise_id and i.investor_id = t.investor_id
            and i.status in ('active', 'reserved', 'executed')) s on true
        where (t.active_count, t.total_cents) is distinct from (s.n, s.cents)`,
    )
    expect(wrong).toEqual([])
  })

  test('have memberships and sessions in every status', async () => {
    const members = ['approved', 'declined', 'left', 'member', 'payment_failed', 'pending', 'removed', 'withdrawn']
    expect(Object.keys(await statuses('memberships')).sort()).toEqual(members)
    const joining = ['canceled', 'expired', 'ineligible', 'joined', 'open', 'pending_approval', 'rejected']
    expect(Object.keys(await statuses('join_sessions')).sort()).toEqual(joining)
    const investing = ['abandoned', 'canceled', 'completed', 'expired', 'in_progress', 'pending']
    expect(Object.keys(await statuses('investment_sessions')).sort()).toEqual(investing)
  })

  test('have investments of the demo’s investor in five statuses', async () => {
    const { people } = demoWorld(CREATED_MS)
    const investorRows = await db.sql<{ status: string }>(
      'select distinct status from test.investments where investor_id = $1',
      [people.investor.id],
    )
    expect(investorRows.map(({ status }) => status).sort()).toEqual([
      'active',
      'canceled',
      'converted',
      'executed',
      'reserved',
    ])
  })
})

describe('.portico/demo.json', () => {
  const read = async (): Promise<DemoFile> => JSON.parse(await readFile(join(dataDirectory, 'demo.json'), 'utf8'))

  test('has exactly the documented fields, and only its owner can read it', async () => {
    await ensure(Date.now())
    const file = await read()
    expect(Object.keys(file)).toEqual(['base_url', 'operator_keys', 'apps', 'people', 'ids'])
    expect(file.base_url).toBe(BASE_URL)
    expect(Object.keys(file.people)).toEqual(['founder', 'editor', 'investor', 'manager', 'developer'])
    for (const person of Object.values(file.people)) {
      expect(Object.keys(person)).toEqual(['id', 'name', 'email', 'password', 'companies', 'syndicates'])
    }
    expect(Object.keys(file.ids)).toEqual([
      'company',
      'offering_public',
      'offering_private',
      'offering_testing_the_waters',
      'offering_accredited',
      'company_not_promoted',
      'syndicate',
      'investment',
    ])
    expect((await stat(join(dataDirectory, 'demo.json'))).mode & 0o777).toBe(0o600)
  })

  test('lists two apps of one partner, of which the first declares every scope and has both kinds of key', async () => {
    const { apps } = await read()
    expect(apps.map(({ name, organization_id }) => [name, organization_id])).toEqual([
      ['Fieldbook CRM', 'org_0DemoFieldbook0000000000'],
      ['Fieldbook Digest', 'org_0DemoFieldbook0000000000'],
    ])
    const [first] = apps
    expect(first?.scopes).toEqual(PICKER.map(({ name }) => name))
    const callbacks = ['http://127.0.0.1/callback', 'http://localhost:3000/callback']
    const redirect_uris = [...callbacks, 'http://127.0.0.1/docs', 'http://localhost/docs']
    const client_id = expect.stringMatching(/^pk_test_/)
    expect(first?.keys.filter(({ mode }) => mode === 'test')).toEqual([
      { mode: 'test', type: 'confidential', client_id, client_secret: expect.any(String), redirect_uris },
      { mode: 'test', type: 'public', client_id, redirect_uris },
    ])
  })

  test('lists a first app with a logo that the service stores, and a second app without a logo', async () => {
    const { apps } = await read()
    const described = await Promise.all(apps.map(({ id }) => describeApp(db.databases.test.reads, id as Id<'app'>)))
    expect(described.map((app) => app?.logoUrl)).toEqual([
      expect.stringMatching(`^/assets/apps/${apps[0]?.id}/logo\\?v=[\\w-]{16}$`),
      null,
    ])
  })

  test('has client secrets that the service accepts', async () => {
    expect(await secretsMatch(await read())).toEqual([true, true])
  })

  test('has operator keys that work in the world of their prefix', async () => {
    const { operator_keys } = await read()
    const authenticate = authenticateOperator(db.databases)
    expect(await authenticate(operator_keys.test)).toMatchObject({ kind: 'operator', world: 'test' })
    expect(await authenticate(operator_keys.live)).toMatchObject({ kind: 'operator', world: 'live' })
  })

  test('lists people who can sign in as the listed users, and a developer who owns the partner’s organization', async () => {
    const { people } = await read()
    const hasher = passwordHasher()
    const { platform } = db.databases
    for (const { id, email, password } of Object.values(people)) {
      const account = await findAccountByEmail(platform.reads, email)
      if (account === null) throw new Error(`${email} has no account`)
      expect(await hasher.verify(password, account.password_hash)).toBe(true)
      expect(await findUserOf(platform.reads, account.id, 'test')).toBe(id)
      expect(await findUserOf(platform.reads, account.id, 'live')).toBeNull()
    }
    const developer = await findAccountByEmail(platform.reads, people.developer.email)
    const [organization] = await db.sql<{ id: never }>('select id from platform.organizations')
    if (developer === null || organization === undefined) throw new Error('no organization')
    expect(await findRole(platform.reads, organization.id, developer.id)).toBe('owner')
  })

  test('lists an investor whom the first start connects to an app; after a disconnect, no later start connects them again', async () => {
    const { apps, people } = await read()
    const connections = () =>
      db.sql('select app_id, user_id, state, scopes from test.installations order by id') as Promise<object[]>
    const digest = { app_id: apps[1]?.id, user_id: people.investor.id, scopes: apps[1]?.scopes }
    expect(await connections()).toEqual([{ ...digest, state: 'active' }])
    await ensure(Date.now())
    expect(await connections()).toEqual([{ ...digest, state: 'active' }])
    const connection = { appId: apps[1]?.id as Id<'app'>, userId: people.investor.id as Id<'user'>, role: 'user' }
    const occasion = { cause: 'test', caused: [], onRevoked: [] }
    await db.databases.test.transaction((tx) => disconnectUser(tx, connection, occasion))
    await ensure(Date.now())
    expect(await connections()).toEqual([{ ...digest, state: 'revoked' }])
  })

  test('has the same keys and the current address after the next start', async () => {
    const fileBefore = await read()
    await ensure(Date.now(), 'http://127.0.0.1:4401')
    expect(await read()).toEqual({ ...fileBefore, base_url: 'http://127.0.0.1:4401' })
    expect(await db.sql('select id from platform.accounts')).toHaveLength(5)
  })

  test('is written again with other secrets if it is lost, and the service rejects the old secrets', async () => {
    const fileBefore = await read()
    await rm(join(dataDirectory, 'demo.json'))
    const fileAfter = await ensure(Date.now())
    const { operator_keys, apps } = fileAfter
    expect(fileAfter).toEqual({ ...fileBefore, base_url: BASE_URL, operator_keys, apps })
    expect(withoutSecrets(apps)).toEqual(withoutSecrets(fileBefore.apps))
    expect(await secretsMatch(fileBefore)).toEqual([false, false])
    expect(await secretsMatch(fileAfter)).toEqual([true, true])
    const authenticate = authenticateOperator(db.databases)
    expect(await authenticate(fileBefore.operator_keys.test)).toBeNull()
    expect(await authenticate(fileAfter.operator_keys.test)).toMatchObject({ world: 'test' })
  })
})
