import { describe, expect, test } from 'vitest'
import { approveMembership, joiningMove, moveMembership } from './membership-states.ts'

const nobodyAsked = { automatic: false, invited: false }

describe('joining a syndicate', () => {
  test('in a fund syndicate approved and joined are separate events', () => {
    const approved = approveMembership('pending', { fund: true })
    expect(approved).toMatchObject({ to: 'approved', events: ['syndicate_member.approved'] })
    expect(moveMembership(approved.to, 'join')).toMatchObject({ to: 'member', events: ['syndicate_member.joined'] })
  })

  test('elsewhere the approval makes the member, and both events go out', () => {
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
  ])('a direct join arrives as a single joined with approved_by null: %o', (ground) => {
    expect(moveMembership('none', joiningMove('none', ground))).toMatchObject({
      to: 'member',
      events: ['syndicate_member.joined'],
      also: ['clear_approved_by'],
    })
  })

  test.each(['none', 'pending', 'declined', 'withdrawn'] as const)(
    'from %s no person joins without approval, invitation or automatic approval',
    (from) => {
      expect(() => moveMembership(from, joiningMove(from, nobodyAsked))).toThrow(
        expect.objectContaining({ type: 'illegal_transition' }),
      )
    },
  )

  test('a person with an approval joins, even if the syndicate does not require one', () => {
    for (const from of ['approved', 'payment_failed'] as const) {
      expect(joiningMove(from, { automatic: true, invited: true })).toBe('join')
      expect(moveMembership(from, joiningMove(from, nobodyAsked)).also).toEqual([])
    }
  })

  test.each(['left', 'removed', 'payment_failed'] as const)('joined can follow a left for the same id: %s', (from) => {
    expect(moveMembership(from, joiningMove(from, nobodyAsked)).events).toEqual(['syndicate_member.joined'])
  })
})
