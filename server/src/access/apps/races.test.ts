import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClientId, Id } from '#kernel/ids.ts'
import { aKey, aMember, anApp, anOrganization } from '#test/apps.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import {
  CONDITIONS_VERSION,
  createApp,
  createKey,
  deleteApp,
  disableApp,
  endOrganization,
  findClient,
  lockClient,
  noteInstalled,
  noteLiveToken,
  rotateSecret,
  type Seat,
  suspendApp,
} from './index.ts'
import { aToken, works } from './testing/token.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const onPlatform = (work: Parameters<typeof db.databases.platform.transaction>[0]) =>
  db.databases.platform.transaction(work)

async function ownedApp(): Promise<Seat & { readonly organization: Id<'organization'> }> {
  const organization = await anOrganization(db)
  return { organization, account: await aMember(db, { organization }), app: await anApp(db, { organization }) }
}

const deleting = { name: 'Deal Desk', cause: 'req_test', onDeleted: [] }

const fulfilled = (tries: readonly PromiseSettledResult<unknown>[]) =>
  tries.filter(({ status }) => status === 'fulfilled').length
const refusals = (tries: readonly PromiseSettledResult<unknown>[]) =>
  tries.flatMap((each) => (each.status === 'rejected' ? [(each.reason as { type?: string }).type] : []))

describe('ten concurrent requests', () => {
  test('to disable an app: exactly one succeeds, the generation increases by one, the history has one entry', async () => {
    const seat = await ownedApp()
    const { clientId } = await aKey(db, seat.app)
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => onPlatform((tx) => disableApp(tx, seat))))
    expect(fulfilled(tries)).toBe(1)
    expect(refusals(tries)).toEqual(Array(9).fill('illegal_transition'))
    expect(await db.sql('select generation from platform.app_keys where id = $1', [clientId])).toEqual([
      { generation: 2 },
    ])
    const entries = await db.sql('select from platform.audit_entries where subject = $1', [seat.app])
    expect(entries).toHaveLength(1)
  })

  test('to rotate a secret: each gets its own secret, and two of the new secrets are in force', async () => {
    const seat = await ownedApp()
    const { clientId, secret } = await aKey(db, seat.app)
    const rotated = await Promise.all(
      Array.from({ length: 10 }, () =>
        db.databases.platform.transaction((tx) => rotateSecret(tx, { ...seat, key: clientId }, 3_600)),
      ),
    )
    const all = [secret, ...rotated.map((each) => each.secret)]
    expect(new Set(all).size).toBe(11)
    const matches = await Promise.all(
      all.map(async (each) => (await findClient(db.databases.test, clientId, each))?.secretMatches),
    )
    expect(matches.filter((match) => match === true)).toHaveLength(2)
    expect(matches[0]).toBe(false)
  })

  test('to delete an app: exactly one succeeds, the other nine get not_found', async () => {
    const seat = await ownedApp()
    await aKey(db, seat.app)
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => onPlatform((tx) => deleteApp(tx, seat, deleting))),
    )
    expect(fulfilled(tries)).toBe(1)
    expect(new Set(refusals(tries))).toEqual(new Set(['not_found']))
  })
})

describe('a token request and a change of the app at the same time', () => {
  test('a change waits for a token that is being issued, and applies from the next request on', async () => {
    const seat = await ownedApp()
    const { clientId } = await aKey(db, seat.app)
    let suspending: Promise<unknown> = Promise.resolve()
    const seen = await db.databases.test.transaction(async (tx) => {
      const client = await lockClient(tx, clientId)
      suspending = onPlatform((ptx) => suspendApp(ptx, { app: seat.app, actor: 'tests' }, 'Because.'))
      await db.untilTransactionWaits()
      return client
    })
    await suspending
    expect(seen).toMatchObject({ state: 'active', revision: '1' })
    expect(await findClient(db.databases.test, clientId, null)).toMatchObject({ state: 'suspended', revision: '2' })
  })

  test('a token request during a change waits, and then sees the change', async () => {
    const seat = await ownedApp()
    const { clientId } = await aKey(db, seat.app)
    let locking: Promise<unknown> = Promise.resolve()
    await onPlatform(async (tx) => {
      await disableApp(tx, seat)
      locking = db.databases.test.transaction((other) => lockClient(other, clientId))
      await db.untilTransactionWaits()
    })
    expect(await locking).toMatchObject({ state: 'disabled', generation: 2 })
  })
})

