import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InvestorPart, investorTotals, type Occasion } from '#events/index.ts'
import { ApiError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { transition } from '#kernel/state-machine.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import {
  cancelInvestment,
  cancelOffering,
  changeAmount,
  convertInvestment,
  executeInvestment,
  reinstate,
} from './investment-moves.ts'
import {
  INVESTMENT_MACHINE,
  INVESTMENT_STATES,
  type InvestmentMove,
  type InvestmentState,
} from './investment-states.ts'
import { confirmInvestment, hideInvestment, receivePayment, resolveConversion } from './investment-steps.ts'
import { moveToOffering } from './move-to-offering.ts'
import { recordInvestment } from './record-investment.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

/** Moves that allow further moves are drawn more often than moves that end an investment. */
const KINDS = [
  ...(['create', 'create', 'create', 'create', 'change_amount', 'change_amount', 'cancel', 'cancel'] as const),
  ...(['reinstate', 'reinstate', 'reinstate', 'convert', 'convert', 'convert', 'resolve', 'resolve'] as const),
  ...(['execute', 'confirm', 'pay', 'hide', 'move', 'move', 'cancel_offering'] as const),
]
type Kind = (typeof KINDS)[number]

/** Any fact about any of the investments, in any order; numbers choose among the existing records. */
type Fact = {
  readonly kind: Kind
  readonly which: number
  readonly other: number
  readonly units: number
  readonly hour: number
}

const facts = fc.array(
  fc.record<Fact>({
    kind: fc.constantFrom(...KINDS),
    which: fc.nat(100),
    other: fc.nat(100),
    units: fc.nat(5),
    // Up to 12 days: some reinstatements are after the grace period, and many facts are dated before the previous fact.
    hour: fc.nat(12 * 24),
  }),
  { minLength: 5, maxLength: 35, size: 'max' },
)

type Row = { readonly id: Id<'investment'>; readonly status: InvestmentState; readonly offering_id: string }
type Round = {
  readonly raise: Id<'raise'>
  readonly offerings: readonly Id<'offering'>[]
  readonly investors: readonly Id<'user'>[]
}

const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(from.length, 1)]
const unknownInvestment = newId('investment')

function perform(tx: Tx, round: Round, rows: readonly Row[], fact: Fact, occasion: Occasion): Promise<unknown> {
  const id = pick(rows, fact.which)?.id ?? unknownInvestment
  const to = pick(rows, fact.other)?.id ?? unknownInvestment
  const offering = pick(round.offerings, fact.other) ?? newId('offering')
  const investor = pick(round.investors, fact.which) ?? newId('user')
  const amount_cents = (fact.units * 100) as Cents
  const use: Record<Kind, () => Promise<unknown>> = {
    create: () => recordInvestment(tx, { id: newId('investment'), offering, investor, amount_cents }, occasion),
    change_amount: () => changeAmount(tx, { id, amount_cents }, occasion),
    cancel: () => cancelInvestment(tx, { id }, occasion),
    reinstate: () => reinstate(tx, { id, graceDays: 7 }, occasion),
    convert: () => convertInvestment(tx, { id, to: fact.units === 0 ? null : to }, occasion),
    resolve: () => resolveConversion(tx, { id, to }, occasion),
    execute: () => executeInvestment(tx, { id }, occasion),
    confirm: () => confirmInvestment(tx, { id }, occasion),
    pay: () => receivePayment(tx, { id }, occasion),
    hide: () => hideInvestment(tx, { id }, occasion),
    move: () => moveToOffering(tx, { id, offering }, occasion),
    cancel_offering: () => cancelOffering(tx, { id: offering, batchSize: 2 }, occasion),
  }
  return use[fact.kind]()
}

const MOVES: Partial<Record<Kind, InvestmentMove>> = {
  create: 'create',
  change_amount: 'change_amount',
  cancel: 'cancel',
  reinstate: 'reinstate',
  convert: 'convert',
  execute: 'execute',
}

/** The events that the transition table lists for an accepted fact, given all investments before and after it. */
function eventsOfRow(fact: Fact, before: readonly Row[], after: readonly Row[]): readonly string[] {
  const statusBefore = new Map(before.map((row) => [row.id, row.status]))
  const causes = (move: InvestmentMove, from: InvestmentState | 'none', into: InvestmentState) =>
    transition(INVESTMENT_MACHINE, { from, move, into }).events
  if (fact.kind === 'cancel_offering') {
    const moved = after.filter((row) => statusBefore.get(row.id) !== row.status)
    return [
      'offering.canceled',
      ...moved.flatMap((row) => causes('cancel', statusBefore.get(row.id) ?? 'none', row.status)),
    ]
  }
  if (fact.kind === 'move') {
    const from = statusBefore.get(pick(before, fact.which)?.id ?? unknownInvestment) ?? 'active'
    return [...causes('create', 'none', from), ...causes('convert', from, 'converted')]
  }
  const move = fact.kind === 'change_amount' && fact.units === 0 ? 'change_amount_to_zero' : MOVES[fact.kind]
  if (move === undefined) return []
  const subject = fact.kind === 'create' ? after.find((row) => !statusBefore.has(row.id)) : pick(before, fact.which)
  const now = after.find((row) => row.id === subject?.id)
  if (now === undefined) throw new Error(`${fact.kind} was accepted, but its investment is not found`)
  return causes(move, statusBefore.get(now.id) ?? 'none', now.status)
}

