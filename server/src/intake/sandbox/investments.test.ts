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

const newUser = () => sandbox.arrange((tx) => makeUser(tx))
const at = (id: string, move: string) => `/investments/${id}/${move}`
const read = (id: string) => readInvestment(sandbox.db.databases.test.reads, id as Id<'investment'>)

async function invest(into = offering, investor?: Id<'user'>): Promise<string> {
  const body = { offering: into, investor: investor ?? (await newUser()), amount_cents: 25_000 }
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
  test('201 with the investment record and its event; the data of the event is what a webhook with all scopes would contain', async () => {
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

  test('the event has the id of the request as its cause', async () => {
    const investor = await newUser()
    const response = await sandbox.send('POST', '/investments', { body: { offering, investor, amount_cents: 100 } })
    const { meta } = (await response.json()) as { meta: { events: { id: string }[]; event_count: number } }
    const rows = await sandbox.db.sql('select fact_id from test.events where id = $1', [meta.events[0]?.id])
    expect(rows).toEqual([{ fact_id: response.headers.get('x-request-id') }])
    expect(meta.event_count).toBe(1)
  })

  test('investing makes a reservation if the offering tests the waters', async () => {
    const { data } = await sandbox.play('/investments', {
      offering: reservations,
      investor: await newUser(),
      amount_cents: 10_000,
    })
    expect(data).toMatchObject({ status: 'reserved', identity: 'not_required', signature: 'not_required' })
  })

  test('every kind of access token of an app can invest', async () => {
    for (const as of ['at_test_client', 'at_test_user', 'at_test_install']) {
      const body = { offering, investor: await newUser(), amount_cents: 100 }
      expect((await sandbox.play('/investments', body, { as })).status).toBe(201)
    }
  })

  test('a repeat with the same Idempotency-Key creates no second investment; 409 with another body', async () => {
    const body = { offering, investor: await newUser(), amount_cents: 25_000 }
    const both = await Promise.all([1, 2].map(() => sandbox.play('/investments', body, { key: 'twice' })))
    expect(new Set(both.map(({ data }) => data.id)).size).toBe(1)
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true])
    expect(await sandbox.refused('/investments', { ...body, amount_cents: 100 }, { key: 'twice' })).toMatchObject({
      status: 409,
      type: 'idempotency_conflict',
    })
  })

  test('404 for an offering or investor that does not exist in the test world', async () => {
    const investor = await newUser()
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

  test('409 while the offering is not open, with the moves that are allowed', async () => {
    const upcoming = await sandbox.arrange((tx) => makeOffering(tx, { status: 'upcoming' }))
    const body = { offering: upcoming, investor: await newUser(), amount_cents: 100 }
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
  test('pay, verify_identity, sign and confirm change the record and cause no lifecycle event', async () => {
    const id = await invest()
    const paid = await sandbox.play(at(id, 'pay'))
    expect(paid.data).toMatchObject({ payment: 'received', amounts: { in_escrow_cents: 25_000 } })
    expect((await sandbox.play(at(id, 'verify_identity'))).data).toMatchObject({ identity: 'passed' })
    expect((await sandbox.play(at(id, 'sign'))).data).toMatchObject({ signature: 'passed' })
    const confirmed = await sandbox.play(at(id, 'confirm'))
    expect(confirmed.data).toMatchObject({ status: 'active', confirmed_at: expect.stringMatching(/\.\d{6}Z$/) })
    expect([paid.names, confirmed.names]).toEqual([[], []])
  })

  test('an investment can be hidden and shown any number of times', async () => {
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

  test('409 for paying or confirming a reservation, and for confirming twice', async () => {
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
  const otherOffering = async () => sandbox.arrange((tx) => makeOffering(tx))

  test('a move converts the investment into a successor, whose id the request may contain', async () => {
    const id = await invest()
    await sandbox.play(at(id, 'pay'))
    const [to, successor] = [await otherOffering(), newId('investment')]
    const moved = await sandbox.play(at(id, 'move'), { offering: to, successor })
    expect(moved.data).toMatchObject({ id, status: 'converted', converted_to: successor })
    expect(moved.names).toEqual(['investment.created', 'investment.converted'])
    expect(await read(successor)).toMatchObject({ status: 'active', offering: to, payment: 'received' })
  })

  test('409 for moving an executed, canceled or converted investment; 422 for a move to the same offering or to an offering for reservations', async () => {
    const to = await otherOffering()
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

describe('the outcomes of single moves', () => {
  test('a change of the amount to zero cancels the investment, with a null amount in the event; reinstating restores the last amount', async () => {
    const id = await invest()
    const zero = await sandbox.play(at(id, 'change_amount'), { amount_cents: 0 })
    expect(zero.data).toMatchObject({ status: 'canceled', amounts: { committed_cents: 0 } })
    expect(zero.events[0]?.data).toMatchObject({ amounts: { committed: null }, canceled_at: zero.data['canceled_at'] })
    const back = await sandbox.play(at(id, 'reinstate'))
    expect(back.data).toMatchObject({ status: 'active', amounts: { committed_cents: 25_000 }, canceled_at: null })
  })

  test('a conversion has the id of its successor and sends no investment.canceled', async () => {
    const investor = await newUser()
    const reservation = await invest(reservations, investor)
    const successor = await invest(offering, investor)
    const converted = await sandbox.play(at(reservation, 'convert'), { to: successor })
    expect(converted.data).toMatchObject({ status: 'converted', converted_to: successor })
    expect(converted.names).toEqual(['investment.converted'])
    expect(converted.events[0]?.data).toMatchObject({ converted_to: successor })
    expect(await read(successor)).toMatchObject({ converted_from: reservation })
  })

  test('convert works without a successor; 404 for an unknown successor, 422 for an investment of another person', async () => {
    const id = await invest()
    expect(await sandbox.refused(at(id, 'convert'), { to: newId('investment') })).toMatchObject({ status: 404 })
    expect(await sandbox.refused(at(id, 'convert'), { to: await invest() })).toMatchObject({ status: 422 })
    expect((await sandbox.play(at(id, 'convert'))).data).toMatchObject({ converted_to: null })
  })

  test('investment.executed has no occurred_at in its data; the response has it outside the data', async () => {
    const { events } = await sandbox.play(at(await invest(), 'execute'))
    expect(events[0]?.data).not.toHaveProperty('occurred_at')
    expect(events[0]?.occurred_at).toMatch(/\.\d{6}Z$/)
  })

  test('of ten concurrent cancellations exactly one succeeds', async () => {
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
  ])('%s: 404 for an unknown investment, and for the id of an offering', async (move) => {
    expect(await sandbox.refused(at(newId('investment'), move))).toMatchObject({ status: 404, type: 'not_found' })
    expect(await sandbox.refused(at(newId('offering'), move))).toMatchObject({ status: 404, type: 'not_found' })
  })

  test('422 for a body where none is expected, and for an invalid body', async () => {
    const id = await invest()
    expect(await sandbox.refused(at(id, 'cancel'), { really: true })).toMatchObject({ status: 422 })
    expect(await sandbox.refused(at(id, 'change_amount'), {})).toMatchObject({ status: 422 })
    expect(await sandbox.refused(at(id, 'change_amount'), { amount_cents: 25_000 })).toMatchObject({ status: 422 })
    expect(await read(id)).toMatchObject({ status: 'active' })
  })
})
