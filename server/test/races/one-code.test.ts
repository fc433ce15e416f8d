import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aClient, aCode, accepted, given, redeem, refresh, whyNot } from '#access/tokens/testing/stage.ts'
import { testDatabase } from '#test/database.ts'
import { CROWD_SIZE, type Crowd, crowdOn, lockRows, runAtOnce, untilWaiting } from './crowd.ts'

let db: Crowd
beforeAll(async () => {
  db = await crowdOn(await testDatabase())
})
afterAll(() => db.close())

const CODE_ROW = 'select from test.authorization_codes where hash = $1 for update'

test('if 16 requests redeem one code at the same time, exactly one gets tokens, and the others revoke them', async () => {
  const client = await aClient(db)
  const code = await aCode(db, client)
  const holder = await lockRows(db, CODE_ROW, [createHash('sha256').update(code).digest()])
  const tries = runAtOnce(() => redeem(db, client, code))
  await untilWaiting(db, CROWD_SIZE)
  await holder.release()

  const outcomes = await tries
  const winners = outcomes.filter(({ outcome }) => outcome === 'issued').map(given)
  expect(winners).toHaveLength(1)
  expect(outcomes.filter(({ outcome }) => outcome === 'refused').map(whyNot)).toEqual(
    Array(CROWD_SIZE - 1).fill('reused'),
  )
  for (const { accessToken, refreshToken } of winners) {
    expect(await accepted(db, [accessToken])).toBe(0)
    expect(whyNot(await refresh(db, client, refreshToken))).toBe('revoked')
  }

  const gave = await db.sql(
    `select (select count(*)::int from test.refresh_families where app_id = $1) as families,
            (select count(*)::int from test.access_tokens where app_id = $1) as tokens,
            (select count(*)::int from platform.audit_entries where subject = $1) as entries`,
    [client.app],
  )
  expect(gave).toEqual([{ families: 1, tokens: 1, entries: 1 }])
})

test('16 codes redeemed at the same time each give their own tokens', async () => {
  const client = await aClient(db)
  const codes = await runAtOnce(() => aCode(db, client))
  const outcomes = await runAtOnce((index) => redeem(db, client, codes[index] ?? ''))
  const tokens = outcomes.map(given).map(({ accessToken }) => accessToken)
  expect(new Set(tokens).size).toBe(CROWD_SIZE)
  expect(await accepted(db, tokens)).toBe(CROWD_SIZE)
})
