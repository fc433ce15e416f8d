import { Client } from 'pg'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import { EVENT_DATA } from '#events/http.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { World } from '#kernel/world.ts'
import { endRole, setRole } from '#market/companies/index.ts'
import {
  cancelInvestment,
  changeAmount,
  changeDetails,
  confirmInvestment,
  convertInvestment,
  deactivateInvestor,
  hideInvestment,
  moveToOffering,
  receivePayment,
  unhideInvestment,
} from '#market/investments/index.ts'
import { updateOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { relocateInPlace } from '#test/relocation.ts'
import { DERIVATION } from '../derive/record.ts'
import { lockToPublish } from './ledger.ts'
import { publishChanges, publishRound } from './rounds.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())
beforeEach(() => publish())

const act = <T>(work: (tx: Tx) => Promise<T>, world: World = 'test') => db.databases[world].transaction(work)
const publish = () => publishAll(db.databases.test)
const batch = (limit: number) => act((tx) => publishChanges(tx, { derivation: DERIVATION, limit }))

type Head = {
  position: number
  company_position: number | null
  visible: boolean
  reason: string
  company_reason: string | null
  status: string
  record: Record<string, unknown>
}
async function headOf(id: Id<'investment'>): Promise<Head> {
  const [head] = await db.sql<Head & { text: string }>(
    `select position::int, company_position::int, visible, reason, company_reason, status,
            (body || identity || '}')::json as record
       from test.ledger_heads where investment_id = $1`,
    [id],
  )
  if (head === undefined) throw new Error('not published')
  return head
}
const positionOfLedger = async () =>
  (await db.sql<{ position: number }>('select position::int from test.ledger'))[0]?.position ?? -1

type Told = { company_id: string | null; user_id: string; identity: object | null; data: Record<string, unknown> }
const toldOf = (id: Id<'investment'>) =>
  db.sql<Told>(
    `select company_id, user_id, identity, data from test.events
      where name = 'investment.changed' and investment_id = $1 order by (data ->> 'observed_at'), id`,
    [id],
  )

const units = (amount: number) => (amount * 100) as Cents

describe('publishing', () => {
  test('gives a new investment its record, its position, and one event with the id of the investment', async () => {
    const before = await positionOfLedger()
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    const head = await headOf(id)
    expect(head).toMatchObject({ position: before + 1, company_position: before + 1, visible: true, reason: 'changed' })
    expect(head.record).toMatchObject({ id, status: 'active', group: 'NO PAYMENT YET' })
    const [event, ...others] = await toldOf(id)
    expect(others).toEqual([])
    expect(Value.Errors(EVENT_DATA['investment.changed'], event?.data)).toEqual([])
    expect(event).toMatchObject({
      company_id: head.record['company'],
      identity: { fields: ['external_username', 'message'] },
      data: { id, visible: true, first: true, reason: 'changed', observed_at: head.record['observed_at'] },
    })
  })

  test('records an event with the changed fields and `first: false` for a later change', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    await act((tx) => receivePayment(tx, { id }, occasionAt()))
    await publish()
    const [, event] = await toldOf(id)
    expect(event?.data).toMatchObject({ first: false, fields: ['group', 'amounts', 'blockers'] })
  })

  test('does not publish a change that is reverted before the round', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    const { position } = await headOf(id)
    await act((tx) => hideInvestment(tx, { id }, occasionAt()))
    await act((tx) => unhideInvestment(tx, { id }, occasionAt()))
    await publish()
    expect((await headOf(id)).position).toBe(position)
    expect(await toldOf(id)).toHaveLength(1)
  })

  test('shows a conversion on both records', async () => {
    const [from, to] = await act(async (tx) => {
      const company = await makeCompany(tx)
      const investor = await makeUser(tx)
      const waters = await makeOffering(tx, { company, testing_the_waters: true })
      const live = await makeOffering(tx, { company })
      const first = await makeInvestment(tx, { offering: waters, investor })
      return [first, await makeInvestment(tx, { offering: live, investor })] as const
    })
    await publish()
    await act((tx) => convertInvestment(tx, { id: from, to }, occasionAt()))
    await publish()
    expect(await headOf(from)).toMatchObject({ visible: false, record: { status: 'converted', converted_to: to } })
    expect(await headOf(to)).toMatchObject({ visible: true, record: { converted_from: from } })
  })

  test('publishes only records of its own world', async () => {
    const id = await act((tx) => makeInvestment(tx), 'live')
    await publish()
    expect(await db.sql('select from test.ledger_heads where investment_id = $1', [id])).toEqual([])
    await publishAll(db.databases.live)
    expect(await db.sql('select from live.ledger_heads where investment_id = $1', [id])).toHaveLength(1)
  })

  test('publishes the waiting changes in a round, and does nothing if no change waits', async () => {
    const id = await act((tx) => makeInvestment(tx))
    expect(await publishRound(db.databases.test)).toBe(true)
    expect(await publishRound(db.databases.test)).toBe(false)
    expect(await headOf(id)).toMatchObject({ visible: true })
  })
})

