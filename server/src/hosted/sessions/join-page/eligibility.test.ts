import { describe, expect, test } from 'vitest'
import { ineligibleReason, type PersonAtSyndicate, wayOf } from './eligibility.ts'

/** A stranger at a syndicate whose managers approve, and that asks for nothing. */
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

  test('accreditation_required: for accredited investors, and they are not accredited', () => {
    expect(reason({ requiresAccreditation: true })).toBe('accreditation_required')
    expect(reason({ requiresAccreditation: true, accredited: true })).toBeNull()
  })

  test('jurisdiction: the syndicate names countries, and the person’s country is another or unknown', () => {
    expect(reason({ countries: ['US', 'GB'], country: 'DE' })).toBe('jurisdiction')
    expect(reason({ countries: ['US', 'GB'], country: null })).toBe('jurisdiction')
    expect(reason({ countries: ['US', 'GB'], country: 'GB' })).toBeNull()
  })

  test('blocked: a manager removed them, and has not invited them since', () => {
    expect(reason({ membership: 'removed' })).toBe('blocked')
    expect(reason({ membership: 'removed', invited: true })).toBe('blocked')
    expect(reason({ membership: 'removed', invited: true, invitedSinceRemoval: true })).toBeNull()
    expect(reason({ membership: 'left' })).toBeNull()
    expect(reason({ membership: 'declined' })).toBeNull()
  })

  test('club_unavailable: not launched, or closed to all but the invited', () => {
    expect(reason({ launched: false, invited: true })).toBe('club_unavailable')
    expect(reason({ membershipOpen: false })).toBe('club_unavailable')
    expect(reason({ membershipOpen: false, invited: true })).toBeNull()
  })

  test('requires_investment: one joins by investing, and "a join session touches no deal"', () => {
    expect(reason({ fundRequired: true })).toBe('requires_investment')
    expect(reason({ fundRequired: true, invested: true })).toBeNull()
    expect(reason({ fund: true, membership: 'approved' })).toBe('requires_investment')
    expect(reason({ fund: true, membership: 'payment_failed' })).toBe('requires_investment')
    expect(reason({ fund: true })).toBeNull()
  })

  test('the reason that the person can change least is shown first', () => {
    const all = { requiresAccreditation: true, countries: ['US'], fundRequired: true }
    expect(reason({ ...all, membership: 'removed', launched: false })).toBe('blocked')
    expect(reason({ ...all, launched: false })).toBe('club_unavailable')
    expect(reason(all)).toBe('jurisdiction')
    expect(reason({ ...all, country: 'US' })).toBe('accreditation_required')
  })
})

describe('ways to join', () => {
  test('an auto-approving syndicate, an invitation, and an earlier approval or membership make a member at once', () => {
    expect(way({ automatic: true })).toBe('join')
    expect(way({ invited: true })).toBe('join')
    expect(way({ membership: 'left' })).toBe('join')
    expect(way({ automatic: true, membership: 'pending' })).toBe('join')
  })

  test('in other syndicates a person applies, once', () => {
    expect(way({})).toBe('apply')
    expect(way({ membership: 'declined' })).toBe('apply')
    expect(way({ membership: 'withdrawn' })).toBe('apply')
    expect(way({ membership: 'pending' })).toBe('applied')
  })

  test('a member stays a member when the conditions for others change', () => {
    expect(way({ membership: 'member', requiresAccreditation: true, launched: false })).toBe('member')
  })
})
