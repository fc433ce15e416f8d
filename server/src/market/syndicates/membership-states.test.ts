import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeTable, histories, play } from '#test/state-machine.ts'
import { MEMBERSHIP_MACHINE, MEMBERSHIP_STATES, type MembershipMove } from './membership-states.ts'

const MOVES: readonly MembershipMove[] = [
  'apply',
  'approve',
  'join',
  'join_directly',
  'leave',
  'remove',
  'fail_payment',
  'decline',
  'withdraw',
]

const applied = '[syndicate_member.applied] clear_approved_by'
const joined = '[syndicate_member.joined]'
const joinedDirectly = '[syndicate_member.joined] clear_approved_by'
const left = '[syndicate_member.left]'
const declined = '[syndicate_member.declined]'

describeTable(MEMBERSHIP_MACHINE, { states: MEMBERSHIP_STATES, moves: MOVES }, [
  `none apply → pending ${applied}`,
  `declined apply → pending ${applied}`,
  `withdrawn apply → pending ${applied}`,
  'pending approve → approved [syndicate_member.approved] set_approved_by',
  'pending approve → member [syndicate_member.approved, syndicate_member.joined] set_approved_by',
  `approved join → member ${joined}`,
  `payment_failed join → member ${joined}`,
  `left join → member ${joined}`,
  `removed join → member ${joined}`,
  `none join_directly → member ${joinedDirectly}`,
  `pending join_directly → member ${joinedDirectly}`,
  `left join_directly → member ${joinedDirectly}`,
  `removed join_directly → member ${joinedDirectly}`,
  `declined join_directly → member ${joinedDirectly}`,
  `withdrawn join_directly → member ${joinedDirectly}`,
  `member leave → left ${left}`,
  `payment_failed leave → left ${left}`,
  `member remove → removed ${left}`,
  `payment_failed remove → removed ${left}`,
  `member fail_payment → payment_failed ${left}`,
  `approved fail_payment → payment_failed ${left}`,
  `pending decline → declined ${declined}`,
  `approved decline → declined ${declined}`,
  `pending withdraw → withdrawn ${declined}`,
  `approved withdraw → withdrawn ${declined}`,
])

/** The events of all accepted moves, in order. */
const eventsOf = (tries: Parameters<typeof play<never, MembershipMove>>[1]) =>
  play(MEMBERSHIP_MACHINE, tries).accepted.flatMap(({ events }) => events)

describe('Syndicate membership status', () => {
  test('Values in events: pending, approved, member, left, removed, payment_failed, declined, withdrawn', () => {
    expect(MEMBERSHIP_STATES).toEqual([
      'pending',
      'approved',
      'member',
      'left',
      'removed',
      'payment_failed',
      'declined',
      'withdrawn',
    ])
  })

  test('applied never repeats for the same request; repeats only when a rejected investor applies again', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        let open = false
        for (const event of eventsOf(tries)) {
          if (event === 'syndicate_member.applied') expect(open).toBe(false)
          // After the first application, a new application is possible only if the earlier one was closed.
          if (event === 'syndicate_member.applied') open = true
          if (event === 'syndicate_member.declined') open = false
        }
      }),
    )
  })

  test('left ends a membership and a member can return: between two joined events there is a left event', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        let member = false
        for (const event of eventsOf(tries)) {
          if (event === 'syndicate_member.joined') expect(member).toBe(false)
          if (event === 'syndicate_member.joined') member = true
          if (event === 'syndicate_member.left') member = false
        }
      }),
    )
  })

  test('the latest event shows whether the person is a member', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        const { state } = play(MEMBERSHIP_MACHINE, tries)
        expect(eventsOf(tries).at(-1) === 'syndicate_member.joined').toBe(state === 'member')
      }),
    )
  })

  test('after a failed payment the approval stays: only joining or leaving can follow', () => {
    expect(Object.keys(MEMBERSHIP_MACHINE.table.payment_failed).sort()).toEqual(['join', 'leave', 'remove'])
  })
})
