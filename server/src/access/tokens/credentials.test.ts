import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newClientId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { allStatements } from '#system/postgres/statement.ts'
import { aKey } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { authenticateTokens } from './index.ts'
import { aClient, aClientToken, accepted, advance, aUserToken, lookUp } from './testing/stage.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const setKeys = (app: string, change: string) =>
  db.sql(`update platform.app_keys set ${change} where app_id = $1`, [app])

describe('an access token', () => {
  test.each(WORLDS)(
    'of the %s world has that world’s prefix and 256 random bits, and is accepted there',
    async (world) => {
      const client = await aClient(db, { world })
      const { accessToken } = await aClientToken(db, client)
      expect(accessToken).toMatch(new RegExp(`^at_${world}_[A-Za-z0-9_-]{43}$`))
      const { app: appId, keyId } = client
      expect(await lookUp(db, accessToken)).toEqual({
        ...{ kind: 'client', world, appId, keyId, apiVersion: '2026-11-01' },
        scopes: new Set(['read:public']),
      })
    },
  )

  test('is stored only as its SHA-256', async () => {
    const { accessToken } = await aClientToken(db, await aClient(db))
    const hash = createHash('sha256').update(accessToken).digest()
    const [row] = await db.sql<{ row: string }>('select t::text as row from test.access_tokens t where hash = $1', [
      hash,
    ])
    expect(row?.row).toBeDefined()
    expect(row?.row).not.toContain(accessToken.slice('at_test_'.length))
  })

  test('is unknown if its prefix is replaced by that of the other world', async () => {
    const { accessToken } = await aClientToken(db, await aClient(db))
    expect(await lookUp(db, accessToken.replace('at_test_', 'at_live_'))).toBeNull()
  })

  test.each(['', 'at_test_', 'at_prod_abc', `at_test_${'a'.repeat(42)}`, `sk_test_${'a'.repeat(43)}`, 'pk_test_abc'])(
    '%j is rejected without a database lookup',
    async (bearer) => {
      const unreachable = { short: () => Promise.reject(new Error('asked')) } as never
      expect(await authenticateTokens({ test: unreachable, live: unreachable })(bearer)).toBeNull()
    },
  )

  test('cannot be a refresh token or a client secret', async () => {
    const client = await aClient(db)
    const { refreshToken } = await aUserToken(db, client)
    expect(await accepted(db, [refreshToken, client.secret])).toBe(0)
  })

  test('expires in world time: after 2 hours if it is a user’s, after 24 hours if it is the app’s own', async () => {
    const client = await aClient(db)
    const [own, users] = [await aClientToken(db, client), await aUserToken(db, client)]
    await advance(db, '1:59:50')
    expect(await accepted(db, [own.accessToken, users.accessToken])).toBe(2)
    await advance(db, '10 seconds')
    expect(await accepted(db, [users.accessToken])).toBe(0)
    expect(await accepted(db, [own.accessToken])).toBe(1)
    await advance(db, '22 hours')
    expect(await accepted(db, [own.accessToken])).toBe(0)
  })
})

describe('A token whose app is suspended, disabled or ended, or whose key is revoked, returns 401', () => {
  const credentials = async () => {
    const client = await aClient(db)
    const tokens = [await aClientToken(db, client), await aUserToken(db, client)].map((one) => one.accessToken)
    return { client, bearers: [...tokens, client.keyId] }
  }

  test.each(['suspended', 'disabled', 'ended'])('if the app is %s, from the next request on', async (state) => {
    const { client, bearers } = await credentials()
    expect(await accepted(db, bearers)).toBe(3)
    await setKeys(client.app, `state = '${state}'`)
    expect(await accepted(db, bearers)).toBe(0)
  })

  test('only for the revoked key: the tokens of the app’s other keys stay valid', async () => {
    const { client, bearers } = await credentials()
    const other = { ...client, ...(await aKey(db, client.app)) }
    const { accessToken } = await aClientToken(db, { ...other, keyId: other.clientId })
    await db.sql(`update platform.app_keys set state = 'revoked', revoked_at = now() where id = $1`, [client.keyId])
    expect(await accepted(db, bearers)).toBe(0)
    expect(await accepted(db, [accessToken])).toBe(1)
  })

  test('after a suspension was lifted, tokens that have not expired work again', async () => {
    const { client, bearers } = await credentials()
    await setKeys(client.app, `state = 'suspended'`)
    await setKeys(client.app, `state = 'active'`)
    expect(await accepted(db, bearers)).toBe(3)
  })

  test('after a disabled app was enabled, its tokens stay invalid, but its publishable key works again', async () => {
    const { client, bearers } = await credentials()
    await setKeys(client.app, `state = 'disabled', generation = generation + 1`)
    await setKeys(client.app, `state = 'active'`)
    expect(await accepted(db, bearers.slice(0, 2))).toBe(0)
    expect(await accepted(db, bearers.slice(2))).toBe(1)
  })
})

