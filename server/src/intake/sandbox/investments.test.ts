import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { INVESTMENT_MACHINE, readInvestment } from '#market/investments/index.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { describeMachine } from './testing/machine.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'

let sandbox: Sandbox
let offering: Id<'offering'>
let reservations: Id<'offering'>
beforeAll(async () => {
  sandbox = await openSandbox()
  offering = await sandbox.arrange((tx) => makeOffering(tx))
  reservations = await sandbox.arrange((tx) => makeOffering(tx, { testing_the_waters: true }))
})
afterAll(() => sandbox.close())

const someone = () => sandbox.arrange((tx) => makeUser(tx))
const at = (id: string, move: string) => `/investments/${id}/${move}`
const read = (id: string) => readInvestment(sandbox.db.databases.test.reads, id as Id<'investment'>)

async function invest(into = offering, investor?: Id<'user'>): Promise<string> {
  const body = { offering: into, investor: investor ?? (await someone()), amount_cents: 25_000 }
  return (await sandbox.play('/investments', body)).data.id
}
async function investAnd(move: string): Promise<string> {
  const id = await invest()
  await sandbox.play(at(id, move))
  return id
}

describeMachine({
  sandbox: () => sandbox,
  machine: INVESTMENT_MACHINE,
  events: 'investment.',
  read,
  reach: {
    active: () => invest(),
    reserved: () => invest(reservations),
    executed: () => investAnd('execute'),
    canceled: () => investAnd('cancel'),
    converted: () => investAnd('convert'),
  },
  ask: {
    reinstate: (id) => ({ path: at(id, 'reinstate') }),
    cancel: (id) => ({ path: at(id, 'cancel') }),
    change_amount: (id) => ({ path: at(id, 'change_amount'), body: { amount_cents: 50_000 } }),
    change_amount_to_zero: (id) => ({ path: at(id, 'change_amount'), body: { amount_cents: 0 } }),
    convert: (id) => ({ path: at(id, 'convert') }),
    execute: (id) => ({ path: at(id, 'execute') }),
  },
})

describe('POST /sandbox/investments', () => {
  test('201 with the flat record, and the event as a webhook with every scope would carry it', async () => {
    const investor = await sandbox.arrange((tx) => makeUser(tx, { name: 'Grace Hopper' }))
    const { status, data, events } = await sandbox.play('/investments', { offering, investor, amount_cents: 25_000 })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      status: 'active',
      offering,
      investor: { id: investor },
      payment: 'none',
      hidden: false,
    })
    expect(data['amounts']).toEqual({
      committed_cents: 25_000,
      in_escrow_cents: 0,
      refund_due_cents: 0,
      currency: 'usd',
    })
    const [event] = events
    expect(event).toMatchObject({ event: 'investment.created', id: expect.stringMatching(/^evt_/) })
    expect(event?.data).toEqual({
      id: data.id,
      status: 'active',
      offering,
      amounts: { committed: 250 },
      investor: { id: investor, name: 'Grace Hopper', email: `${investor}@example.org` },
      investor_totals: {
        active_investment_count: 1,
        total_committed: 250,
        latest_applied_at: data['applied_at'],
        investor_status: 'active',
      },
      occurred_at: event?.occurred_at,
    })
  })

  test('the cause of the event is the request', async () => {
    const investor = await someone()
    const response = await sandbox.send('POST', '/investments', { body: { offering, investor, amount_cents: 100 } })
    const { meta } = (await response.json()) as { meta: { events: { id: string }[]; event_count: number } }
    const rows = await sandbox.db.sql('select fact_id from test.events where id = $1', [meta.events[0]?.id])
    expect(rows).toEqual([{ fact_id: response.headers.get('x-request-id') }])
    expect(meta.event_count).toBe(1)
  })

  test('a reservation if the offering tests the waters', async () => {
    const { data } = await sandbox.play('/investments', {
      offering: reservations,
      investor: await someone(),
      amount_cents: 10_000,
    })
    expect(data).toMatchObject({ status: 'reserved', identity: 'not_required', signature: 'not_required' })
  })

  test('every token of an app may, too', async () => {
    for (const as of ['at_test_client', 'at_test_user', 'at_test_install']) {
      const body = { offering, investor: await someone(), amount_cents: 100 }
      expect((await sandbox.play('/investments', body, { as })).status).toBe(201)
    }
  })

  test('a repeat with the same Idempotency-Key makes no second investment; 409 with another body', async () => {
    const body = { offering, investor: await someone(), amount_cents: 25_000 }
    const both = await Promise.all([1, 2].map(() => sandbox.play('/investments', body, { key: 'twice' })))
    expect(new Set(both.map(({ data }) => data.id)).size).toBe(1)
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true])
    expect(await sandbox.refused('/investments', { ...body, amount_cents: 100 }, { key: 'twice' })).toMatchObject({
      status: 409,
      type: 'idempotency_conflict',
    })
  })

  test('404 for an offering or investor that does not exist in the test world', async () => {
    const investor = await someone()
    const [liveOffering, liveUser] = await sandbox.db.databases.live.transaction(async (tx) => [
      await makeOffering(tx),
      await makeUser(tx),
    ])
    const wrong = [
      { offering: newId('offering'), investor },
      { offering, investor: newId('user') },
      { offering: liveOffering, investor },
      { offering, investor: liveUser },
    ]
    for (const body of wrong) {
      const error = await sandbox.refused('/investments', { ...body, amount_cents: 100 })
      expect(error).toMatchObject({ status: 404, type: 'not_found' })
    }
  })

  test('409 while the offering is not open, with the moves that would help', async () => {
    const upcoming = await sandbox.arrange((tx) => makeOffering(tx, { status: 'upcoming' }))
    const body = { offering: upcoming, investor: await someone(), amount_cents: 100 }
    expect(await sandbox.refused('/investments', body)).toMatchObject({
      status: 409,
      type: 'illegal_transition',
      details: { from: 'upcoming', event: 'invest', allowed: ['open', 'cancel'] },
    })
  })

  test.each([
    [{ amount_cents: 150 }, 'amount_cents', 'not_a_multiple'],
    [{ amount_cents: 0 }, 'amount_cents', 'too_small'],
    [{ amount_cents: -100 }, 'amount_cents', 'too_small'],
    [{ amount_cents: 9_007_199_254_741_000 }, 'amount_cents', 'too_large'],
    [{ amount_cents: '100' }, 'amount_cents', 'invalid_type'],
    [{ amount_cents: undefined }, 'amount_cents', 'required'],
    [{ offering: 'ofr_1' }, 'offering', 'invalid_format'],
    [{ currency: 'eur' }, 'currency', 'unknown_field'],
  ])('422 for %j', async (wrong, field, code) => {
    const body = { offering, investor: newId('user'), amount_cents: 100, ...wrong }
    expect(await sandbox.refused('/investments', body)).toMatchObject({
      status: 422,
      details: { fields: [{ field, code }] },
    })
  })
})

