import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import {
  MEMBERSHIP_MACHINE,
  MEMBERSHIP_STATES,
  type MembershipMove,
  type MembershipState,
  readMembership,
} from '#market/syndicates/index.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { makeUser } from '#test/people.ts'
import { A_FUND, makeSyndicate } from '#test/syndicates.ts'
import { applyFact, type FactOutcome } from './apply-fact.ts'
import { factTable } from './fact-type.ts'
import { membershipFacts } from './membership-facts.ts'

/** Random histories of one person and one syndicate, sent as facts to the real database. */
let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const rules = { table: factTable(membershipFacts), settings: FACT_SETTINGS }

const TOLD = {
  invited: null,
  reinvited: null,
  applied: 'apply',
  approved: 'approve',
  joined: 'join',
  left: 'leave',
  removed: 'remove',
  payment_failed: 'fail_payment',
  declined: 'decline',
  withdrawn: 'withdraw',
} as const satisfies Record<string, MembershipMove | null>
type Told = keyof typeof TOLD

/** A few times, out of order: rising times must not depend on the host's times. */
const TIMES = ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000001Z', '2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z']

const history = fc.record({
  fund: fc.boolean(),
  automatic: fc.boolean(),
  told: fc.array(
    fc.record({ told: fc.constantFrom(...(Object.keys(TOLD) as Told[])), at: fc.constantFrom(...TIMES) }),
    { minLength: 5, maxLength: 25 },
  ),
})

type Cast = {
  readonly id: Id<'membership'>
  readonly syndicate: Id<'syndicate'>
  readonly user: Id<'user'>
  readonly manager: Id<'user'>
  readonly email: string
}

async function cast({ fund, automatic }: { fund: boolean; automatic: boolean }): Promise<Cast> {
  return db.databases.test.transaction(async (tx) => {
    const email = `${newId('user')}@example.org`
    return {
      id: newId('membership'),
      syndicate: await makeSyndicate(tx, { auto_approval: automatic, ...(fund ? { fund: A_FUND } : {}) }),
      user: await makeUser(tx, { email }),
      manager: await makeUser(tx),
      email,
    }
  })
}

function dataOf(told: Told, { id, syndicate, user, manager, email }: Cast): object {
  if (told === 'invited' || told === 'reinvited') return { syndicate, email, invited_by: manager }
  if (told === 'applied' || told === 'joined') return { id, syndicate, user }
  return told === 'approved' ? { id, approved_by: manager } : { id }
}

/** The expected result from the table alone. Null: rejected. */
type State = { status: MembershipState | 'none'; invited: boolean }

type Coming = { readonly events: readonly string[]; readonly to: State['status'] }

function expected(state: State, told: Told, around: { fund: boolean; automatic: boolean }): Coming | null {
  const { status } = state
  const sent = { events: [`syndicate_member.${told}`], to: status }
  if (told === 'invited') return state.invited || status === 'member' ? null : sent
  if (told === 'reinvited') return state.invited ? sent : null
  const named = TOLD[told]
  const direct = named === 'join' && (around.automatic || state.invited) && moves(status).includes('join_directly')
  const move = direct ? 'join_directly' : named
  if (!moves(status).includes(move)) return null
  const into = move === 'approve' ? { into: around.fund ? ('approved' as const) : ('member' as const) } : {}
  return transition(MEMBERSHIP_MACHINE, { from: status, move, ...into })
}

function moves(status: State['status']): string[] {
  return Object.keys(MEMBERSHIP_MACHINE.table[status])
}

async function tell(told: Told, at: string, people: Cast): Promise<FactOutcome> {
  const fact = { id: newId('request'), type: `membership.${told}`, occurred_at: at, data: dataOf(told, people) }
  return applyFact(db.databases.test, rules, fact)
}

const snapshot = (syndicate: string) =>
  db.sql<{ whole: string }>(
    `select coalesce((select jsonb_agg(m)::text from test.memberships m where m.syndicate_id = $1), '')
         || coalesce((select jsonb_agg(i)::text from test.syndicate_invitations i where i.syndicate_id = $1), '')
         || (select count(*)::text from test.events e where e.syndicate_id = $1) as whole`,
    [syndicate],
  )

describe('any history of a membership', () => {
  test('has only listed states, causes exactly the events of its rows at rising times, and a rejection changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ told: tellings, ...around }) => {
        const people = await cast(around)
        const state: State = { status: 'none', invited: false }
        for (const { told, at } of tellings) {
          const coming = expected(state, told, around)
          const before = await snapshot(people.syndicate)
          const outcome = await tell(told, at, people)
          expect(outcome.status, `${told} from ${state.status}`).toBe(coming === null ? 'refused' : 'applied')
          expect(outcome.events.map(({ event }) => event)).toEqual(coming?.events ?? [])
          if (coming === null) expect(await snapshot(people.syndicate)).toEqual(before)
          state.invited ||= told === 'invited' && coming !== null
          state.status = coming?.to ?? state.status
          const membership = await readMembership(db.databases.test.reads, people.id)
          expect(membership?.status ?? 'none').toBe(state.status)
          expect(['none', ...MEMBERSHIP_STATES]).toContain(state.status)
        }
        await expectRisingTimes(people)
      }),
      { numRuns: 30 },
    )
  })
})

/** In the order of events, each later than the previous one, so that the latest event shows the state. */
async function expectRisingTimes({ id, syndicate }: Cast): Promise<void> {
  for (const kind of ['membership_id is not null', 'membership_id is null']) {
    const rows = await db.sql<{ at: string; status: string | null }>(
      `select e.occurred_at::text as at, e.data ->> 'status' as status
         from test.events e join test.event_queue q on q.event_id = e.id
        where e.syndicate_id = $1 and e.${kind} order by q.seq`,
      [syndicate],
    )
    const times = rows.map(({ at }) => at)
    expect(new Set(times).size).toBe(times.length)
    expect(await inTimeOrder(times)).toEqual(times)
    const membership = await readMembership(db.databases.test.reads, id)
    if (kind === 'membership_id is not null' && membership !== null) expect(rows.at(-1)?.status).toBe(membership.status)
  }
}

/** Ordered by PostgreSQL, because its text form of a time drops trailing zeros. */
async function inTimeOrder(times: readonly string[]): Promise<string[]> {
  const rows = await db.sql<{ at: string }>('select at from unnest($1::text[]) at order by at::timestamptz', [times])
  return rows.map(({ at }) => at)
}
