import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import type { Cents } from '#kernel/money.ts'
import { InvestorTotals } from './data/investment.ts'
import { type InvestorPart, investorTotals } from './investor-totals.ts'

const part = (status: InvestorPart['status'], units: number | null, day = 1) =>
  ({
    status,
    committedCents: units === null ? null : units * 100,
    appliedAt: worldTime(`2026-01-${String(day).padStart(2, '0')}T00:00:00.000001Z`),
  }) as InvestorPart

const NONE = { active_investment_count: 0, total_committed: 0, latest_applied_at: null, investor_status: 'none_active' }

describe('investor_totals', () => {
  test('with no remaining investment total_committed is 0, never null, and investor_status is none_active', () => {
    expect(investorTotals([])).toEqual(NONE)
    expect(investorTotals([part('canceled', null), part('canceled', 250), part('converted', 500)])).toEqual(NONE)
  })

  test.each(['active', 'reserved', 'executed'] as const)(
    'investor_status is active while an investment remains that is %s',
    (status) => {
      expect(investorTotals([part('canceled', 100, 9), part(status, 250, 3)])).toEqual({
        active_investment_count: 1,
        total_committed: 250,
        latest_applied_at: '2026-01-03T00:00:00.000001Z',
        investor_status: 'active',
      })
    },
  )

  test('a converted investment and its successor count the same money once', () => {
    expect(investorTotals([part('converted', 250), part('active', 250)]).total_committed).toBe(250)
  })

  test('totals are whole units, the same as amounts.committed', () => {
    expect(investorTotals([part('active', 250), part('reserved', 1)]).total_committed).toBe(251)
    expect(() =>
      investorTotals([{ status: 'active', committedCents: 150 as Cents, appliedAt: part('active', 1).appliedAt }]),
    ).toThrow(RangeError)
  })

  test('totals equal the sum of the remaining investments, for any investments in any order', () => {
    const anyPart = fc
      .record({
        status: fc.constantFrom('active', 'reserved', 'executed', 'canceled', 'converted'),
        units: fc.integer({ min: 1, max: 10_000_000 }),
        day: fc.integer({ min: 1, max: 31 }),
      })
      .map(({ status, units, day }) => part(status as InvestorPart['status'], units, day))
    fc.assert(
      fc.property(fc.array(anyPart), (parts) => {
        const totals = investorTotals(parts)
        const remaining = parts.filter(({ status }) => status !== 'canceled' && status !== 'converted')
        const sum = remaining.reduce((total, { committedCents }) => total + Number(committedCents), 0)
        expect(totals.active_investment_count).toBe(remaining.length)
        expect(totals.total_committed * 100).toBe(sum)
        expect(totals.latest_applied_at).toBe(
          remaining
            .map(({ appliedAt }) => appliedAt)
            .sort()
            .at(-1) ?? null,
        )
        expect(totals.investor_status).toBe(remaining.length > 0 ? 'active' : 'none_active')
        expect(investorTotals(parts.toReversed())).toEqual(totals)
        expect(Value.Check(InvestorTotals, totals)).toBe(true)
      }),
    )
  })
})