const rowsOf = (round: Round) =>
  db.sql<Row>('select id, status, offering_id from test.investments where offering_id = any($1) order by id', [
    round.offerings,
  ])

/** One line of text that changes if any row of these tables changes. */
async function dump(): Promise<string> {
  const tables = [
    'investments',
    'investor_totals',
    'events',
    'event_queue',
    'investment_changes',
    'offerings',
    'raises',
    'users',
  ]
  const digests = tables.map((table) => `(select md5(string_agg(t::text, '|' order by t::text)) from test.${table} t)`)
  const [row] = await db.sql<{ world: string }>(`select concat_ws(' ', ${digests.join(', ')}) as world`)
  return row?.world ?? ''
}

const UTC = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`

/** `stored`: the row of investor_totals. `summed`: the same totals, computed from the investments. */
async function totalsOf(round: Round, investor: Id<'user'>) {
  const parts = await db.sql<InvestorPart>(
    `select i.status, i.amount_cents::float8 as "committedCents",
            to_char(i.applied_at at time zone 'utc', ${UTC}) as "appliedAt"
     from test.investments i join test.offerings o on o.id = i.offering_id where o.raise_id = $1 and i.investor_id = $2`,
    [round.raise, investor],
  )
  const [stored = { active_investment_count: 0, total_committed: 0, latest_applied_at: null }] = await db.sql(
    `select active_count as active_investment_count, (total_cents / 100)::int as total_committed,
            to_char(latest_applied_at at time zone 'utc', ${UTC}) as latest_applied_at
     from test.investor_totals where raise_id = $1 and investor_id = $2`,
    [round.raise, investor],
  )
  return { stored, summed: investorTotals(parts) }
}

async function beginRound(): Promise<Round> {
  return db.databases.test.transaction(async (tx) => {
    const company = await makeCompany(tx)
    const first = await makeOffering(tx, { company })
    const raise = (await readOffering(tx, first))?.raise ?? newId('raise')
    const offerings = [
      first,
      await makeOffering(tx, { company, raise }),
      await makeOffering(tx, { company, raise, testing_the_waters: true }),
    ]
    return { raise, offerings, investors: [await makeUser(tx), await makeUser(tx)] }
  })
}

const timeOf = (hour: number) => new Date(Date.UTC(2026, 5, 1) + hour * 3_600_000).toISOString().replace('Z', '000Z')

async function playOne(round: Round, fact: Fact, latest: Map<string, string>): Promise<'accepted' | 'refused'> {
  const occasion = occasionAt(timeOf(fact.hour))
  const before = await rowsOf(round)
  const world = await dump()
  try {
    await db.databases.test.transaction((tx) => perform(tx, round, before, fact, occasion))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(await dump(), 'a rejected fact changes nothing').toBe(world)
    return 'refused'
  }
  const after = await rowsOf(round)
  const events = await causedBy(db.databases.test.reads, occasion)
  expect(
    events.map(({ event }) => event),
    'the events are those of the transition table',
  ).toEqual(eventsOfRow(fact, before, after))
  for (const { status } of after) expect(INVESTMENT_STATES).toContain(status)
  for (const investor of round.investors) {
    const { stored, summed } = await totalsOf(round, investor)
    expect(summed, 'the stored totals equal the sum over the investments').toMatchObject(stored)
    const mine = events.filter(({ data }) => (data['investor'] as { id: string } | undefined)?.id === investor)
    const last = mine.at(-1)
    if (last !== undefined)
      expect(last.data['investor_totals'], 'the last event has the totals after the fact').toEqual(summed)
    for (const { occurredAt } of occasion.caused.filter((_, at) =>
      mine.includes(events[at] as (typeof events)[number]),
    )) {
      expect(occurredAt > (latest.get(investor) ?? ''), 'each event of an investor is later than the one before').toBe(
        true,
      )
      latest.set(investor, occurredAt)
    }
  }
  return 'accepted'
}

const fact = (kind: Kind, hour: number, units: number): Fact => ({ kind, which: 0, other: 0, units, hour })
/** A fixed history that is always played, because the random histories may contain no accepted fact of one of these kinds. */
const FIXED_HISTORY: Fact[] = [fact('create', 1, 2), fact('change_amount', 2, 3), fact('cancel', 3, 1)]

test('any history of facts over two investors and three offerings of a raise keeps the invariants', async () => {
  const outcomes = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(facts, async (history) => {
      const round = await beginRound()
      const latest = new Map<string, string>()
      for (const fact of history) {
        const outcome = `${fact.kind} ${await playOne(round, fact, latest)}`
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }),
    { numRuns: 15, examples: [[FIXED_HISTORY]] },
  )
  // Histories in which every fact is rejected would prove nothing.
  for (const kind of ['create', 'change_amount', 'cancel']) {
    expect(outcomes.get(`${kind} accepted`), kind).toBeGreaterThan(0)
  }
})