describe('moves that change no state', () => {
  test('pay, verify_identity, sign and confirm show in the record and cause no lifecycle event', async () => {
    const id = await invest()
    const paid = await sandbox.play(at(id, 'pay'))
    expect(paid.data).toMatchObject({ payment: 'received', amounts: { in_escrow_cents: 25_000 } })
    expect((await sandbox.play(at(id, 'verify_identity'))).data).toMatchObject({ identity: 'passed' })
    expect((await sandbox.play(at(id, 'sign'))).data).toMatchObject({ signature: 'passed' })
    const confirmed = await sandbox.play(at(id, 'confirm'))
    expect(confirmed.data).toMatchObject({ status: 'active', confirmed_at: expect.stringMatching(/\.\d{6}Z$/) })
    expect([paid.names, confirmed.names]).toEqual([[], []])
  })

  test('hide and unhide, any number of times', async () => {
    const id = await invest()
    for (const [move, hidden] of [
      ['hide', true],
      ['hide', true],
      ['unhide', false],
      ['unhide', false],
    ] as const) {
      expect((await sandbox.play(at(id, move))).data).toMatchObject({ hidden })
    }
  })

  test('409 to pay or confirm a reservation, and to confirm twice', async () => {
    const reservation = await invest(reservations)
    for (const [move, event] of [
      ['pay', 'receive_payment'],
      ['confirm', 'confirm'],
    ] as const) {
      expect(await sandbox.refused(at(reservation, move))).toMatchObject({
        status: 409,
        details: { from: 'reserved', event, allowed: ['cancel', 'change_amount_to_zero', 'convert', 'change_amount'] },
      })
    }
    const confirmed = await investAnd('confirm')
    expect(await sandbox.refused(at(confirmed, 'confirm'))).toMatchObject({ status: 409, details: { from: 'active' } })
  })
})

