import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEvents } from '#events/index.ts'
import { createJoinSession, expireDueSessions, readInvestmentSession, readJoinSession } from '#hosted/sessions/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { cancelInvestment, readInvestment, reinstate } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { GRACE_DAYS, openSandbox, type Played, type Sandbox } from './testing/sandbox.ts'
import { makeSyndicate } from './testing/syndicate.ts'

/** Tests which times follow the test world's clock. docs/sandbox.md has the full list. */
const DAY_MS = 86_400_000
const AHEAD_DAYS = 10

let sandbox: Sandbox
let offering: Id<'offering'>
let before: Awaited<ReturnType<typeof playBefore>>
beforeAll(async () => {
  sandbox = await openSandbox()
  offering = await sandbox.arrange((tx) => makeOffering(tx))
  before = await playBefore()
  await sandbox.play('/clock', { advance: `P${AHEAD_DAYS}D` })
})
afterAll(() => sandbox.close())

const invest = async (how?: { key: string }) => {
  const investor = await sandbox.arrange((tx) => makeUser(tx))
  return sandbox.play('/investments', { offering, investor, amount_cents: 100 }, how)
}
const cancel = (id: string) => sandbox.play(`/investments/${id}/cancel`)

/** Creates records before the clock moves. Some sessions expire within a day, one expires later. */
async function playBefore() {
  const { syndicate } = await sandbox.arrange((tx) => makeSyndicate(tx))
  const session = { offering, email: 'guest@example.org' }
  const canceled = (await invest()).data.id
  await cancel(canceled)
  const keyed = { offering, investor: await sandbox.arrange((tx) => makeUser(tx)), amount_cents: 100 }
  return {
    canceled,
    keyed,
    first: await sandbox.play('/investments', keyed, { key: 'before-the-move' }),
    joining: (await sandbox.play('/join_sessions', { syndicate, expires_in_hours: 24 })).data.id as Id<'joinSession'>,
    investing: (await sandbox.play('/investment_sessions', { ...session, expires_in_hours: 24 })).data
      .id as Id<'investmentSession'>,
    lasting: (await sandbox.play('/investment_sessions', session)).data.id as Id<'investmentSession'>,
  }
}

/** How many days a time is ahead of real time, rounded. A time a moment ago rounds to -0, which `+ 0` turns into 0. */
const daysAhead = (time: string | Date | number) => Math.round((new Date(time).getTime() - Date.now()) / DAY_MS) + 0
const reads = () => sandbox.db.databases.test.reads

describe('times that follow the test world’s clock', () => {
  test('occurred_at of events and the times in records follow the clock', async () => {
    const { data, events } = await invest()
    expect(daysAhead(events[0]?.occurred_at ?? '')).toBe(AHEAD_DAYS)
    expect(events[0]?.data['occurred_at']).toBe(events[0]?.occurred_at)
    expect(daysAhead(String(data['applied_at']))).toBe(AHEAD_DAYS)
    const canceled = await cancel(data.id)
    expect(daysAhead(String(canceled.data['canceled_at']))).toBe(AHEAD_DAYS)
  })

  test('created_at of events, which receivers see, follows the clock', async () => {
    const { events } = await invest()
    const stored = await findEvents(
      reads(),
      events.map(({ id }) => id as Id<'event'>),
    )
    expect(stored.map(({ created_at }) => daysAhead(created_at))).toEqual(events.map(() => AHEAD_DAYS))
  })

  test('the grace period follows the clock: it is over for an earlier cancellation, not for a new one', async () => {
    const error = await sandbox.refused(`/investments/${before.canceled}/reinstate`)
    expect(error).toMatchObject({ status: 409, details: { from: 'canceled', event: 'reinstate', allowed: [] } })
    expect(error.message).toContain(`${GRACE_DAYS} days`)
    const { data } = await invest()
    await cancel(data.id)
    expect((await sandbox.play(`/investments/${data.id}/reinstate`)).names).toEqual(['investment.reinstated'])
  })

  test('sessions expire by the clock, with their expires_at as the time of the event', async () => {
    await sandbox.arrange((tx) => expireDueSessions(tx, 100))
    const joining = await readJoinSession(reads(), before.joining)
    const investing = await readInvestmentSession(reads(), before.investing)
    expect([joining?.status, investing?.status]).toEqual(['expired', 'expired'])
    expect(await readInvestmentSession(reads(), before.lasting)).toMatchObject({ status: 'pending' })
    const events = await sandbox.db.sql<{ name: string; on_time: boolean }>(
      `select e.name, e.occurred_at = s.expires_at as on_time
         from test.events e join test.investment_sessions s on s.id = e.investment_session_id
        where e.name = 'investment_session.expired'`,
    )
    expect(events).toEqual([{ name: 'investment_session.expired', on_time: true }])
  })
})

describe('times that do not follow the test world’s clock', () => {
  test('the live world’s time does not move', async () => {
    const live = sandbox.db.databases.live
    const times = await sandbox.db.sql<{ at: Date }>('select live.world_now() as at')
    expect(Math.abs((times[0]?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    const now = async (tx: Tx) => ({ cause: 'live', occurredAt: await worldNow(tx), caused: [] })
    const session = newId('joinSession')
    const reinstated = await live.transaction(async (tx) => {
      const id = await makeInvestment(tx)
      await cancelInvestment(tx, { id }, await now(tx))
      await reinstate(tx, { id, graceDays: GRACE_DAYS }, await now(tx))
      const { syndicate } = await makeSyndicate(tx)
      const expiresAt = new Date(Date.now() + DAY_MS).toISOString()
      await createJoinSession(tx, { id: session, syndicateId: syndicate, expiresAt }, await now(tx))
      return readInvestment(tx, id)
    })
    expect(reinstated?.status).toBe('active')
    expect(await live.transaction((tx) => expireDueSessions(tx, 100))).toBe(0)
  })

  test('an Idempotency-Key from before the move still returns its stored response, because keys have real time', async () => {
    const again = await sandbox.play('/investments', before.keyed, { key: 'before-the-move' })
    expect([again.replayed, again.data]).toEqual([true, before.first.data])
    await invest({ key: 'after-the-move' })
    const keys = await sandbox.db.sql<{ created_at: Date }>('select created_at from test.idempotency_keys')
    expect(keys.map(({ created_at }) => daysAhead(created_at))).toEqual(keys.map(() => 0))
  })

  test('recorded_at of events, which shows whether an endpoint subscribed before the event, is real time', async () => {
    const { events } = await invest()
    const rows = await sandbox.db.sql<{ recorded_at: Date }>('select recorded_at from test.events where id = $1', [
      events[0]?.id,
    ])
    expect(rows.map(({ recorded_at }) => daysAhead(recorded_at))).toEqual([0])
  })

  test('ids of requests, records and events contain real time', async () => {
    const response = await sandbox.send('GET', '/clock')
    const played: Played = await invest()
    const ids = [response.headers.get('x-request-id') ?? '', played.data.id, played.events[0]?.id ?? '']
    expect(ids.map((id) => daysAhead(timeIn(id)))).toEqual([0, 0, 0])
  })

  test('log lines have real time', async () => {
    await invest()
    const { time } = JSON.parse(sandbox.app.logLines.at(-1) ?? '{}') as { time: number | string }
    expect(daysAhead(time)).toBe(0)
  })
})

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The time that an id contains: milliseconds in the first eight letters after its prefix. */
function timeIn(id: string): number {
  const letters = id.slice(id.lastIndexOf('_') + 1).slice(0, 8)
  return [...letters].reduce((ms, letter) => ms * 62 + BASE62.indexOf(letter), 0)
}
