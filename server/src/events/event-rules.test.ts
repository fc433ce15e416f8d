import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { EVENT_NAMES } from './catalogue.ts'
import { EVENT_DATA, EVENT_EXAMPLES, type EventName } from './event-data.ts'

/** Whether the example would still be valid with these fields instead of its own. */
function accepts(name: EventName, change: object): boolean {
  return Value.Check(EVENT_DATA[name], { ...EVENT_EXAMPLES[name], ...change })
}

const LIFECYCLE = EVENT_NAMES.filter((name) => /^investment\.(?!changed|referred)/.test(name))

describe('amounts', () => {
  test.each(LIFECYCLE)('%s has amounts as JSON integers in whole units, never as strings', (name) => {
    expect(accepts(name, { amounts: { committed: 250 } })).toBe(true)
    for (const wrong of ['250', 250.5, -250, 0]) {
      expect(accepts(name, { amounts: { committed: wrong } }), String(wrong)).toBe(false)
    }
  })

  test('amounts.committed is null only on an investment.canceled', () => {
    expect(LIFECYCLE.filter((name) => accepts(name, { amounts: { committed: null } }))).toEqual(['investment.canceled'])
  })

  test('previous_amounts.committed is never null', () => {
    expect(accepts('investment.amount_changed', { previous_amounts: { committed: null } })).toBe(false)
  })

  test('Test events carry 250 (and 500 / 250 for investment.amount_changed)', () => {
    for (const name of LIFECYCLE) {
      const committed = name === 'investment.amount_changed' ? 500 : 250
      expect(EVENT_EXAMPLES[name]).toMatchObject({ amounts: { committed } })
    }
    expect(EVENT_EXAMPLES['investment.amount_changed'].previous_amounts.committed).toBe(250)
  })
})

describe('fields that a receiver may not see', () => {
  test.each(LIFECYCLE)('%s may leave out email and investor_totals', (name) => {
    const example = EVENT_EXAMPLES[name] as { readonly investor_totals?: unknown }
    const { investor_totals: _, ...withoutTotals } = example
    expect(Value.Check(EVENT_DATA[name], withoutTotals)).toBe(true)
    expect(accepts(name, { investor: { id: newId('user'), name: 'A' } })).toBe(true)
    expect(accepts(name, { investor: { id: newId('user'), name: 'A', email: null } }), 'absent, not null').toBe(false)
  })
})

describe('times', () => {
  test.each(EVENT_NAMES)('%s: occurred_at and observed_at carry microseconds', (name) => {
    for (const field of ['occurred_at', 'observed_at']) {
      const isCarried = field in EVENT_EXAMPLES[name]
      expect(accepts(name, { [field]: '2026-01-15T12:00:00.000001Z' })).toBe(isCarried)
      for (const wrong of ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.123Z', '2026-13-15T12:00:00.000001Z', null]) {
        expect(accepts(name, { [field]: wrong }), String(wrong)).toBe(false)
      }
    }
  })

  test('Timestamps are ISO 8601 strings in UTC', () => {
    expect(accepts('investment.canceled', { canceled_at: '2026-01-15T12:00:00+01:00' })).toBe(false)
    expect(accepts('referral_cohorts.published', { published_at: 'Monday' })).toBe(false)
  })

  test('week: ISO week, form YYYY-Www', () => {
    for (const week of ['2026-W01', '2026-W53']) expect(accepts('referral_cohorts.published', { week })).toBe(true)
    for (const week of ['2026-W00', '2026-W54', '2026-1']) {
      expect(accepts('referral_cohorts.published', { week })).toBe(false)
    }
  })
})

describe('ids', () => {
  test('have the kind that the specification’s table names, or are the fake ids of test events', () => {
    expect(accepts('investment.created', { id: newId('investment') })).toBe(true)
    expect(accepts('investment.created', { id: newId('offering') })).toBe(false)
    expect(EVENT_EXAMPLES['investment.created']).toMatchObject({
      id: 'inv_example',
      offering: 'ofr_example',
      investor: { id: 'usr_example' },
    })
  })

  test('converted_to is the id of the successor, or null if unresolved', () => {
    expect(accepts('investment.converted', { converted_to: newId('investment') })).toBe(true)
    expect(accepts('investment.converted', { converted_to: null })).toBe(true)
  })

  test('target.name is null for a user, and only for a user', () => {
    const [user, company] = [newId('user'), newId('company')]
    expect(accepts('installation.created', { target: { type: 'user', id: user, name: null } })).toBe(true)
    expect(accepts('installation.created', { target: { type: 'user', id: user, name: 'Ada' } })).toBe(false)
    expect(accepts('installation.created', { target: { type: 'company', id: company, name: null } })).toBe(false)
    expect(accepts('installation.created', { target: { type: 'company', id: user, name: 'Ada' } })).toBe(false)
  })
})

describe('join sessions', () => {
  const reasons = ['accreditation_required', 'jurisdiction', 'blocked', 'club_unavailable', 'requires_investment']

  test('ineligible_reason is one of five reasons for an ineligible session, and null for other sessions', () => {
    for (const reason of reasons) expect(accepts('join_session.ineligible', { ineligible_reason: reason })).toBe(true)
    expect(accepts('join_session.ineligible', { ineligible_reason: null })).toBe(false)
    expect(accepts('join_session.ineligible', { ineligible_reason: 'other' })).toBe(false)
    expect(accepts('join_session.expired', { ineligible_reason: 'blocked' })).toBe(false)
  })

  test('every field of theme is null for hosted sessions, and has a value for embedded sessions', () => {
    const name = 'join_session.completed'
    expect(accepts(name, { theme: { id: null, version: null, override_fingerprint: null } })).toBe(true)
    expect(accepts(name, { theme: { id: 'thm', version: 3, override_fingerprint: 'a1' } })).toBe(true)
    expect(accepts(name, { theme: { id: 'thm', version: null, override_fingerprint: null } })).toBe(false)
    expect(accepts(name, { theme: null })).toBe(false)
  })
})
