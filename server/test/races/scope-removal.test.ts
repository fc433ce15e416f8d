import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockClient } from '#access/apps/index.ts'
import { removeScopesByOperator } from '#access/oauth/scope-changes/change-scopes.ts'
import { issueClientToken, mintInstallationToken } from '#access/tokens/index.ts'
import {
  aClient,
  aClientToken,
  aCode,
  aConnection,
  accepted,
  aUserToken,
  given,
  lookUp,
  present,
  redeem,
  refresh,
  type StagedClient,
  type StagedConnection,
  whyNot,
} from '#access/tokens/testing/stage.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { testDatabase } from '#test/database.ts'
import { countEnabledEndpoints } from '#webhooks/index.ts'
import { type Crowd, crowdOn, gate, untilWaiting } from './crowd.ts'

const REMOVED = ['read:investments', 'read:referral_codes'] as const
const DECLARED = ['read:profile', ...REMOVED]
const GRANTED = ['read:profile', 'read:investments']
const PRESENT = 200_000

let db: Crowd
let client: StagedClient
let connection: StagedConnection

const clients: StagedClient[] = []

/** Each test has its own app with a third of the tokens. Half of the tokens have a scope that the test removes. */
beforeAll(async () => {
  db = await crowdOn(await testDatabase())
  for (let i = 0; i < 3; i++) clients.push(await aClient(db, { scopes: DECLARED }))
  await db.sql(
    `insert into test.access_tokens (hash, kind, key_id, app_id, scopes, generation, expires_at)
     select sha256(n::text::bytea), 'client', ($1::text[])[n % 3 + 1], ($2::text[])[n % 3 + 1],
            case when n % 2 = 0 then '{read:public,read:referral_codes}' else '{read:public}' end::text[], 1,
            now() + interval '1 day'
       from generate_series(1, ${PRESENT}) n`,
    [clients.map(({ keyId }) => keyId), clients.map(({ app }) => app)],
  )
})
afterAll(() => db.close())

beforeEach(async () => {
  const next = clients.pop()
  if (next === undefined) throw new Error('there are more tests than apps')
  client = next
  connection = await aConnection(db, client, { scopes: GRANTED })
})

const take = (tx: PlatformTx) =>
  removeScopesByOperator(
    tx,
    { by: { app: client.app, actor: 'opk_test', role: 'wefunder' }, scopes: [...REMOVED] },
    { cause: 'race', caused: [], onRevoked: [], countEnabledEndpoints },
  )

/** Counts the app's valid tokens, codes and installations that have a removed scope. */
async function carrying(): Promise<number> {
  const tables = ['test', 'live'].flatMap((world) => [
    `select count(*)::int as n from ${world}.access_tokens where app_id = $1 and revoked_at is null and scopes && $2`,
    `select count(*)::int from ${world}.refresh_families where app_id = $1 and revoked_at is null and scopes && $2`,
    `select count(*)::int from ${world}.authorization_codes
      where app_id = $1 and revoked_at is null and consumed_at is null and scopes && $2`,
    `select count(*)::int from ${world}.installations where app_id = $1 and state = 'active' and scopes && $2`,
  ])
  const rows = await db.sql<{ n: number }>(`${tables.join(' union all ')}`, [client.app, REMOVED])
  return rows.reduce((sum, { n }) => sum + n, 0)
}

const issueOwn = async () =>
  issueClientToken(db.databases.test, await present(db, client), {
    scopes: ['read:public', 'read:referral_codes'],
    byDefault: true,
  })

const mint = (before = async () => {}) =>
  db.databases.test.transaction(async (tx) => {
    const locked = await lockClient(tx, client.keyId)
    if (locked === null) throw new Error('the key does not exist')
    const wanted = { installation: connection.installation, scopes: GRANTED, neverExpires: true }
    const token = await mintInstallationToken(tx, { client: locked, ...wanted })
    await before()
    return token
  })

