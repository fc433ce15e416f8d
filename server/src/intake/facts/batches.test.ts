import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { applyFact, type FactOutcome, inWaves } from './apply-fact.ts'
import { factRules } from './fact-types.ts'
import { applyFacts } from './http.ts'

const rules = factRules(FACT_SETTINGS)
let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const STARTED_MS = Date.parse('2026-01-10T09:00:00Z')
let count = 0
const fact = (type: string, data: object, id = `fact-${++count}`) => {
  const occurred_at = new Date(STARTED_MS + ++count * 1_000).toISOString()
  return { id, type, occurred_at, data }
}
type Sent = ReturnType<typeof fact>

/** People, and a company with an open offering and a draft offering. `setup` has the facts that create them. */
function stage() {
  const [company, open, draft] = [newId('company'), newId('offering'), newId('offering')]
  const people = Array.from({ length: 4 }, () => newId('user'))
  const offering = (id: string) => {
    const terms = { currency: 'usd', exemption: 'reg_cf', security: { type: 'safe', terms: { valuation_cap: '100' } } }
    return fact('offering.created', { id, company, raise: newId('raise'), ...terms })
  }
  const setup = [
    fact('company.created', { id: company, name: 'Analytical', page_url: '/c/analytical' }),
    offering(open),
    offering(draft),
    fact('offering.opened', { id: open }),
    ...people.map((id) => person(id)),
  ]
  return { open, draft, people, setup }
}
const person = (id: string, email = `${id}@example.com`) => fact('user.registered', { id, name: 'Ada', email })
type Stage = ReturnType<typeof stage>

/** `which` and `other` select a person, an investment or an earlier fact. */
type Choice = { readonly kind: (typeof KINDS)[number]; readonly which: number; readonly other: number }

const KINDS = [
  ...([
    'created',
    'created',
    'created',
    'created',
    'created',
    'identity',
    'received',
    'confirmed',
    'executed',
  ] as const),
  ...(['amount', 'amount', 'canceled', 'reinstated', 'hidden', 'details', 'converted', 'registered', 'email'] as const),
  ...(['repeated', 'reused', 'unreadable', 'unknown', 'draft', 'renamed', 'closed'] as const),
]
const choices = fc.array(fc.record<Choice>({ kind: fc.constantFrom(...KINDS), which: fc.nat(60), other: fc.nat(60) }), {
  minLength: 20,
  maxLength: 120,
  size: 'max',
})

function factsOf({ open, draft, people }: Stage, chosen: readonly Choice[]): unknown[] {
  const investments = Array.from({ length: 12 }, () => newId('investment'))
  const sent: Sent[] = []
  for (const { kind, which, other } of chosen) {
    const id = investments[which % investments.length] ?? ''
    const investor = people[other % people.length] ?? ''
    const invested = { id, offering: open, investor, amount_cents: 10_000 + other * 100, currency: 'usd' }
    const earlier = sent[which % Math.max(sent.length, 1)]
    const facts: Readonly<Record<Choice['kind'], () => Sent>> = {
      created: () => fact('investment.created', invested),
      draft: () => fact('investment.created', { ...invested, offering: draft }),
      unknown: () => fact('investment.created', { ...invested, investor: newId('user') }),
      identity: () => fact('investment.identity_changed', { id, state: 'passed' }),
      received: () => fact('investment.payment_received', { id, in_escrow_cents: 10_000 }),
      confirmed: () => fact('investment.confirmed', { id }),
      executed: () => fact('investment.executed', { id }),
      amount: () => fact('investment.amount_changed', { id, amount_cents: other * 100 }),
      canceled: () => fact('investment.canceled', { id }),
      reinstated: () => fact('investment.reinstated', { id }),
      hidden: () => fact('investment.hidden', { id }),
      details: () => fact('investment.details_changed', { id, message: `Number ${other}` }),
      converted: () => fact('investment.converted', { id, to: null }),
      registered: () => person(newId('user')),
      email: () => person(newId('user'), `${investor}@EXAMPLE.com`),
      renamed: () => fact('user.updated', { id: investor, name: `Ada ${other}` }),
      closed: () => fact('investment.hidden', { id, extra: true }),
      unreadable: () => fact('investment.hide', { id }),
      repeated: () => earlier ?? person(newId('user')),
      reused: () => fact('investment.hidden', { id }, earlier?.id),
    }
    sent.push(facts[kind]())
  }
  return sent
}

/** Event ids are random, so only their names are compared. */
const shown = (outcomes: readonly FactOutcome[]) =>
  outcomes.map((outcome) => ({ ...outcome, events: outcome.events.map(({ event }) => event) }))

/** Columns with random values, counters and wall-clock times. All other columns are compared. */
const NOT_COMPARED = ['seq', 'event_id', 'recorded_at', 'applied_at', 'legacy_id']

/** Tables that are not compared: their one row differs between the worlds or counts transactions. */
const OF_THE_WORLD = ['catalog_revision', 'ledger', 'ledger_epochs', 'world_clock']

/** Tables that are not compared: they are written once per request, not with each fact. */
const OF_THE_REQUEST = ['refused_facts', 'refused_fact_days']

async function rowsOf(world: World) {
  const tables = await db.sql<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1 and tablename <> all($2) order by 1',
    [world, [...OF_THE_WORLD, ...OF_THE_REQUEST]],
  )
  const selects = tables.map(
    ({ name }) =>
      `select '${name}' as name, (to_jsonb(t) - $1::text[]${name === 'events' ? " - 'id'" : ''})::text as row from ${world}.${name} t`,
  )
  const rows = await db.sql<{ name: string; row: string }>(`${selects.join(' union all ')} order by 1, 2`, [
    NOT_COMPARED,
  ])
  return rows.map(({ name, row }) => `${name} ${row}`)
}