describe('the change queue', () => {
  test('a change that is committed while its investment is being published is published in the next round', async () => {
    const id = await act((tx) => makeInvestment(tx))
    const changer = new Client({ connectionString: db.url })
    await changer.connect()
    try {
      await act(async (tx) => {
        await publishChanges(tx, { derivation: DERIVATION, limit: 10 })
        await changer.query(`set search_path = test`)
        await changer.query('begin')
        await changer.query('update investments set hidden = true where id = $1', [id])
        await changer.query(`insert into investment_changes (kind, id) values ('investment', $1)`, [id])
        await changer.query('commit')
      })
    } finally {
      await changer.end()
    }
    expect(await headOf(id)).toMatchObject({ visible: true })
    await publish()
    expect(await headOf(id)).toMatchObject({ visible: false })
  })

  test('positions are assigned in the order of commits: a transaction that begins first and commits last gets the last position', async () => {
    const [slow, quick] = await act(async (tx) => [await makeInvestment(tx), await makeInvestment(tx)] as const)
    await publish()
    await act(async (tx) => {
      await receivePayment(tx, { id: slow }, occasionAt())
      await act((other) => receivePayment(other, { id: quick }, occasionAt()))
      await publish()
    })
    const seen = await positionOfLedger()
    expect((await headOf(quick)).position).toBeLessThanOrEqual(seen)
    await publish()
    expect((await headOf(slow)).position).toBeGreaterThan(seen)
  })

  test('of many concurrent publishers only one publishes at a time, and each change is published once', async () => {
    const before = await positionOfLedger()
    const ids = await act(async (tx) => {
      const offering = await makeOffering(tx)
      const made: Id<'investment'>[] = []
      for (let count = 0; count < 30; count++) made.push(await makeInvestment(tx, { offering }))
      return made
    })
    while ((await Promise.all(Array.from({ length: 6 }, () => batch(5)))).every((taken) => taken !== 0));
    for (const [place, id] of ids.entries()) {
      expect((await headOf(id)).position).toBe(before + 1 + place)
      expect(await toldOf(id)).toHaveLength(1)
    }
  })

  test('a publisher that fails changes nothing, and the next publisher publishes everything', async () => {
    const id = await act((tx) => makeInvestment(tx))
    const before = await positionOfLedger()
    const failing = act(async (tx) => {
      await publishChanges(tx, { derivation: DERIVATION, limit: 10 })
      throw new Error('killed')
    })
    await expect(failing).rejects.toThrow('killed')
    expect(await positionOfLedger()).toBe(before)
    await publish()
    expect((await headOf(id)).position).toBe(before + 1)
  })

  test('other processes do not wait for the publishing process; PostgreSQL ends a silent publisher, and another continues', async () => {
    const id = await act((tx) => makeInvestment(tx))
    const held = Promise.withResolvers<void>()
    const woken = Promise.withResolvers<void>()
    const silent = act(async (tx) => {
      await lockToPublish(tx, DERIVATION)
      held.resolve()
      await woken.promise
      await publishChanges(tx, { derivation: DERIVATION, limit: 10 })
    })
    await held.promise
    expect(await batch(10)).toBeNull()
    await expect.poll(() => batch(10), { interval: 100 }).not.toBeNull()
    woken.resolve()
    await expect(silent).rejects.toThrow()
    expect(await headOf(id)).toMatchObject({ visible: true })
    expect(await toldOf(id)).toHaveLength(1)
  })

  test('the investments of a changed offering are published in batches, behind changes that are recorded meanwhile', async () => {
    const [offering, ids] = await act(async (tx) => {
      const offering = await makeOffering(tx)
      const made: Id<'investment'>[] = []
      for (let count = 0; count < 7; count++) made.push(await makeInvestment(tx, { offering }))
      return [offering, made] as const
    })
    await publish()
    await act((tx) => updateOffering(tx, { id: offering, security: { type: 'debt', terms: {} } }, occasionAt()))
    const before = await positionOfLedger()
    expect(await batch(3)).toBe(1)
    expect(await positionOfLedger()).toBe(before + 3)
    const live = await act((tx) => makeInvestment(tx))
    await batch(3)
    expect(await headOf(live)).toMatchObject({ visible: true })
    await publish()
    for (const id of ids) expect((await headOf(id)).record).toMatchObject({ investment_type: 'Debt' })
  })
})

