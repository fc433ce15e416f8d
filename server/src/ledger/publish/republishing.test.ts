import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { cancelInvestment, hideInvestment, receivePayment } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll, republishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { DERIVATION, type Derivation } from '../derive/record.ts'
import { startEpoch } from './ledger.ts'
import { publishChanges, republish, republishRound } from './rounds.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const act = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)

type Head = { position: number; reason: string; type: string }
async function headOf(id: Id<'investment'>): Promise<Head> {
  const [head] = await db.sql<Head>(
    `select position::int, reason, (body || '}}')::json ->> 'investment_type' as type
       from test.ledger_heads where investment_id = $1`,
    [id],
  )
  if (head === undefined) throw new Error('not published')
  return head
}

/** A derivation that writes "Loan" instead of "Debt". */
const loans = (version: number): Derivation => ({
  version,
  derive: (facts) => {
    const record = DERIVATION.derive(facts)
    const { open } = record
    return open.investment_type === 'Debt' ? { ...record, open: { ...open, investment_type: 'Loan' } } : record
  },
})
const LOANS = loans(DERIVATION.version + 1)

describe('a derivation with a higher version', () => {
  let debts: Id<'investment'>[]
  let safe: Id<'investment'>
  beforeEach(async () => {
    await db.sql('update test.ledger set derivation_version = $1, republish_after = null', [DERIVATION.version])
    await act(async (tx) => {
      const offering = await makeOffering(tx, { security: { type: 'debt', terms: {} } })
      const investor = await makeUser(tx)
      debts = [await makeInvestment(tx, { offering, investor }), await makeInvestment(tx, { offering, investor })]
      safe = await makeInvestment(tx)
    })
    await publishAll(db.databases.test)
  })

  test('republishes only records whose published form differs, with reason recomputed', async () => {
    const before = await headOf(safe)
    await republishAll(db.databases.test, { derivation: LOANS, limit: 2 })
    expect(await headOf(safe)).toEqual(before)
    for (const id of debts) expect(await headOf(id)).toMatchObject({ type: 'Loan', reason: 'recomputed' })
    const events = await db.sql<{ data: object }>(
      `select data from test.events where investment_id = $1 and name = 'investment.changed' order by data ->> 'first'`,
      [debts[0]],
    )
    expect(events.map(({ data }) => data)).toMatchObject([
      { reason: 'recomputed', first: false, fields: ['investment_type'] },
      { reason: 'changed', first: true },
    ])
    const again = await headOf(debts[0] ?? safe)
    await republishAll(db.databases.test, { derivation: LOANS })
    expect(await headOf(debts[0] ?? safe)).toEqual(again)
  })

  test('republishes only canceled records when the version rises from 1 to 2', async () => {
    const first: Derivation = {
      version: 1,
      derive: (facts) => {
        const record = DERIVATION.derive(facts)
        const { refund_due_cents: _, ...amounts } = record.open.amounts
        return { ...record, open: { ...record.open, amounts: { ...amounts, in_escrow_cents: facts.in_escrow_cents } } }
      },
    }
    await db.sql('update test.ledger set derivation_version = 1')
    const [canceled = safe, active = safe] = debts
    await act(async (tx) => {
      for (const id of [canceled, active]) await receivePayment(tx, { id }, occasionAt())
      await cancelInvestment(tx, { id: canceled }, occasionAt())
    })
    await publishAll(db.databases.test, { derivation: first })
    const before = await headOf(active)
    await republishAll(db.databases.test)
    expect(await headOf(canceled)).toMatchObject({ reason: 'recomputed' })
    expect(await headOf(active)).toEqual(before)
    const [head] = await db.sql<{ amounts: object }>(
      `select (body || '}}')::json -> 'amounts' as amounts from test.ledger_heads where investment_id = $1`,
      [canceled],
    )
    expect(head?.amounts).toMatchObject({ in_escrow_cents: 0, refund_due_cents: 25_000 })
  })

  test('continues republishing where the last batch ended; a change that is published meanwhile already has the new form', async () => {
    await act((tx) => republish(tx, { derivation: LOANS, limit: 1 }))
    const [state] = await db.sql<{ republish_after: string | null }>('select republish_after from test.ledger')
    expect(state?.republish_after).not.toBeNull()
    const [, last = safe] = debts
    await act((tx) => receivePayment(tx, { id: last }, occasionAt()))
    await publishAll(db.databases.test, { derivation: LOANS })
    expect(await headOf(last)).toMatchObject({ type: 'Loan', reason: 'changed' })
    await republishAll(db.databases.test, { derivation: LOANS })
    const [end] = await db.sql<{ republish_after: string | null }>('select republish_after from test.ledger')
    expect(end?.republish_after).toBeNull()
  })

  test('does not republish a record that has a waiting change; that record is published as changed', async () => {
    const [one = safe, two = safe] = debts
    const { position } = await headOf(one)
    await act((tx) => receivePayment(tx, { id: one }, occasionAt()))
    await republishAll(db.databases.test, { derivation: LOANS })
    expect(await headOf(one)).toMatchObject({ position, type: 'Debt' })
    expect(await headOf(two)).toMatchObject({ type: 'Loan', reason: 'recomputed' })
    await publishAll(db.databases.test, { derivation: LOANS })
    expect(await headOf(one)).toMatchObject({ type: 'Loan', reason: 'changed' })
  })

  test.each(['offering', 'investor'] as const)(
    'does not republish a record that waits for a change of its %s; republishes a record for which that change is already published',
    async (kind) => {
      const names = { offering: 'offering_id', investor: 'investor_id' }
      const [one = safe, two = safe] = [...debts].sort()
      const column = names[kind]
      await db.sql(
        `insert into test.investment_changes (kind, id, after_id) select $1, ${column}, id from test.investments where id = $2`,
        [kind, one],
      )
      await republishAll(db.databases.test, { derivation: LOANS })
      expect(await headOf(one)).toMatchObject({ type: 'Loan', reason: 'recomputed' })
      expect(await headOf(two)).toMatchObject({ type: 'Debt' })
      await publishAll(db.databases.test, { derivation: LOANS })
      expect(await headOf(two)).toMatchObject({ type: 'Loan', reason: 'changed' })
    },
  )

  test('blocks publishers with a lower version; they publish again after a minute without a publisher with the higher version', async () => {
    await republishAll(db.databases.test, { derivation: LOANS })
    await act((tx) => hideInvestment(tx, { id: safe }, occasionAt()))
    const older = { derivation: DERIVATION, limit: 10 }
    expect(await act((tx) => publishChanges(tx, older))).toBeNull()
    await db.sql(`update test.ledger set publisher_at = publisher_at - interval '2 minutes'`)
    expect(await act((tx) => publishChanges(tx, older))).toBe(1)
    await republishAll(db.databases.test)
    expect(await headOf(debts[0] ?? safe)).toMatchObject({ type: 'Debt', reason: 'recomputed' })
  })

  test('starts no republishing while changes wait', async () => {
    await db.sql(`update test.ledger set derivation_version = 0, publisher_at = publisher_at - interval '1 hour'`)
    await act((tx) => receivePayment(tx, { id: safe }, occasionAt()))
    expect(await republishRound(db.databases.test)).toBe(false)
    expect(await db.sql('select from test.ledger where derivation_version = 0')).toHaveLength(1)
    await publishAll(db.databases.test)
    while (await republishRound(db.databases.test));
    const seen = `select from test.ledger where derivation_version = $1 and republish_after is null
                   and publisher_at > clock_timestamp() - interval '1 minute'`
    expect(await db.sql(seen, [DERIVATION.version])).toHaveLength(1)
  })
})