describe(`with ${PRESENT.toLocaleString('en')} tokens present`, () => {
  test('a removal waits for a token whose issuing has begun, and then revokes that token', async () => {
    const before = await carrying()
    const [begun, committing] = [gate(), gate()]
    const issuing = mint(() => {
      begun.open()
      return committing.opened
    })
    await begun.opened
    const removing = db.databases.platform.transaction(take)
    await untilWaiting(db, 1)
    committing.open()

    const token = await issuing
    expect(token?.scopes).toEqual(GRANTED)
    expect(before).toBeGreaterThan(PRESENT / 7)
    expect(await removing).toMatchObject({ tokens_revoked: before, installs_narrowed: 1 })
    expect(await lookUp(db, token?.accessToken ?? '')).toBeNull()
    expect(await carrying()).toBe(0)
  })

  test('issuing waits for a removal and then omits the removed scope, and token checks do not wait', async () => {
    const [code, users] = [await aCode(db, client, { on: connection, scopes: GRANTED }), await user()]
    const other = await aClientToken(db, client)
    const committing = gate()
    const taken = gate()
    const removing = db.databases.platform.transaction(async (tx) => {
      const removal = await take(tx)
      taken.open()
      await committing.opened
      return removal
    })
    await taken.opened
    const issuing = Promise.all([
      issueOwn(),
      redeem(db, client, code),
      refresh(db, client, users.refreshToken),
      mint(),
      aCode(db, client, { on: connection, scopes: GRANTED }),
    ])
    await untilWaiting(db, 5)
    // The removal is not committed yet, so existing tokens are valid, and every check returns at once.
    expect(await accepted(db, [users.accessToken, other.accessToken, client.keyId])).toBe(3)
    await untilWaiting(db, 5)
    committing.open()

    expect((await removing).tokens_revoked).toBeGreaterThan(PRESENT / 7)
    const [own, redeemed, refreshed, minted] = await issuing
    expect(own).toBe('stale')
    expect([whyNot(redeemed), whyNot(refreshed)]).toEqual(['revoked', 'revoked'])
    expect(minted?.scopes).toEqual(['read:profile'])
    expect(await accepted(db, [users.accessToken])).toBe(0)
    expect(await accepted(db, [other.accessToken, minted?.accessToken ?? ''])).toBe(2)
    expect(await carrying()).toBe(0)
  })

  test('with many concurrent issuers, no token has the scope after its removal', async () => {
    let removed = false
    const issued: string[] = []
    const first = gate()
    const throng = Array.from({ length: 8 }, async (_, index) => {
      // Each issuer works before and during the removal, and three more times when it is over.
      for (let after = 0; after < 3; after += removed ? 1 : 0) {
        issued.push(...(await issueSomething(index)))
        first.open()
      }
    })
    await first.opened
    const removing = db.databases.platform.transaction(take).then(() => {
      removed = true
    })
    await Promise.all([removing, ...throng])

    expect(issued.length).toBeGreaterThan(8 * 3)
    expect(await carrying()).toBe(0)
    const callers = await Promise.all(issued.map((bearer) => lookUp(db, bearer)))
    for (const caller of callers) {
      if (caller === null || !('scopes' in caller)) continue
      expect(REMOVED.some((name) => caller.scopes.has(name))).toBe(false)
    }
  })
})

const user = () => aUserToken(db, client, { on: connection, scopes: GRANTED })

/** Issues a token of the app itself, or redeems a code and refreshes its token. A rejected grant returns no token. */
async function issueSomething(index: number): Promise<string[]> {
  if (index % 2 === 0) {
    const issued = await issueOwn()
    return issued === 'stale' ? [] : [issued.accessToken]
  }
  const outcome = await redeem(db, client, await aCode(db, client, { on: connection, scopes: GRANTED }))
  if (outcome.outcome === 'refused') return []
  const refreshed = await refresh(db, client, given(outcome).refreshToken)
  const tokens = refreshed.outcome === 'refused' ? [outcome] : [outcome, refreshed]
  return tokens.map((one) => given(one).accessToken)
}
