import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  JOIN_SESSION_MACHINE,
  JOIN_SESSION_STATES,
  type JoinSessionMove,
  readJoinSession,
} from '#hosted/sessions/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { allowedMoves, transition } from '#kernel/state-machine.ts'
import { MEMBERSHIP_MACHINE, type MembershipMove, type MembershipState } from '#market/syndicates/index.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { makeUser } from '#test/people.ts'
import { A_FUND, makeSyndicate } from '#test/syndicates.ts'
import { applyFact } from './apply-fact.ts'
import { factTable } from './fact-type.ts'
import { joinSessionFacts } from './join-session-facts.ts'
import { membershipFacts } from './membership-facts.ts'

/** Facts about two join sessions of one person, and facts about the person's membership, in any order. */
let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const rules = { table: factTable([...joinSessionFacts, ...membershipFacts]), settings: FACT_SETTINGS }

const SESSION_MOVES = {
  created: 'create',
  pending_approval: 'await_approval',
  completed: 'complete',
  rejected: 'reject',
  ineligible: 'mark_ineligible',
  canceled: 'cancel',
  expired: 'expire',
} as const satisfies Record<string, JoinSessionMove>
const MEMBERSHIP_MOVES = {
  approved: 'approve',
  declined: 'decline',
  withdrawn: 'withdraw',
  left: 'leave',
  payment_failed: 'fail_payment',
} as const satisfies Record<string, MembershipMove>

type OfSession = { readonly session: 0 | 1; readonly fact: keyof typeof SESSION_MOVES; readonly approved: boolean }
type OfMembership = { readonly session: null; readonly fact: keyof typeof MEMBERSHIP_MOVES }

const ofSession: fc.Arbitrary<OfSession> = fc.record({
  session: fc.constantFrom(0 as const, 1 as const),
  fact: fc.constantFrom(...(Object.keys(SESSION_MOVES) as OfSession['fact'][])),
  approved: fc.boolean(),
})
const ofMembership: fc.Arbitrary<OfMembership> = fc.record({
  session: fc.constant(null),
  fact: fc.constantFrom(...(Object.keys(MEMBERSHIP_MOVES) as OfMembership['fact'][])),
})
const history = fc.record({
  fund: fc.boolean(),
  automatic: fc.boolean(),
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: ofSession }, { weight: 1, arbitrary: ofMembership }), {
    minLength: 5,
    maxLength: 20,
  }),
})

type Around = { readonly fund: boolean; readonly automatic: boolean }
type Membership = MembershipState | 'none'
type State = {
  membership: Membership
  sessions: [keyof typeof JOIN_SESSION_MACHINE.table, keyof typeof JOIN_SESSION_MACHINE.table]
}
type Moved = { readonly membership: Membership; readonly events: readonly string[] }

/** The membership after a move, by its transition table; null if the move is rejected. */
function moved(membership: Membership, move: MembershipMove, { fund }: Around): Moved | null {
  if (!allowedMoves(MEMBERSHIP_MACHINE, membership).includes(move)) return null
  const into = move === 'approve' ? { into: fund ? ('approved' as const) : ('member' as const) } : {}
  const { to, events } = transition(MEMBERSHIP_MACHINE, { from: membership, move, ...into })
  return { membership: to, events }
}

/** The membership after a move; the same membership if the move is illegal. */
function movedIfOpen(membership: Membership, move: MembershipMove, around: Around): Moved {
  return moved(membership, move, around) ?? { membership, events: [] }
}

/** Approves an application if the fact has an approver. Then joins, unless the approval makes the person a member. */
function admit(membership: Membership, approved: boolean, around: Around): Moved | null {
  if (membership === 'member') return { membership, events: [] }
  const first = approved ? movedIfOpen(membership, 'approve', around) : { membership, events: [] }
  if (first.membership === 'member') return first
  const directly = around.automatic ? moved(first.membership, 'join_directly', around) : null
  const joined = directly ?? moved(first.membership, 'join', around)
  return joined && { membership: joined.membership, events: [...first.events, ...joined.events] }
}

/** The move of the membership that a fact about a session includes; null if that move is rejected. */
function includedMove(from: Membership, { fact, approved }: OfSession, around: Around): Moved | null {
  switch (fact) {
    case 'pending_approval':
      // No session waits for approval if the person is a member or the syndicate approves automatically.
      return from === 'member' || around.automatic ? null : movedIfOpen(from, 'apply', around)
    case 'completed':
      return admit(from, approved, around)
    case 'rejected':
      return movedIfOpen(from, 'decline', around)
    case 'canceled':
      return movedIfOpen(from, 'withdraw', around)
    case 'created':
    case 'ineligible':
    case 'expired':
      return { membership: from, events: [] }
  }
}