describe('a move to another offering', () => {
  const elsewhere = async () => sandbox.arrange((tx) => makeOffering(tx))

  test('converts into a successor, whose id may be given', async () => {
    const id = await invest()
    await sandbox.play(at(id, 'pay'))
    const [to, successor] = [await elsewhere(), newId('investment')]
    const moved = await sandbox.play(at(id, 'move'), { offering: to, successor })
    expect(moved.data).toMatchObject({ id, status: 'converted', converted_to: successor })
    expect(moved.names).toEqual(['investment.created', 'investment.converted'])
    expect(await read(successor)).toMatchObject({ status: 'active', offering: to, payment: 'received' })
  })

  test('409 if it is executed, canceled or converted; 422 for an offering it cannot move to', async () => {
    const to = await elsewhere()
    for (const [move, from] of [
      ['execute', 'executed'],
      ['cancel', 'canceled'],
      ['convert', 'converted'],
    ] as const) {
      const id = await investAnd(move)
      expect(await sandbox.refused(at(id, 'move'), { offering: to })).toMatchObject({ status: 409, details: { from } })
    }
    const id = await invest()
    expect(await sandbox.refused(at(id, 'move'), { offering })).toMatchObject({ status: 422 })
    expect(await sandbox.refused(at(id, 'move'), { offering: reservations })).toMatchObject({ status: 422 })
    expect(await read(id)).toMatchObject({ status: 'active' })
  })
})

test('refund returns the money of a canceled investment', async () => {
  const id = await invest()
  await sandbox.play(at(id, 'pay'))
  const canceled = await sandbox.play(at(id, 'cancel'))
  expect(canceled.data).toMatchObject({ amounts: { in_escrow_cents: 0, refund_due_cents: 25_000 } })
  const refunded = await sandbox.play(at(id, 'refund'))
  expect(refunded.data).toMatchObject({ payment: 'refunded', amounts: { in_escrow_cents: 0, refund_due_cents: 0 } })
})

describe('the moves in detail', () => {
  test('an edit to zero is a cancellation with a null amount, which reinstatement restores', async () => {
    const id = await invest()
    const zero = await sandbox.play(at(id, 'change_amount'), { amount_cents: 0 })
    expect(zero.data).toMatchObject({ status: 'canceled', amounts: { committed_cents: 0 } })
    expect(zero.events[0]?.data).toMatchObject({ amounts: { committed: null }, canceled_at: zero.data['canceled_at'] })
    const back = await sandbox.play(at(id, 'reinstate'))
    expect(back.data).toMatchObject({ status: 'active', amounts: { committed_cents: 25_000 }, canceled_at: null })
  })

  test('a conversion names its successor and is never canceled', async () => {
    const investor = await someone()
    const reservation = await invest(reservations, investor)
    const successor = await invest(offering, investor)
    const converted = await sandbox.play(at(reservation, 'convert'), { to: successor })
    expect(converted.data).toMatchObject({ status: 'converted', converted_to: successor })
    expect(converted.names).toEqual(['investment.converted'])
    expect(converted.events[0]?.data).toMatchObject({ converted_to: successor })
    expect(await read(successor)).toMatchObject({ converted_from: reservation })
  })

  test('convert: null while the successor is unknown, 404 for an unknown one, 422 for another person’s', async () => {
    const id = await invest()
    expect(await sandbox.refused(at(id, 'convert'), { to: newId('investment') })).toMatchObject({ status: 404 })
    expect(await sandbox.refused(at(id, 'convert'), { to: await invest() })).toMatchObject({ status: 422 })
    expect((await sandbox.play(at(id, 'convert'))).data).toMatchObject({ converted_to: null })
  })

  test('investment.executed carries no occurred_at in its data; the response around it does', async () => {
    const { events } = await sandbox.play(at(await invest(), 'execute'))
    expect(events[0]?.data).not.toHaveProperty('occurred_at')
    expect(events[0]?.occurred_at).toMatch(/\.\d{6}Z$/)
  })

  test('of ten cancellations at once exactly one happens', async () => {
    const id = await invest()
    const responses = await Promise.all(Array.from({ length: 10 }, () => sandbox.send('POST', at(id, 'cancel'))))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test.each([
    'pay',
    'verify_identity',
    'sign',
    'confirm',
    'cancel',
    'reinstate',
    'execute',
    'convert',
    'hide',
    'unhide',
  ])('%s: 404 for an unknown and for a malformed id', async (move) => {
    expect(await sandbox.refused(at(newId('investment'), move))).toMatchObject({ status: 404, type: 'not_found' })
    expect(await sandbox.refused(at(newId('offering'), move))).toMatchObject({ status: 404, type: 'not_found' })
  })

  test('422 for a body that is not expected, and for an invalid one', async () => {
    const id = await invest()
    expect(await sandbox.refused(at(id, 'cancel'), { really: true })).toMatchObject({ status: 422 })
    expect(await sandbox.refused(at(id, 'change_amount'), {})).toMatchObject({ status: 422 })
    expect(await sandbox.refused(at(id, 'change_amount'), { amount_cents: 25_000 })).toMatchObject({ status: 422 })
    expect(await read(id)).toMatchObject({ status: 'active' })
  })
})
