import { describe, expect, test } from 'vitest'
import { ineligibleReason, type PersonAtSyndicate, wayOf } from './eligibility.ts'

/** A person without a membership, at a syndicate that needs approval by a manager and has no other requirements. */
const STRANGER: PersonAtSyndicate = {
  launched: true,
  membershipOpen: true,
  requiresAccreditation: false,
  accredited: false,
  countries: null,
  country: null,
  fundRequired: false,
  fund: false,
  invested: false,
  membership: null,
  automatic: false,
  invited: false,
  invitedSinceRemoval: false,
}
const reason = (change: Partial<PersonAtSyndicate>) => ineligibleReason({ ...STRANGER, ...change })
const way = (change: Partial<PersonAtSyndicate>) => wayOf({ ...STRANGER, ...change })

describe('ineligible_reason', () => {
  test('null for a person who can join', () => {
    expect(reason({})).toBeNull()
  })

  test('accreditation_required: the syndicate is for accredited investors, and the person is not accredited', () => {
    expect(reason({ requiresAccreditation: true })).toBe('accreditation_required')
    expect(reason({ requiresAccreditation: true, accredited: true })).toBeNull()
  })

  test('jurisdiction: the syndicate names countries, and the person’s country is another or unknown', () => {
    expect(reason({ countries: ['US', 'GB'], country: 'DE' })).toBe('jurisdiction')
    expect(reason({ countries: ['US', 'GB'], country: null })).toBe('jurisdiction')
    expect(reason({ countries: ['US', 'GB'], country: 'GB' })).toBeNull()
  })

  test('blocked: a manager removed the person, and no manager has invited the person since', () => {
    expect(reason({ membership: 'removed' })).toBe('blocked')
    expect(reason({ membership: 'removed', invited: true })).toBe('blocked')
    expect(reason({ membership: 'removed', invited: true, invitedSinceRemoval: true })).toBeNull()
    expect(reason({ membership: 'left' })).toBeNull()
    expect(reason({ membership: 'declined' })).toBeNull()
  })

  test('club_unavailable: the syndicate is not launched, or accepts only invited people and the person is not invited', () => {
    expect(reason({ launched: false, invited: true })).toBe('club_unavailable')
    expect(reason({ membershipOpen: false })).toBe('club_unavailable')
    expect(reason({ membershipOpen: false, invited: true })).toBeNull()
  })

  test('requires_investment: people join by investing in the fund, and "a join session touches no deal"', () => {
    expect(reason({ fundRequired: true })).toBe('requires_investment')
    expect(reason({ fundRequired: true, invested: true })).toBeNull()
    expect(reason({ fund: true, membership: 'approved' })).toBe('requires_investment')
    expect(reason({ fund: true, membership: 'payment_failed' })).toBe('requires_investment')
    expect(reason({ fund: true })).toBeNull()
  })

  test('of several reasons, the one that the person can change least is shown', () => {
    const all = { requiresAccreditation: true, countries: ['US'], fundRequired: true }
    expect(reason({ ...all, membership: 'removed', launched: false })).toBe('blocked')
    expect(reason({ ...all, launched: false })).toBe('club_unavailable')
    expect(reason(all)).toBe('jurisdiction')
    expect(reason({ ...all, country: 'US' })).toBe('accreditation_required')
  })
})

describe('ways to join', () => {
  test('a person joins at once with auto-approval, an invitation, an earlier approval or an earlier membership', () => {
    expect(way({ automatic: true })).toBe('join')
    expect(way({ invited: true })).toBe('join')
    expect(way({ membership: 'approved' })).toBe('join')
    expect(way({ membership: 'left' })).toBe('join')
    expect(way({ automatic: true, membership: 'pending' })).toBe('join')
  })

  test('any other person applies, and only once', () => {
    expect(way({})).toBe('apply')
    expect(way({ membership: 'declined' })).toBe('apply')
    expect(way({ membership: 'withdrawn' })).toBe('apply')
    expect(way({ membership: 'pending' })).toBe('applied')
  })

  test('a member stays a member even if they no longer meet the requirements for new members', () => {
    expect(way({ membership: 'member', requiresAccreditation: true, launched: false })).toBe('member')
  })
})