/** The result of a fact that the two transition tables require; null if they reject the fact. */
function expected(state: State, step: OfSession | OfMembership, around: Around): (State & { events: string[] }) | null {
  if (step.session === null) {
    const after = moved(state.membership, MEMBERSHIP_MOVES[step.fact], around)
    return after && { ...state, membership: after.membership, events: [...after.events] }
  }
  const from = state.sessions[step.session]
  const move = SESSION_MOVES[step.fact]
  if (!allowedMoves(JOIN_SESSION_MACHINE, from).includes(move)) return null
  const { to, events, also } = transition(JOIN_SESSION_MACHINE, { from, move })
  const after =
    also.length === 0 ? { membership: state.membership, events: [] } : includedMove(state.membership, step, around)
  if (after === null) return null
  const sessions: State['sessions'] = step.session === 0 ? [to, state.sessions[1]] : [state.sessions[0], to]
  return { membership: after.membership, sessions, events: [...after.events, ...events] }
}

type People = {
  readonly syndicate: Id<'syndicate'>
  readonly user: Id<'user'>
  readonly manager: Id<'user'>
  readonly membership: Id<'membership'>
  readonly sessions: readonly [Id<'joinSession'>, Id<'joinSession'>]
}

function dataOf(step: OfSession | OfMembership, { syndicate, user, manager, membership, sessions }: People): object {
  if (step.session === null) {
    return { id: membership, ...(step.fact === 'approved' ? { approved_by: manager } : {}) }
  }
  const id = sessions[step.session]
  switch (step.fact) {
    case 'created':
      return { id, syndicate, expires_at: '2099-01-01T00:00:00Z' }
    case 'pending_approval':
      return { id, user, membership }
    case 'completed':
      return { id, user, membership, ...(step.approved ? { approved_by: manager } : {}) }
    case 'ineligible':
      return { id, user, reason: 'blocked' }
    case 'rejected':
    case 'canceled':
    case 'expired':
      return { id }
  }
}

async function sendFact(step: OfSession | OfMembership, people: People) {
  const type = `${step.session === null ? 'membership' : 'join_session'}.${step.fact}`
  const fact = { id: newId('request'), type, occurred_at: '2026-06-01T12:00:00Z', data: dataOf(step, people) }
  return applyFact(db.databases.test, rules, fact)
}

const snapshot = (syndicate: string) =>
  db.sql(
    `select (select jsonb_agg(m) from test.memberships m where m.syndicate_id = $1) as memberships,
            (select jsonb_agg(s order by s.id) from test.join_sessions s where s.syndicate_id = $1) as sessions,
            (select count(*)::int from test.events e where e.syndicate_id = $1) as events`,
    [syndicate],
  )

describe('random histories of join sessions and their membership', () => {
  test('a history causes exactly the events of both transition tables, at rising times, and a rejected fact changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, ...around }) => {
        const people = await createPeople(around)
        let state: State = { membership: 'none', sessions: ['none', 'none'] }
        for (const step of steps) {
          const wanted = expected(state, step, around)
          const before = await snapshot(people.syndicate)
          const outcome = await sendFact(step, people)
          expect(outcome.status, JSON.stringify({ state, step })).toBe(wanted === null ? 'refused' : 'applied')
          expect(outcome.events.map(({ event }) => event)).toEqual(wanted?.events ?? [])
          if (wanted === null) expect(await snapshot(people.syndicate)).toEqual(before)
          state = wanted ?? state
          await expectSessions(people.sessions, state)
        }
        await expectRisingTimes(people.syndicate)
      }),
      { numRuns: 30 },
    )
  })
})

async function createPeople({ fund, automatic }: Around): Promise<People> {
  return db.databases.test.transaction(async (tx) => ({
    syndicate: await makeSyndicate(tx, { auto_approval: automatic, ...(fund ? { fund: A_FUND } : {}) }),
    user: await makeUser(tx),
    manager: await makeUser(tx),
    membership: newId('membership'),
    sessions: [newId('joinSession'), newId('joinSession')],
  }))
}

async function expectSessions(sessions: People['sessions'], state: State): Promise<void> {
  for (const [at, id] of sessions.entries()) {
    const status = (await readJoinSession(db.databases.test.reads, id))?.status ?? 'none'
    expect(['none', ...JOIN_SESSION_STATES]).toContain(status)
    expect(status).toBe(state.sessions[at])
  }
}

/** Expects that each event of a membership or join session is later than the one before. */
async function expectRisingTimes(syndicate: string): Promise<void> {
  const notRising = await db.sql(
    `select name from (
       select e.name, e.occurred_at, lag(e.occurred_at) over (
                partition by case when e.name like 'join%' then e.join_session_id else e.membership_id end
                order by q.seq) as before
         from test.events e join test.event_queue q on q.event_id = e.id
        where e.syndicate_id = $1) as event
      where occurred_at <= before`,
    [syndicate],
  )
  expect(notRising).toEqual([])
}
