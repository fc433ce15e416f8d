import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockClient, noteInstalled, suspendApp } from '#access/apps/index.ts'
import { issueClientToken } from '#access/tokens/index.ts'
import {
  aClient,
  aClientToken,
  aCode,
  accepted,
  aUserToken,
  present,
  redeem,
  refresh,
  type StagedClient,
  whyNot,
} from '#access/tokens/testing/stage.ts'
import { testDatabase } from '#test/database.ts'
import { type Crowd, crowdOn, gate, lockRows, untilWaiting } from './crowd.ts'

let db: Crowd
beforeAll(async () => {
  db = await crowdOn(await testDatabase())
})
afterAll(() => db.close())

const grant = { scopes: ['read:public'], byDefault: false }

/** Begins a transaction and stops in the middle of a grant, until the test ends it. */
async function beginGrant({ keyId }: StagedClient): Promise<{ end(): Promise<void> }> {
  const [grantBegun, grantMayEnd] = [gate(), gate()]
  const done = db.databases.test.transaction(async (tx) => {
    await lockClient(tx, keyId)
    grantBegun.open()
    await grantMayEnd.opened
  })
  await grantBegun.opened
  return {
    end: () => {
      grantMayEnd.open()
      return done
    },
  }
}

test('a token request waits behind an app change that already waits, so an app that requests tokens without a pause can be suspended', async () => {
  const client = await aClient(db)
  const [token, users, code] = [await aClientToken(db, client), await aUserToken(db, client), await aCode(db, client)]
  const looked = await present(db, client)
  const issuing = await beginGrant(client)
  const suspending = db.databases.platform.transaction((tx) =>
    suspendApp(tx, { app: client.app, actor: 'opk_test' }, 'It asks too much.'),
  )
  await untilWaiting(db, 1)
  const later = Promise.all([
    issueClientToken(db.databases.test, looked, grant),
    redeem(db, client, code),
    refresh(db, client, users.refreshToken),
  ])
  await untilWaiting(db, 4)
  expect(await accepted(db, [token.accessToken, users.accessToken])).toBe(2)
  await issuing.end()
  await suspending
  const [own, redeemed, refreshed] = await later
  expect([own, whyNot(redeemed), whyNot(refreshed)]).toEqual(['stale', 'client', 'client'])
  expect(await accepted(db, [token.accessToken, users.accessToken])).toBe(0)
})

test('a token request for another app does not wait for the app change', async () => {
  const [changing, locked, others] = [
    await aClient(db),
    await aClient(db),
    await Promise.all([aClient(db), aClient(db)]),
  ]
  const looked = await Promise.all([changing, locked, ...others].map((client) => present(db, client)))
  const issuing = await beginGrant(changing)
  const suspending = db.databases.platform.transaction((tx) =>
    suspendApp(tx, { app: changing.app, actor: 'opk_test' }, 'It asks too much.'),
  )
  await untilWaiting(db, 1)
  // This transaction does not use the gate. Issuing also waits for a transaction that only locks the row.
  const holder = await lockRows(db, 'select from platform.apps where id = $1 for update', [locked.app])
  const [first, second, ...rest] = looked.map((client) => issueClientToken(db.databases.test, client, grant))
  const issued = await Promise.all(rest)
  expect(issued.filter((one) => one !== 'stale')).toHaveLength(others.length)
  await untilWaiting(db, 3)
  await holder.release()
  expect(await second).not.toBe('stale')
  await issuing.end()
  await suspending
  expect(await first).toBe('stale')
})

test('transactions that issue tokens do not wait for each other', async () => {
  const client = await aClient(db)
  const { refreshToken } = await aUserToken(db, client)
  const issuing = await beginGrant(client)
  expect(await accepted(db, [(await aClientToken(db, client)).accessToken])).toBe(1)
  expect(whyNot(await refresh(db, client, refreshToken))).toBe('issued')
  await issuing.end()
})

test('the first installation waits for a grant in progress and is then recorded, and later installations do not wait', async () => {
  const client = await aClient(db)
  const issuing = await beginGrant(client)
  const noting = noteInstalled(db.databases.live, client.app)
  await untilWaiting(db, 1)
  await issuing.end()
  await noting
  const again = await beginGrant(client)
  await noteInstalled(db.databases.live, client.app)
  await again.end()
  const noted = await db.sql('select first_installed_at is not null as noted from platform.apps where id = $1', [
    client.app,
  ])
  expect(noted).toEqual([{ noted: true }])
})