describe('a publishable key', () => {
  test('gives the anonymous public view if it is sent as Bearer, and has only read:public, whatever the app declares', async () => {
    const { app: appId, keyId } = await aClient(db, { scopes: ['write:syndicates', 'read:referral_codes'] })
    expect(await lookUp(db, keyId)).toEqual({
      ...{ kind: 'publishable', world: 'test', appId, keyId, apiVersion: '2026-11-01' },
      scopes: new Set(['read:public']),
    })
  })

  test('is unknown if it was never issued or belongs to the other world', async () => {
    const { keyId } = await aClient(db)
    expect(await accepted(db, [newClientId('test'), keyId.replace('pk_test_', 'pk_live_')])).toBe(0)
  })
})

describe('Token check on a request: indexed lookups only', () => {
  type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] }

  const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

  async function planOf(name: string): Promise<Node[]> {
    const found = allStatements().find((one) => one.name === name)
    if (found === undefined) throw new Error(`no statement ${name}`)
    const values = name === 'tokens.check' ? String.raw`'{"\\x00","\\x01"}'` : `'pk_test_x', 'test'`
    await db.sql('set search_path = test')
    await db.sql(`prepare "${name}" as ${found.text}`)
    const [row] = await db.sql<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `explain (format json) execute "${name}" (${values})`,
    )
    await db.sql('reset search_path')
    return row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan)
  }

  test('finds the token by its digest, its key by its id, and the row of the clock, among 20,000 tokens', async () => {
    await db.sql(`insert into test.access_tokens (hash, kind, key_id, app_id, scopes, generation, expires_at)
      select sha256(n::text::bytea), 'client', 'pk_test_x', 'app_x', '{read:public}', 1, now() + interval '1 day'
        from generate_series(1, 20000) n`)
    await db.sql('analyze test.access_tokens, test.world_clock, platform.app_keys')
    // Some of these tables have few rows here, so PostgreSQL would read them completely instead of using an index.
    await db.sql('set enable_seqscan = off')
    const scans = (await planOf('tokens.check')).filter((node) => node['Relation Name'] !== undefined)
    await db.sql('reset enable_seqscan')
    const indexes = scans.map((node) => [node['Relation Name'], node['Node Type'], node['Index Name']])
    expect(indexes).toContainEqual(['access_tokens', 'Index Scan', 'access_tokens_pkey'])
    expect(indexes).toContainEqual(['app_keys', 'Index Scan', 'app_keys_pkey'])
    const tables = ['access_tokens', 'app_keys', 'app_secrets', 'disabled_holders', 'world_clock']
    expect(scans.map((node) => node['Relation Name']).sort()).toEqual(tables)
    // The clock has one row, so its plan does not matter. All other tables are read by an index.
    const byIndex = scans.filter((node) => String(node['Node Type']).startsWith('Index'))
    expect(byIndex.map((node) => node['Relation Name'])).toEqual(
      expect.arrayContaining(['access_tokens', 'app_keys', 'app_secrets', 'disabled_holders']),
    )
  })

  test('finds a publishable key by its id', async () => {
    await db.sql('set enable_seqscan = off')
    const scans = (await planOf('tokens.check_key')).filter((node) => node['Relation Name'] !== undefined)
    await db.sql('reset enable_seqscan')
    expect(scans.map((node) => node['Index Name'])).toEqual(['app_keys_pkey'])
  })
})