describe('deleting an app while its first live token is issued', () => {
  test('if the token is first, the app is not deleted', async () => {
    const seat = await ownedApp()
    const { clientId } = await aKey(db, seat.app, { world: 'live' })
    const token = await aToken(db, clientId)
    await expect(onPlatform((tx) => deleteApp(tx, seat, deleting))).rejects.toMatchObject({
      type: 'illegal_transition',
    })
    expect(await works(db, token)).toBe(true)
  })

  test('if the deletion is first, the token request waits and gets no token', async () => {
    const seat = await ownedApp()
    const { clientId } = await aKey(db, seat.app, { world: 'live' })
    let issuing: Promise<string | null> = Promise.resolve(null)
    await onPlatform(async (tx) => {
      await deleteApp(tx, seat, deleting)
      issuing = aToken(db, clientId)
      await db.untilTransactionWaits()
    })
    expect(await issuing).toBeNull()
    expect(await db.sql('select from live.access_tokens where app_id = $1', [seat.app])).toEqual([])
  })

  test('if deletion and token request run at once, many times, no valid token is left of a deleted app', async () => {
    for (let round = 0; round < 20; round++) {
      const seat = await ownedApp()
      const { clientId } = await aKey(db, seat.app, { world: 'live' })
      const [deleted, token] = await Promise.allSettled([
        onPlatform((tx) => deleteApp(tx, seat, deleting)),
        aToken(db, clientId),
      ])
      const issued = token.status === 'fulfilled' ? token.value : null
      expect(deleted.status === 'fulfilled').toBe(issued === null)
      if (deleted.status === 'fulfilled') {
        expect(await db.sql('select from live.access_tokens where app_id = $1', [seat.app])).toEqual([])
      }
    }
  })

  test('a first installation that is recorded before the deletion prevents it; an installation recorded afterwards causes no error', async () => {
    const kept = await ownedApp()
    await noteInstalled(db.databases.live, kept.app)
    await expect(onPlatform((tx) => deleteApp(tx, kept, deleting))).rejects.toMatchObject({
      type: 'illegal_transition',
    })
    const gone = await ownedApp()
    await onPlatform((tx) => deleteApp(tx, gone, deleting))
    await noteInstalled(db.databases.live, gone.app)
    await noteLiveToken(db.databases.live, gone.app)
  })
})

describe('ending an organization', () => {
  test('while an app is created: the new app is rejected', async () => {
    const { organization, account } = await ownedApp()
    let creating: Promise<unknown> = Promise.resolve()
    await onPlatform(async (tx) => {
      await endOrganization(tx, { organization, actor: 'tests', reason: 'Because.' })
      creating = onPlatform((other) =>
        createApp(
          other,
          { organization, account },
          { name: 'Late', accepted_conditions: CONDITIONS_VERSION, brand: null },
        ),
      )
      creating.catch(() => {})
      await db.untilTransactionWaits()
    })
    await expect(creating).rejects.toMatchObject({ type: 'illegal_transition', details: { from: 'ended' } })
  })

  test('while a key is created: no key is left in force', async () => {
    const seat = await ownedApp()
    const key = { world: 'test', name: 'Late', client_type: 'public', redirect_uris: [] } as const
    let creating: Promise<unknown> = Promise.resolve()
    await onPlatform(async (tx) => {
      await endOrganization(tx, { organization: seat.organization, actor: 'tests', reason: 'Because.' })
      creating = onPlatform((other) => createKey(other, seat, key))
      creating.catch(() => {})
      await db.untilTransactionWaits()
    })
    await expect(creating).rejects.toMatchObject({ type: 'illegal_transition' })
    const left = await db.sql<{ id: ClientId }>(
      "select id from platform.app_keys where app_id = $1 and state = 'active'",
      [seat.app],
    )
    expect(left).toEqual([])
  })
})
