import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokePresented } from '#access/tokens/index.ts'
import {
  aClient,
  accepted,
  aUserToken,
  given,
  refresh,
  type StagedClient,
  whyNot,
} from '#access/tokens/testing/stage.ts'
import { testDatabase } from '#test/database.ts'
import { CROWD_SIZE, type Crowd, crowdOn, lockRows, runAtOnce, untilWaiting } from './crowd.ts'

let db: Crowd
let client: StagedClient
beforeAll(async () => {
  db = await crowdOn(await testDatabase())
  client = await aClient(db)
})
afterAll(() => db.close())

const digest = (text: string) => createHash('sha256').update(text).digest()
const lockFamily = (head: string) =>
  lockRows(db, 'select from test.refresh_families where head_hash = $1 for update', [digest(head)])

test('16 requests that rotate one refresh token at the same time all get the same successor', async () => {
  const first = await aUserToken(db, client)
  const holder = await lockFamily(first.refreshToken)
  const tries = runAtOnce(() => refresh(db, client, first.refreshToken))
  await untilWaiting(db, CROWD_SIZE)
  await holder.release()

  const tokens = (await tries).map(given)
  expect(new Set(tokens.map(({ refreshToken }) => refreshToken)).size).toBe(1)
  expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1)
  const [second] = tokens
  expect(await accepted(db, [first.accessToken, second?.accessToken ?? ''])).toBe(2)
  expect(whyNot(await refresh(db, client, second?.refreshToken ?? ''))).toBe('issued')
  expect(await db.sql('select from platform.audit_entries where subject = $1', [client.app])).toEqual([])
})

test('if one of 16 simultaneous requests sends a token that was used before, the whole family ends, whichever request runs first', async () => {
  const own = await aClient(db)
  const first = await aUserToken(db, own)
  const second = given(await refresh(db, own, first.refreshToken))
  const third = given(await refresh(db, own, second.refreshToken))
  const holder = await lockFamily(third.refreshToken)
  const tries = runAtOnce((index) => refresh(db, own, index === 5 ? first.refreshToken : third.refreshToken))
  await untilWaiting(db, CROWD_SIZE)
  await holder.release()

  const outcomes = await tries
  expect(outcomes.map(whyNot).filter((why) => why === 'reused')).toHaveLength(1)
  for (const why of outcomes.map(whyNot)) expect(['issued', 'reused', 'revoked']).toContain(why)
  const issued = outcomes.filter(({ outcome }) => outcome === 'issued').map(given)
  const bearers = [first, second, third, ...issued].map(({ accessToken }) => accessToken)
  expect(await accepted(db, bearers)).toBe(0)
  for (const { refreshToken } of [third, ...issued]) {
    expect(whyNot(await refresh(db, own, refreshToken))).toBe('revoked')
  }
})

test('a revocation during a rotation also revokes the rotated token', async () => {
  const first = await aUserToken(db, client)
  const holder = await lockFamily(first.refreshToken)
  const rotating = refresh(db, client, first.refreshToken)
  await untilWaiting(db, 1)
  const revoking = db.databases.test.transaction((tx) =>
    revokePresented(tx, { token: first.refreshToken, keyId: client.keyId }),
  )
  await untilWaiting(db, 2)
  await holder.release()

  const { accessToken, refreshToken } = given(await rotating)
  await revoking
  expect(await accepted(db, [first.accessToken, accessToken])).toBe(0)
  expect(whyNot(await refresh(db, client, refreshToken))).toBe('revoked')
})
