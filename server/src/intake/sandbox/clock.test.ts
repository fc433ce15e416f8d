import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CALLERS } from '#http/testing/callers.ts'
import { AHEAD_DAYS_MAX } from './clock-routes.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

const DAY_SECONDS = 86_400
const advance = (by: string, how?: { as?: string; key?: string }) => sandbox.play('/clock', { advance: by }, how)

async function readClock(as = 'ok_test_operator') {
  const response = await sandbox.send('GET', '/clock', { as })
  return ((await response.json()) as { data: { now: string; ahead: string; ahead_seconds: number } }).data
}

/** How many seconds a world's time is ahead of the database's clock. */
async function aheadOf(world: 'test' | 'live'): Promise<number> {
  const [row] = await sandbox.db.sql<{ ahead: number }>(
    `select round(extract(epoch from ${world}.world_now() - clock_timestamp()))::int as ahead`,
  )
  return row?.ahead ?? Number.NaN
}

describe('GET /sandbox/clock', () => {
  test('200: the operator and every access token of an app get the time with microseconds and how far this time is ahead', async () => {
    for (const as of ['ok_test_operator', 'at_test_client', 'at_test_user', 'at_test_install']) {
      const clock = await readClock(as)
      expect(clock.now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      expect(clock).toMatchObject({ ahead: 'PT0S', ahead_seconds: 0 })
    }
  })
})

describe('POST /sandbox/clock', () => {
  test('200: moves the time of the test world, but not of the live world', async () => {
    const before = await aheadOf('test')
    const { status, data, events } = await advance('P3D')
    expect(status).toBe(200)
    expect(data).toMatchObject({ ahead_seconds: before + 3 * DAY_SECONDS })
    expect(events).toEqual([])
    expect(await aheadOf('test')).toBe(before + 3 * DAY_SECONDS)
    expect((await readClock()).ahead_seconds).toBe(before + 3 * DAY_SECONDS)
    expect(await aheadOf('live')).toBe(0)
  })

  test('each move adds one audit entry with the operator, the duration and the reason', async () => {
    const entries = () =>
      sandbox.db.sql(
        "select actor, by_operator, reason, details from platform.audit_entries where action = 'sandbox_clock.advanced' order by id",
      )
    const before = (await entries()).length
    const why = 'Expiries for a partner'
    const { ahead } = (await sandbox.play('/clock', { advance: 'PT2H' }, { why })).data
    await sandbox.refused('/clock', { advance: '-PT2H' })
    expect((await entries()).slice(before)).toEqual([
      {
        actor: CALLERS.ok_test_operator.actor,
        by_operator: true,
        reason: why,
        details: { mode: 'test', advance: 'PT2H', ahead },
      },
    ])
  })

  test('the durations of ten concurrent moves add up', async () => {
    const before = await aheadOf('test')
    await Promise.all(Array.from({ length: 10 }, () => advance('PT1H')))
    expect(await aheadOf('test')).toBe(before + 10 * 3_600)
  })

  test('a repeat with the same Idempotency-Key does not move the clock again', async () => {
    const before = await aheadOf('test')
    const first = await advance('P1D', { key: 'one-day' })
    const again = await advance('P1D', { key: 'one-day' })
    expect([first.replayed, again.replayed]).toEqual([false, true])
    expect(again.data).toEqual(first.data)
    expect(await aheadOf('test')).toBe(before + DAY_SECONDS)
  })

  test.each([
    [{ advance: '-P1D' }, 'advance', 'invalid_format'],
    [{ advance: 'P1M' }, 'advance', 'invalid_format'],
    [{ advance: 'tomorrow' }, 'advance', 'invalid_format'],
    [{ advance: 'P0D' }, 'advance', 'not_forward'],
    [{ advance: `P${AHEAD_DAYS_MAX}DT1S` }, 'advance', 'too_large'],
    [{ advance: 'P999999999W' }, 'advance', 'too_large'],
    [{ advance: 3 }, 'advance', 'invalid_type'],
    [{}, 'advance', 'required'],
    [{ advance: 'P1D', back: true }, 'back', 'unknown_field'],
  ])('422 for %j, and the clock does not move', async (body, field, code) => {
    const before = await aheadOf('test')
    const error = await sandbox.refused('/clock', body)
    expect(error).toMatchObject({ status: 422, type: 'validation_error', details: { fields: [{ field, code }] } })
    expect(await aheadOf('test')).toBe(before)
  })

  test('422 if the clock would be further ahead than the maximum, after any number of moves', async () => {
    const before = await aheadOf('test')
    const left = AHEAD_DAYS_MAX * DAY_SECONDS - before
    await advance(`PT${left - 3 * DAY_SECONDS}S`)
    const message = 'would put the clock more than 3650 days ahead; it can still move forward by P3D'
    expect(await sandbox.refused('/clock', { advance: 'P3DT1S' })).toMatchObject({
      status: 422,
      details: { fields: [{ field: 'advance', code: 'too_large', message }] },
    })
    await advance('P3D')
    expect(await sandbox.refused('/clock', { advance: 'PT1S' })).toMatchObject({
      status: 422,
      details: { fields: [{ field: 'advance', code: 'too_large' }] },
    })
    expect(await aheadOf('test')).toBe(AHEAD_DAYS_MAX * DAY_SECONDS)
  })

  test('403 for every token of an app, because all apps share the clock', async () => {
    for (const as of ['at_test_client', 'at_test_user', 'at_test_install', 'pk_test_public']) {
      expect(await sandbox.refused('/clock', { advance: 'P1D' }, { as })).toMatchObject({
        status: 403,
        type: 'forbidden',
      })
    }
  })
})
