import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { purgeTokens } from './index.ts'
import {
  aClient,
  aClientToken,
  aCode,
  aConnection,
  advance,
  aUserToken,
  given,
  redeem,
  refresh,
  whyNot,
} from './testing/stage.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const LIMIT = 4

/** Purges like the worker: in small batches, until a batch is not full. */
async function purgeAll(): Promise<number[]> {
  const batches: number[] = []
  do batches.push(await db.databases.test.transaction((tx) => purgeTokens(tx, LIMIT)))
  while (batches.at(-1) === LIMIT)
  return batches
}

async function counts() {
  const [row] = await db.sql<{ tokens: number; families: number; codes: number; answers: number }>(
    `select (select count(*)::int from test.access_tokens) as tokens,
            (select count(*)::int from test.refresh_families) as families,
            (select count(*)::int from test.refresh_families where answer is not null) as answers,
            (select count(*)::int from test.authorization_codes) as codes`,
  )
  return row
}

describe('the tables stay small', () => {
  test('expired rows are deleted in small batches; valid rows stay', async () => {
    const client = await aClient(db)
    const on = await aConnection(db, client)
    for (let i = 0; i < 3; i++) await aClientToken(db, client)
    const used = await aCode(db, client, { on })
    const { refreshToken } = given(await redeem(db, client, used))
    const newest = given(await refresh(db, client, refreshToken))
    await aUserToken(db, client, { on })
    expect(await counts()).toEqual({ tokens: 6, families: 2, codes: 2, answers: 1 })
    expect(await purgeAll()).toEqual([0])

    await advance(db, '2 hours')
    expect(await purgeAll()).toEqual([3])
    expect(await counts()).toEqual({ tokens: 3, families: 2, codes: 2, answers: 1 })

    await advance(db, '23 hours')
    expect(await purgeAll()).toEqual([3])
    expect(await counts()).toEqual({ tokens: 0, families: 2, codes: 2, answers: 1 })
    expect(whyNot(await refresh(db, client, newest.refreshToken))).toBe('issued')

    await advance(db, '60 days')
    await purgeAll()
    expect(await counts()).toEqual({ tokens: 0, families: 0, codes: 0, answers: 0 })
  })

  test('an unused code is stored for a day after its expiry, so that it is reported as expired', async () => {
    const client = await aClient(db)
    const code = await aCode(db, client)
    await advance(db, '23 hours')
    await purgeAll()
    expect(whyNot(await redeem(db, client, code))).toBe('expired')
    await advance(db, '61 minutes')
    await purgeAll()
    expect(whyNot(await redeem(db, client, code))).toBe('unknown')
  })

  test('a used code is stored as long as its family is valid, so that a second use weeks later still revokes the family', async () => {
    const client = await aClient(db)
    const code = await aCode(db, client)
    let token = given(await redeem(db, client, code))
    for (let weeks = 0; weeks < 12; weeks += 6) {
      await advance(db, '42 days')
      await purgeAll()
      token = given(await refresh(db, client, token.refreshToken))
    }
    expect(await counts()).toMatchObject({ families: 1, codes: 1 })
    expect(whyNot(await redeem(db, client, code))).toBe('reused')
    expect(whyNot(await refresh(db, client, token.refreshToken))).toBe('revoked')
  })

  test.each([
    ['expired', (db: TestDatabase) => advance(db, '60 days')],
    [
      'was revoked a day ago',
      (db: TestDatabase) => db.sql(`update test.refresh_families set revoked_at = now() - interval '25 hours'`),
    ],
  ])('a used code is deleted together with a family that %s', async (_, end) => {
    await db.sql('delete from test.refresh_families')
    await db.sql('delete from test.authorization_codes')
    const client = await aClient(db)
    const code = await aCode(db, client)
    await redeem(db, client, code)
    await end(db)
    await purgeAll()
    expect(await counts()).toMatchObject({ families: 0, codes: 0 })
    expect(whyNot(await redeem(db, client, code))).toBe('unknown')
  })

  test('the response of a rotation is stored for 30 s of real time, at any world time', async () => {
    const client = await aClient(db)
    const { refreshToken } = given(await refresh(db, client, (await aUserToken(db, client)).refreshToken))
    await advance(db, '1 hour')
    await purgeAll()
    expect(await counts()).toMatchObject({ answers: 1 })
    await db.sql(`update test.refresh_families set rotated_at = rotated_at - interval '30 seconds'`)
    await purgeAll()
    expect(await counts()).toMatchObject({ answers: 0 })
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('issued')
  })

  test('revoked families and revoked tokens without expiry are deleted a day later; other tokens at their expiry', async () => {
    await db.sql('delete from test.access_tokens')
    await db.sql('delete from test.refresh_families')
    const client = await aClient(db)
    await aUserToken(db, client)
    await db.sql(`insert into test.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation)
      select sha256('never'), 'installation', key_id, app_id, installation_id, scopes, 1 from test.access_tokens`)
    await db.sql(`update test.access_tokens set revoked_at = now() - interval '23 hours'`)
    await db.sql(`update test.refresh_families set revoked_at = now() - interval '23 hours'`)
    await purgeAll()
    expect(await counts()).toMatchObject({ tokens: 2, families: 1 })
    await db.sql(`update test.access_tokens set revoked_at = now() - interval '25 hours'`)
    await db.sql(`update test.refresh_families set revoked_at = now() - interval '25 hours'`)
    await purgeAll()
    // The user token is not deleted yet, because it has not expired.
    expect(await counts()).toMatchObject({ tokens: 1, families: 0 })
  })

  test('rows of the other world stay', async () => {
    const live = await aClient(db, { world: 'live' })
    await aClientToken(db, live)
    await advance(db, '2 days')
    await purgeAll()
    expect(await db.sql('select kind from live.access_tokens')).toEqual([{ kind: 'client' }])
  })
})