describe('the positions of company and investor', () => {
  test('after an investment is hidden, later changes move only the investor’s position', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    await act((tx) => hideInvestment(tx, { id }, occasionAt()))
    await publish()
    const hidden = await headOf(id)
    expect(hidden).toMatchObject({ visible: false, company_position: hidden.position })
    await act((tx) => changeAmount(tx, { id, amount_cents: units(300) }, occasionAt()))
    await publish()
    const changed = await headOf(id)
    expect(changed.position).toBeGreaterThan(hidden.position)
    expect(changed.company_position).toBe(hidden.company_position)
    const events = await toldOf(id)
    expect(events.map(({ company_id, data }) => [company_id === null, data['visible']])).toEqual([
      [false, true],
      [false, false],
      [true, false],
    ])
    await act((tx) => unhideInvestment(tx, { id }, occasionAt()))
    await publish()
    const shown = await headOf(id)
    expect(shown).toMatchObject({ visible: true, company_position: shown.position })
  })

  test('a record that the company never saw has no company position and no event for the company', async () => {
    const id = await act(async (tx) => {
      const made = await makeInvestment(tx)
      await hideInvestment(tx, { id: made }, occasionAt())
      return made
    })
    await publish()
    await act((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await publish()
    expect(await headOf(id)).toMatchObject({ company_position: null, company_reason: null, visible: false })
    expect((await toldOf(id)).map(({ company_id }) => company_id)).toEqual([null, null])
  })

  const ALL = ['visible', 'status', 'group', 'amounts', 'investor']
  type Seen = readonly [company: boolean, investor: boolean, first: unknown]
  const lastTwo = async (id: Id<'investment'>) => {
    const events = (await toldOf(id)).slice(-2)
    return events
      .map(({ company_id, user_id, data }): Seen => [company_id !== null, user_id !== null, data['first']])
      .sort()
  }
  const fieldsTold = async (id: Id<'investment'>, to: 'company_id' | 'user_id') =>
    (await toldOf(id)).slice(-2).find((event) => event[to] !== null)?.data['fields']

  test('a record that was hidden at its first publication is new only for the company when it is shown', async () => {
    const id = await act(async (tx) => {
      const made = await makeInvestment(tx)
      await hideInvestment(tx, { id: made }, occasionAt())
      return made
    })
    await publish()
    await act((tx) => unhideInvestment(tx, { id }, occasionAt()))
    await publish()
    expect(await lastTwo(id)).toEqual([
      [false, true, false],
      [true, false, true],
    ])
    expect(await fieldsTold(id, 'user_id')).toEqual(['visible'])
    expect(await fieldsTold(id, 'company_id')).toEqual(expect.arrayContaining(ALL))
  })

  test('when a record is shown again, all fields have changed for the company, but first is false', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    await act((tx) => hideInvestment(tx, { id }, occasionAt()))
    await publish()
    await act((tx) => changeAmount(tx, { id, amount_cents: units(300) }, occasionAt()))
    await publish()
    await act((tx) => unhideInvestment(tx, { id }, occasionAt()))
    await publish()
    expect(await lastTwo(id)).toEqual([
      [false, true, false],
      [true, false, false],
    ])
    expect(await fieldsTold(id, 'user_id')).toEqual(['visible'])
    expect(await fieldsTold(id, 'company_id')).toEqual(expect.arrayContaining(ALL))
  })

  test('when a record is hidden together with a change, the company gets only a tombstone', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    await act((tx) => changeAmount(tx, { id, amount_cents: units(300) }, occasionAt()))
    await act((tx) => hideInvestment(tx, { id }, occasionAt()))
    await publish()
    expect(await lastTwo(id)).toEqual([
      [false, true, false],
      [true, false, false],
    ])
    expect(await fieldsTold(id, 'user_id')).toEqual(['visible', 'amounts'])
    expect(await fieldsTold(id, 'company_id')).toEqual(['visible'])
  })

  test('a canceled record is a tombstone for the company and the full record for the investor', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    await act((tx) => cancelInvestment(tx, { id }, occasionAt()))
    await publish()
    const head = await headOf(id)
    expect(head).toMatchObject({ visible: false, company_position: head.position, record: { status: 'canceled' } })
  })
})