describe('restore and failover', () => {
  const epochs = () =>
    db.sql<{ epoch: string; start_position: number }>(
      'select epoch, start_position::int from test.ledger_epochs order by epoch',
    )
  const ledger = async () =>
    (await db.sql<{ epoch: string; position: number }>('select epoch, position::int from test.ledger'))[0]

  test('on another server, a new epoch starts at the current position of the ledger, before a new position is assigned', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publishAll(db.databases.test)
    const [before, position] = [await epochs(), (await ledger())?.position]
    await act((tx) => receivePayment(tx, { id }, occasionAt()))
    await publishAll(db.databases.test)
    expect(await epochs()).toEqual(before)
    const stood = (await ledger())?.position
    await db.sql(`update test.ledger set server_identity = 'a server that is gone/00000001'`)
    await act((tx) => hideInvestment(tx, { id }, occasionAt()))
    await publishAll(db.databases.test)
    const after = await epochs()
    expect(after.slice(0, -1)).toEqual(before)
    expect(after.at(-1)).toEqual({ epoch: (await ledger())?.epoch, start_position: stood })
    expect(stood).toBeGreaterThan(position ?? 0)
    expect((await headOf(id)).position).toBeGreaterThan(stood ?? 0)
    await publishAll(db.databases.test)
    expect(await epochs()).toEqual(after)
  })

  test('if PostgreSQL has the same identity, a command starts the epoch: from the beginning, or from the position of the restored disks', async () => {
    const [before, position = 0] = [await epochs(), (await ledger())?.position]
    const first = await act((tx) => startEpoch(tx))
    const second = await act((tx) => startEpoch(tx, position - 1))
    expect((await epochs()).slice(before.length)).toEqual([
      { epoch: String(first.epoch), start_position: 0 },
      { epoch: String(second.epoch), start_position: position - 1 },
    ])
    expect(await ledger()).toEqual({ epoch: String(second.epoch), position })
    await expect(act((tx) => startEpoch(tx, position + 1))).rejects.toThrow(`is at ${position}`)
  })
})
