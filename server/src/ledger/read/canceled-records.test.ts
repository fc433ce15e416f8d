import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  cancelInvestment,
  cancelOffering,
  changeAmount,
  confirmInvestment,
  convertInvestment,
  receivePayment,
  refundPayment,
  reinstate,
  setCheck,
} from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type LedgerStage, openLedgerStage } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

type Investment = Id<'investment'>
type Step = (tx: Tx, id: Investment, offering: Id<'offering'>) => Promise<unknown>

/** An investment of 250 that passed its checks. All of it is paid, or only the given amount. */
async function paid(cents?: number) {
  const raising = await stage.raising()
  const investor = await stage.user()
  const id = await stage.invest(raising.offering, investor)
  await stage.arrange(async (tx) => {
    for (const check of ['identity', 'signature'] as const) {
      await setCheck(tx, { id, check, state: 'passed' }, occasionAt())
    }
    const arrived = cents === undefined ? {} : { in_escrow_cents: cents as Cents }
    await receivePayment(tx, { id, ...arrived }, occasionAt())
  })
  const get = await stage.asInstalledOn(investor)
  const record = async () => {
    await stage.publish()
    const { list } = await get('/investments')
    const { data } = await get(`/investments/${id}`)
    expect(list.map(({ amounts, group }) => ({ amounts, group }))).toEqual([
      { amounts: data.amounts, group: data['group'] },
    ])
    return data
  }
  return { ...raising, id, record, does: (step: Step) => stage.arrange((tx) => step(tx, id, raising.offering)) }
}

const CANCELING: readonly (readonly [string, number, Step])[] = [
  ['it was canceled', 25_000, (tx, id) => cancelInvestment(tx, { id }, occasionAt())],
  ['its amount was edited to zero', 0, (tx, id) => changeAmount(tx, { id, amount_cents: 0 as Cents }, occasionAt())],
  ['its offering was canceled', 25_000, (tx, _, offering) => cancelOffering(tx, { id: offering }, occasionAt())],
]

describe('a canceled record', () => {
  test.each(CANCELING)('owes back the amount in escrow: %s', async (_, committed, cancel) => {
    const { record, does } = await paid()
    expect(await record()).toMatchObject({ group: 'IS READY', amounts: { in_escrow_cents: 25_000 } })
    await does(cancel)
    expect(await record()).toMatchObject({
      status: 'canceled',
      group: 'IS READY',
      amounts: { committed_cents: committed, in_escrow_cents: 0, refund_due_cents: 25_000, raised_cents: 0 },
    })
    await does((tx, id) => refundPayment(tx, { id }, occasionAt()))
    expect(await record()).toMatchObject({
      group: 'NO PAYMENT YET',
      amounts: { in_escrow_cents: 0, refund_due_cents: 0 },
    })
  })

  test.each(CANCELING)('keeps the group of a partly paid investment: %s', async (_, __, cancel) => {
    const { record, does } = await paid(10_000)
    await does(cancel)
    expect(await record()).toMatchObject({ group: 'PENDING', amounts: { refund_due_cents: 10_000 } })
  })

  test('stays CONFIRMED while something is owed', async () => {
    const { record, does } = await paid()
    await does((tx, id) => confirmInvestment(tx, { id }, occasionAt()))
    await does((tx, id) => cancelInvestment(tx, { id }, occasionAt()))
    expect(await record()).toMatchObject({ group: 'CONFIRMED', amounts: { refund_due_cents: 25_000 } })
  })

  test('owes back a payment that arrives after the cancellation', async () => {
    const { record, does } = await paid()
    await does((tx, id) => refundPayment(tx, { id }, occasionAt()))
    await does((tx, id) => cancelInvestment(tx, { id }, occasionAt()))
    expect(await record()).toMatchObject({ amounts: { refund_due_cents: 0 } })
    await does((tx, id) => receivePayment(tx, { id, in_escrow_cents: 5_000 as Cents }, occasionAt()))
    expect(await record()).toMatchObject({ amounts: { in_escrow_cents: 0, refund_due_cents: 5_000 } })
  })

  test('has its money in escrow again once it is reinstated', async () => {
    const { record, does } = await paid()
    await does((tx, id) => cancelInvestment(tx, { id }, occasionAt()))
    await does((tx, id) => reinstate(tx, { id, graceDays: 7 }, occasionAt()))
    const { amounts } = await record()
    expect(amounts).toMatchObject({ in_escrow_cents: 25_000 })
    expect(amounts).not.toHaveProperty('refund_due_cents')
  })

  test('of a reservation is RESERVED', async () => {
    const { company } = await stage.raising()
    const offering = await stage.offering(company, { testing_the_waters: true })
    const investor = await stage.user()
    const id = await stage.invest(offering, investor)
    await stage.arrange((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await stage.publish()
    const get = await stage.asInstalledOn(investor)
    expect((await get('/investments')).list).toMatchObject([
      { status: 'canceled', group: 'RESERVED', amounts: { in_escrow_cents: 0, refund_due_cents: 0 } },
    ])
  })

  test('is a tombstone for the company, which sees nothing of the refund', async () => {
    const { company, record, does } = await paid()
    await record()
    const get = await stage.asInstalledOn(company)
    const { meta } = await get('/investments')
    await does((tx, id) => cancelInvestment(tx, { id }, occasionAt()))
    await record()
    const gone = await get(`/investments?cursor=${meta.next_cursor}`)
    expect(Object.keys(gone.list[0] ?? {}).sort()).toEqual(['cursor', 'id', 'observed_at', 'reason', 'visible'])
    await does((tx, id) => refundPayment(tx, { id }, occasionAt()))
    await record()
    expect((await get(`/investments?cursor=${gone.meta.next_cursor}`)).list).toEqual([])
  })
})

test('the money of a converted record is shown on its successor, and on the record itself until the successor is known', async () => {
  const { record, does, id, offering } = await paid()
  await does((tx) => convertInvestment(tx, { id, to: null }, occasionAt()))
  expect((await record()).amounts).toMatchObject({ in_escrow_cents: 25_000 })
  const other = await paid()
  const [investor] = await stage.db.sql<{ id: Id<'user'> }>(
    'select investor_id as id from test.investments where id = $1',
    [other.id],
  )
  const successor = await stage.invest(offering, investor?.id)
  await other.does((tx) => convertInvestment(tx, { id: other.id, to: successor }, occasionAt()))
  await stage.publish()
  const get = await stage.asInstalledOn(investor?.id ?? (await stage.user()))
  expect((await get(`/investments/${other.id}`)).data.amounts).toMatchObject({ in_escrow_cents: 0 })
})