describe('the text of a head', () => {
  test('a change of only the identity changes only the column identity', async () => {
    const [id, investor] = await act(async (tx) => {
      const who = await makeUser(tx)
      return [await makeInvestment(tx, { investor: who }), who] as const
    })
    await publish()
    await act((tx) => updateUser(tx, { id: investor, name: 'Grace Hopper' }, occasionAt()))
    await publish()
    expect((await headOf(id)).record).toMatchObject({ investor: { name: 'Grace Hopper' } })
    const [text] = await db.sql<{ body: string }>('select body from test.ledger_heads where investment_id = $1', [id])
    expect(text?.body).not.toContain('Hopper')
    const [, event] = await toldOf(id)
    expect(event).toMatchObject({ identity: { fields: ['investor'] }, data: { fields: [] } })
    expect(JSON.stringify(event)).not.toContain('Hopper')
  })

  test('a deactivated investor’s identity is erased from the ledger; the erasure is published once with its own reason', async () => {
    const [id, investor] = await act(async (tx) => {
      const who = await makeUser(tx, { name: 'Mary Somerville' })
      const made = await makeInvestment(tx, { investor: who, message: 'From Mary' })
      return [made, who] as const
    })
    await publish()
    // The list has another change of the same investment before the deactivation. The reason depends only on the states
    // before and after.
    await act((tx) => receivePayment(tx, { id }, occasionAt()))
    await act((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    await publish()
    expect(await headOf(id)).toMatchObject({ reason: 'investor_deactivated', company_reason: 'investor_deactivated' })
    const rows = await db.sql<{ text: string }>(`select h::text as text from test.ledger_heads h`)
    expect(rows.filter(({ text }) => /Somerville|From Mary/.test(text))).toEqual([])
    await act((tx) => confirmInvestment(tx, { id }, occasionAt()))
    await publish()
    expect(await headOf(id)).toMatchObject({ reason: 'changed' })
  })
})

describe('positions of access changes', () => {
  const changedOf = (user: Id<'user'>) =>
    db.sql<{ role: string; changed_position: number | null }>(
      'select role, changed_position::int from test.company_people where user_id = $1 order by role',
      [user],
    )

  test('a user gets a position when they become an editor, and a new position when they stop being an editor', async () => {
    const [company, user] = await act(async (tx) => [await makeCompany(tx), await makeUser(tx)] as const)
    await act((tx) => setRole(tx, { company, user, role: 'editor' }, occasionAt('2026-06-01T00:00:00.000000Z')))
    expect(await changedOf(user)).toEqual([{ role: 'editor', changed_position: null }])
    const before = await positionOfLedger()
    await publish()
    expect(await changedOf(user)).toEqual([{ role: 'editor', changed_position: before + 1 }])
    expect(await positionOfLedger()).toBe(before + 1)
    await act((tx) => endRole(tx, { company, user, role: 'editor' }, occasionAt('2026-06-02T00:00:00.000000Z')))
    await publish()
    expect(await changedOf(user)).toEqual([{ role: 'editor', changed_position: before + 2 }])
  })

  test('a change at one company changes no position at another company, and a founder who also becomes admin gets no new position', async () => {
    const [here, there, user] = await act(
      async (tx) => [await makeCompany(tx), await makeCompany(tx), await makeUser(tx)] as const,
    )
    await act((tx) => setRole(tx, { company: here, user, role: 'founder' }, occasionAt()))
    await publish()
    const [founder] = await changedOf(user)
    await act(async (tx) => {
      await setRole(tx, { company: here, user, role: 'admin' }, occasionAt())
      await setRole(tx, { company: there, user, role: 'editor' }, occasionAt())
    })
    await publish()
    const placed = await changedOf(user)
    expect(placed).toContainEqual(founder)
    expect(placed).toContainEqual({ role: 'admin', changed_position: null })
    expect(placed.find(({ role }) => role === 'editor')?.changed_position).toBeGreaterThan(
      founder?.changed_position ?? 0,
    )
  })

  test('an employee gets no position, because employees see no investments', async () => {
    const [company, user, other] = await act(
      async (tx) => [await makeCompany(tx), await makeUser(tx), await makeUser(tx)] as const,
    )
    await act(async (tx) => {
      await setRole(tx, { company, user, role: 'employee' }, occasionAt())
      await setRole(tx, { company, user, role: 'admin' }, occasionAt())
      await setRole(tx, { company, user: other, role: 'employee' }, occasionAt())
    })
    await publish()
    const [admin, employee] = await changedOf(user)
    expect([typeof admin?.changed_position, employee?.changed_position]).toEqual(['number', null])
    expect(await changedOf(other)).toEqual([{ role: 'employee', changed_position: null }])
  })
})

describe('a record that leaves an offering', () => {
  const departures = (id: Id<'investment'>) =>
    db.sql<{ offering_id: string; own: boolean; position: number }>(
      `select offering_id, own, position::int from test.ledger_departures where investment_id = $1 order by own, position`,
      [id],
    )
  const move = async (id: Id<'investment'>, offering: Id<'offering'>) => {
    await act((tx) => relocateInPlace(tx, { id, offering }))
    await publish()
    return (await headOf(id)).position
  }
  const hide = async (id: Id<'investment'>) => {
    await act((tx) => hideInvestment(tx, { id }, occasionAt()))
    await publish()
    return (await headOf(id)).position
  }
  const show = async (id: Id<'investment'>) => {
    await act((tx) => unhideInvestment(tx, { id }, occasionAt()))
    await publish()
  }

  test('has a departure for the company and for the investor until the record returns', async () => {
    const { id, here, there } = await inTwoOfferings()
    await publish()
    const left = await move(id, there)
    expect(await departures(id)).toEqual([
      { offering_id: here, own: false, position: left },
      { offering_id: here, own: true, position: left },
    ])
    const back = await move(id, here)
    expect(await departures(id)).toEqual([
      { offering_id: there, own: false, position: back },
      { offering_id: there, own: true, position: back },
    ])
  })

  test('has a departure for the investor alone if the company never saw the record', async () => {
    const { id, here, there } = await inTwoOfferings()
    await act((tx) => hideInvestment(tx, { id }, occasionAt()))
    const left = await move(id, there)
    expect(await departures(id)).toEqual([])
    const back = await move(id, here)
    expect(await departures(id)).toEqual([{ offering_id: there, own: true, position: back }])
    expect(back).toBeGreaterThan(left)
  })

  test('has a departure for the company at the position at which the record was hidden, if it is shown again in another offering', async () => {
    const { id, here, there } = await inTwoOfferings()
    await publish()
    const hidden = await hide(id)
    const moved = await move(id, there)
    expect(await departures(id)).toEqual([{ offering_id: here, own: true, position: moved }])
    expect(await sideOf(id)).toEqual({ company_position: hidden, company_offering_id: here })
    await show(id)
    expect(await departures(id)).toEqual([
      { offering_id: here, own: false, position: hidden },
      { offering_id: here, own: true, position: moved },
    ])
    expect(await sideOf(id)).toMatchObject({ company_offering_id: there })
  })

  test('has no departure for the company if the record moves away and back while it is hidden', async () => {
    const { id, here, there } = await inTwoOfferings()
    await publish()
    await hide(id)
    await move(id, there)
    await move(id, here)
    await show(id)
    expect((await departures(id)).filter(({ own }) => !own)).toEqual([])
  })

  const sideOf = async (id: Id<'investment'>) =>
    (
      await db.sql<{ company_position: number; company_offering_id: string }>(
        'select company_position::int, company_offering_id from test.ledger_heads where investment_id = $1',
        [id],
      )
    )[0]
})

describe('times and positions', () => {
  test('later positions never have an earlier time, and a world time maps to a position', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    const first = await headOf(id)
    await db.sql(`update test.world_clock set ahead = ahead + interval '3 days'`)
    await act((tx) => receivePayment(tx, { id }, occasionAt()))
    await publish()
    const second = await headOf(id)
    expect(String(second.record['observed_at']) > String(first.record['observed_at'])).toBe(true)
    const found = await db.sql<{ position: number }>(
      `select max(last_position)::int as position from test.ledger_batches
        where published_at <= test.world_now() - interval '1 day'`,
    )
    expect(found[0]?.position).toBeLessThan(second.position)
    const wrong = await db.sql(
      `select from test.ledger_batches a join test.ledger_batches b
          on a.last_position < b.last_position and a.published_at > b.published_at`,
    )
    expect(wrong).toEqual([])
  })

  test('a time within a pause maps to the last position before the pause, even if the last batches were close together', async () => {
    const id = await act((tx) => makeInvestment(tx))
    await publish()
    await act((tx) => receivePayment(tx, { id }, occasionAt()))
    await publish()
    const last = await headOf(id)
    // As if the second batch had been published within five seconds of the first, so that it has no row of its own.
    await db.sql('delete from test.ledger_batches where last_position = $1', [last.position])
    await db.sql(`update test.world_clock set ahead = ahead + interval '3 days'`)
    // First a round without anything to publish, as on a quiet ledger.
    await publish()
    await act((tx) => makeInvestment(tx))
    await publish()
    const found = await db.sql<{ position: number }>(
      `select max(last_position)::int as position from test.ledger_batches
        where published_at <= test.world_now() - interval '1 day'`,
    )
    expect(found[0]?.position).toBe(last.position)
  })
})

describe('offering_stats', () => {
  const WRONG = `
    with sums as (
      select offering_id, status::text, count(*) as n, sum(committed_cents) as committed, sum(raised_cents) as raised
        from test.ledger_heads where visible group by 1, 2)
    select * from sums full join (select offering_id, status::text, count, committed_cents, raised_cents
                                    from test.offering_stats where count > 0) s using (offering_id, status)
     where (n, committed, raised) is distinct from (s.count, s.committed_cents, s.raised_cents)`

  test('always agree with the published records that the company sees', async () => {
    const { id: first, here, there } = await inTwoOfferings()
    let id = first
    await act((tx) => makeInvestment(tx, { offering: here }))
    const steps: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => confirmInvestment(tx, { id }, occasionAt()),
      (tx) => changeAmount(tx, { id, amount_cents: units(700) }, occasionAt()),
      async (tx) => {
        id = await moveToOffering(tx, { id, offering: there }, occasionAt())
      },
      (tx) => hideInvestment(tx, { id }, occasionAt()),
      (tx) => changeAmount(tx, { id, amount_cents: units(800) }, occasionAt()),
      (tx) => unhideInvestment(tx, { id }, occasionAt()),
      (tx) => changeDetails(tx, { id, message: 'Hello' }, occasionAt()),
      (tx) => cancelInvestment(tx, { id }, occasionAt()),
    ]
    for (const step of steps) {
      await act(step)
      await publish()
      expect(await db.sql(WRONG)).toEqual([])
    }
    const left = await db.sql(
      `select status, count, committed_cents, raised_cents from test.offering_stats where offering_id = $1`,
      [here],
    )
    expect(left).toEqual([{ status: 'active', count: 1, committed_cents: '25000', raised_cents: '0' }])
  })
})

async function inTwoOfferings() {
  return act(async (tx) => {
    const company = await makeCompany(tx)
    const here = await makeOffering(tx, { company })
    const there = await makeOffering(tx, { company })
    return { id: await makeInvestment(tx, { offering: here }), here, there }
  })
}
