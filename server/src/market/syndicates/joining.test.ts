import { describe, expect, test } from 'vitest'
import { approveMembership, joiningMove, moveMembership } from './membership-states.ts'

const NO_SHORTCUT = { automatic: false, invited: false }

describe('joining a syndicate', () => {
  test('in a fund syndicate approved and joined are separate events', () => {
    const approved = approveMembership('pending', { fund: true })
    expect(approved).toMatchObject({ to: 'approved', events: ['syndicate_member.approved'] })
    expect(moveMembership(approved.to, 'join')).toMatchObject({ to: 'member', events: ['syndicate_member.joined'] })
  })

  test('in a syndicate without a fund the approval makes the person a member, with the events approved and joined', () => {
    expect(approveMembership('pending', { fund: false })).toMatchObject({
      to: 'member',
      events: ['syndicate_member.approved', 'syndicate_member.joined'],
    })
  })

  test('only an application can be approved', () => {
    for (const fund of [true, false]) {
      expect(() => approveMembership('member', { fund })).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ from: 'member', event: 'approve' }) }),
      )
    }
  })

  test.each([
    { automatic: true, invited: false },
    { automatic: false, invited: true },
  ])('a direct join sends a single joined with approved_by null: %o', (reasons) => {
    expect(moveMembership('none', joiningMove('none', reasons))).toMatchObject({
      to: 'member',
      events: ['syndicate_member.joined'],
      also: ['clear_approved_by'],
    })
  })

  test.each(['none', 'pending', 'declined', 'withdrawn'] as const)(
    'a person whose membership is %s cannot join without an approval or an invitation',
    (from) => {
      expect(() => moveMembership(from, joiningMove(from, NO_SHORTCUT))).toThrow(
        expect.objectContaining({ type: 'illegal_transition' }),
      )
    },
  )

  test('a person with an approval joins by the approval, even if the syndicate approves automatically', () => {
    for (const from of ['approved', 'payment_failed'] as const) {
      expect(joiningMove(from, { automatic: true, invited: true })).toBe('join')
      expect(moveMembership(from, joiningMove(from, NO_SHORTCUT)).also).toEqual([])
    }
  })

  test.each(['left', 'removed', 'payment_failed'] as const)('joined can follow a left for the same id: %s', (from) => {
    expect(moveMembership(from, joiningMove(from, NO_SHORTCUT)).events).toEqual(['syndicate_member.joined'])
  })
})
