import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeTable, histories, play } from '#test/state-machine.ts'
import { JOIN_SESSION_MACHINE, JOIN_SESSION_STATES, type JoinSessionMove } from './join-session-states.ts'

const MOVES: readonly JoinSessionMove[] = [
  'create',
  'await_approval',
  'complete',
  'reject',
  'mark_ineligible',
  'cancel',
  'expire',
]

describeTable(JOIN_SESSION_MACHINE, { states: JOIN_SESSION_STATES, moves: MOVES }, [
  'none create → open []',
  'open await_approval → pending_approval [join_session.pending_approval] apply_for_membership',
  'open complete → joined [join_session.completed] join_membership',
  'pending_approval complete → joined [join_session.completed] join_membership',
  'pending_approval reject → rejected [join_session.rejected] decline_application',
  'open mark_ineligible → ineligible [join_session.ineligible] set_ineligible_reason',
  'open cancel → canceled [join_session.canceled]',
  'pending_approval cancel → canceled [join_session.canceled] withdraw_application',
  'open expire → expired [join_session.expired]',
  'pending_approval expire → expired [join_session.expired]',
])

const eventsOf = (...moves: JoinSessionMove[]) =>
  play(
    JOIN_SESSION_MACHINE,
    moves.map((move) => ({ move, outcome: 0 })),
  ).accepted.flatMap(({ events }) => events)

describe('Join session status', () => {
  test('the values are those of the specification, plus `open` until the person finishes', () => {
    expect(JOIN_SESSION_STATES).toEqual([
      'open',
      'pending_approval',
      'joined',
      'rejected',
      'ineligible',
      'canceled',
      'expired',
    ])
  })

  test('A manager-approval syndicate emits pending_approval then completed', () => {
    expect(eventsOf('create', 'await_approval', 'complete')).toEqual([
      'join_session.pending_approval',
      'join_session.completed',
    ])
  })

  test('an auto-approving one emits completed directly', () => {
    expect(eventsOf('create', 'complete')).toEqual(['join_session.completed'])
  })

  test('rejected: a manager can reject only a session that awaits approval, not an open one', () => {
    expect(eventsOf('create', 'reject')).toEqual([])
    expect(eventsOf('create', 'await_approval', 'reject').at(-1)).toBe('join_session.rejected')
  })

  test('a session ends at most once and never moves again', () => {
    const ends = ['joined', 'rejected', 'ineligible', 'canceled', 'expired']
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        const { accepted } = play(JOIN_SESSION_MACHINE, tries)
        const at = accepted.findIndex(({ to }) => ends.includes(to))
        if (at !== -1) expect(at).toBe(accepted.length - 1)
      }),
    )
  })

  test('the membership, not the session, sends syndicate_member.joined, exactly when join_session.completed is sent', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        for (const { events, also } of play(JOIN_SESSION_MACHINE, tries).accepted) {
          expect(also.includes('join_membership')).toBe(events.includes('join_session.completed'))
        }
      }),
    )
  })
})