/** For each investment or investor, returns the names and fact ids of its events in the order in which they were queued. */
async function queuedIn(world: World, subject: 'investment_id' | 'user_id') {
  return db.sql(
    `select ${subject} as subject, array_agg(e.name || ' ' || e.fact_id order by q.seq) as events
       from ${world}.event_queue q join ${world}.events e on e.id = q.event_id where ${subject} is not null group by 1 order by 1`,
  )
}

async function oneByOne(facts: readonly unknown[]) {
  const outcomes: FactOutcome[] = []
  for (const sent of facts) outcomes.push(await applyFact(db.databases.live, rules, sent))
  return outcomes
}

describe('a batch', () => {
  test('a batch has the same outcomes and writes the same rows as its facts applied one by one', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (chosen) => {
        const round = stage()
        const facts = [...round.setup, ...factsOf(round, chosen)]
        const inBatches = await applyFacts(db.databases.test, rules, facts)
        expect(shown(inBatches)).toEqual(shown(await oneByOne(facts)))
        expect(await rowsOf('test')).toEqual(await rowsOf('live'))
        for (const subject of ['investment_id', 'user_id'] as const) {
          expect(await queuedIn('test', subject)).toEqual(await queuedIn('live', subject))
        }
        // A fact that was rejected may be possible now, so only the applied facts are sent again.
        const applied = inBatches.flatMap((each, at) => (each.status === 'applied' ? at : []))
        const again = await applyFacts(
          db.databases.test,
          rules,
          applied.map((at) => facts[at]),
        )
        expect(again).toEqual(applied.map((at) => ({ ...inBatches[at], status: 'duplicate' })))
      }),
      { numRuns: 10 },
    )
  })

  test.each(['a', 'z'])(
    'a batch that creates and then changes investments keeps the order of the investor’s events (ids with %s)',
    async (first) => {
      const { setup, open, people } = stage()
      const [investor = '', other = ''] = people
      const idAfter = (letter: string) => `inv_${letter}${newId('investment').slice(5)}`
      const [moved, successor, twice] = [idAfter('m'), idAfter('n'), idAfter('n')]
      const invested = { offering: open, investor, amount_cents: 10_000, currency: 'usd' }
      const facts = [
        ...setup,
        fact('investment.created', { ...invested, id: moved }),
        fact('investment.moved', { id: moved, offering: open, successor }),
        fact('investment.amount_changed', { id: successor, amount_cents: 20_000 }),
        fact('investment.created', { ...invested, id: idAfter(first) }),
        // This fact is rejected, so the investment has the investor of the next fact.
        fact('investment.created', { ...invested, id: twice, investor: other, currency: 'eur' }),
        fact('investment.created', { ...invested, id: twice }),
        fact('investment.amount_changed', { id: twice, amount_cents: 20_000 }),
        fact('investment.created', { ...invested, id: idAfter(first) }),
      ]
      expect(shown(await applyFacts(db.databases.test, rules, facts))).toEqual(shown(await oneByOne(facts)))
      expect(await rowsOf('test')).toEqual(await rowsOf('live'))
      expect(await queuedIn('test', 'user_id')).toEqual(await queuedIn('live', 'user_id'))
    },
  )

  test('a batch of a thousand facts, a third of them wrong, applies exactly the correct facts', async () => {
    const { setup, open, people } = stage()
    await applyFacts(db.databases.test, rules, setup)
    const facts = Array.from({ length: 1_000 }, (_, at) => {
      const investor = at % 3 === 0 ? newId('user') : (people[at % people.length] ?? '')
      const invested = { offering: open, investor, amount_cents: 10_000, currency: 'usd' }
      return fact('investment.created', { id: newId('investment'), ...invested })
    })
    const outcomes = await applyFacts(db.databases.test, rules, facts)
    expect(outcomes.map(({ status }) => status)).toEqual(facts.map((_, at) => (at % 3 === 0 ? 'refused' : 'applied')))
  })

  test('batches about the same investments at the same time apply every fact once, with correct totals', async () => {
    const { setup, open, people } = stage()
    await applyFacts(db.databases.test, rules, setup)
    const investments = Array.from({ length: 40 }, (_, at) => ({
      id: newId('investment'),
      offering: open,
      investor: people[at % people.length] ?? '',
      amount_cents: 10_000,
      currency: 'usd',
    }))
    const created = investments.map((data) => fact('investment.created', data))
    const facts = [
      ...created,
      ...investments.map(({ id }) => fact('investment.amount_changed', { id, amount_cents: 500 })),
    ]
    const reversed = [...created, ...investments.map(({ id }) => fact('investment.confirmed', { id })).toReversed()]
    const batches = await Promise.all(
      [facts, reversed, facts, reversed].map((batch) => applyFacts(db.databases.test, rules, batch)),
    )
    const statuses = batches.map((outcomes) => outcomes.map(({ id, status }) => [id, status] as const))
    const applied = statuses.flat().filter(([, status]) => status === 'applied')
    expect(applied.map(([id]) => id).toSorted()).toEqual(
      [...new Set([...facts, ...reversed].map(({ id }) => id))].toSorted(),
    )
    const totals = await db.sql(
      'select active_count, total_cents::int from test.investor_totals where investor_id = any($1)',
      [people],
    )
    expect(totals).toEqual(people.map(() => ({ active_count: 10, total_cents: 5_000 })))
  })
})

describe('waves', () => {
  test('an item that depends on all others has its own wave, after all earlier and before all later items', () => {
    const touched = (name: string) => (name === 'all' ? null : { changed: [name], referred: [] })
    expect(inWaves(['a', 'b', 'a', 'all', 'c', 'b'], touched)).toEqual([['a', 'b'], ['a'], ['all'], ['c', 'b']])
  })
})
