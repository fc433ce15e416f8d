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

const MOVES = {
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
type Name = keyof typeof MOVES

/** A few times that are out of order. Event times must rise even if the host's times do not. */
const TIMES = ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.000001Z', '2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z']

const history = fc.record({
  fund: fc.boolean(),
  automatic: fc.boolean(),
  steps: fc.array(
    fc.record({ name: fc.constantFrom(...(Object.keys(MOVES) as Name[])), at: fc.constantFrom(...TIMES) }),
    { minLength: 5, maxLength: 25 },
  ),
})

type People = {
  readonly id: Id<'membership'>
  readonly syndicate: Id<'syndicate'>
  readonly user: Id<'user'>
  readonly manager: Id<'user'>
  readonly email: string
}

async function createPeople({ fund, automatic }: { fund: boolean; automatic: boolean }): Promise<People> {
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

function dataOf(name: Name, { id, syndicate, user, manager, email }: People): object {
  if (name === 'invited' || name === 'reinvited') return { syndicate, email, invited_by: manager }
  if (name === 'applied' || name === 'joined') return { id, syndicate, user }
  return name === 'approved' ? { id, approved_by: manager } : { id }
}

/** The state that `expected` computes from the transition table. */
type State = { status: MembershipState | 'none'; invited: boolean }

type Wanted = { readonly events: readonly string[]; readonly to: State['status'] }

function expected(state: State, name: Name, around: { fund: boolean; automatic: boolean }): Wanted | null {
  const { status } = state
  const sent = { events: [`syndicate_member.${name}`], to: status }
  if (name === 'invited') return state.invited || status === 'member' ? null : sent
  if (name === 'reinvited') return state.invited ? sent : null
  const named = MOVES[name]
  const direct = named === 'join' && (around.automatic || state.invited) && moves(status).includes('join_directly')
  const move = direct ? 'join_directly' : named
  if (!moves(status).includes(move)) return null
  const into = move === 'approve' ? { into: around.fund ? ('approved' as const) : ('member' as const) } : {}
  return transition(MEMBERSHIP_MACHINE, { from: status, move, ...into })
}

function moves(status: State['status']): string[] {
  return Object.keys(MEMBERSHIP_MACHINE.table[status])
}

async function sendFact(name: Name, at: string, people: People): Promise<FactOutcome> {
  const fact = { id: newId('request'), type: `membership.${name}`, occurred_at: at, data: dataOf(name, people) }
  return applyFact(db.databases.test, rules, fact)
}

const snapshot = (syndicate: string) =>
  db.sql<{ whole: string }>(
    `select coalesce((select jsonb_agg(m)::text from test.memberships m where m.syndicate_id = $1), '')
         || coalesce((select jsonb_agg(i)::text from test.syndicate_invitations i where i.syndicate_id = $1), '')
         || (select count(*)::text from test.events e where e.syndicate_id = $1) as whole`,
    [syndicate],
  )

describe('random histories of a membership', () => {
  test('a history has only listed states, causes exactly the events of the table at rising times, and a rejected fact changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, ...around }) => {
        const people = await createPeople(around)
        const state: State = { status: 'none', invited: false }
        for (const { name, at } of steps) {
          const wanted = expected(state, name, around)
          const before = await snapshot(people.syndicate)
          const outcome = await sendFact(name, at, people)
          expect(outcome.status, `${name} from ${state.status}`).toBe(wanted === null ? 'refused' : 'applied')
          expect(outcome.events.map(({ event }) => event)).toEqual(wanted?.events ?? [])
          if (wanted === null) expect(await snapshot(people.syndicate)).toEqual(before)
          state.invited ||= name === 'invited' && wanted !== null
          state.status = wanted?.to ?? state.status
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

/** Expects that each event is later than the previous one, and that the latest event has the membership's status. */
async function expectRisingTimes({ id, syndicate }: People): Promise<void> {
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

/** PostgreSQL sorts the times, because their text form drops trailing zeros. */
async function inTimeOrder(times: readonly string[]): Promise<string[]> {
  const rows = await db.sql<{ at: string }>('select at from unnest($1::text[]) at order by at::timestamptz', [times])
  return rows.map(({ at }) => at)
}
