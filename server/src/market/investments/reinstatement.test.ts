import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WorldTime, worldTime } from '#kernel/clock.ts'
import { REINSTATEMENT_GRACE_DAYS, type Reinstatable, reinstateInvestment } from './investment-moves.ts'
import { INVESTMENT_STATES } from './investment-states.ts'

const canceledAt = worldTime('2026-02-25T10:00:00.000001Z')
const canceled = (was: 'active' | 'reserved'): Reinstatable => ({ status: 'canceled', was, canceledAt })
const at = (now: string, graceDays = REINSTATEMENT_GRACE_DAYS) => ({ now: worldTime(now), graceDays })

describe('investment.reinstated: canceled investment or reservation reinstated within grace period', () => {
  test('the grace period is 7 days unless set otherwise', () => {
    expect(REINSTATEMENT_GRACE_DAYS).toBe(7)
  })

  test.each(['active', 'reserved'] as const)(
    'an investment that was %s before its cancellation has that status again',
    (was) => {
      const moved = reinstateInvestment(canceled(was), at('2026-02-26T00:00:00.000000Z'))
      expect(moved).toMatchObject({ to: was, events: ['investment.reinstated'] })
    },
  )

  test('reinstating is possible in the last microsecond of the grace period, and is rejected in the next microsecond', () => {
    expect(reinstateInvestment(canceled('active'), at('2026-03-04T10:00:00.000001Z')).to).toBe('active')
    expect(() => reinstateInvestment(canceled('active'), at('2026-03-04T10:00:00.000002Z'))).toThrow(
      expect.objectContaining({
        type: 'illegal_transition',
        public: expect.stringContaining('grace period of 7 days'),
        details: { from: 'canceled', event: 'reinstate', allowed: [] },
      }),
    )
  })

  test('the length of the grace period is a setting', () => {
    const nextDay = '2026-02-26T10:00:00.000002Z'
    expect(reinstateInvestment(canceled('active'), at(nextDay, 2)).to).toBe('active')
    expect(() => reinstateInvestment(canceled('active'), at(nextDay, 1))).toThrow(/grace period of 1 day is over/)
  })

  test.each(INVESTMENT_STATES.filter((state) => state !== 'canceled'))(
    'an investment that is %s cannot be reinstated',
    (status) => {
      expect(() => reinstateInvestment({ status }, at('2026-02-26T00:00:00.000000Z'))).toThrow(
        expect.objectContaining({ type: 'illegal_transition' }),
      )
    },
  )

  test('for any two moments: reinstating succeeds exactly if no more than the grace period is between them', () => {
    const moment = fc.record({
      ms: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 20) }),
      micros: fc.integer({ min: 0, max: 999 }),
    })
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: 0, max: 15 }), (from, to, graceDays) => {
        const investment: Reinstatable = { status: 'canceled', was: 'active', canceledAt: text(from) }
        const elapsed = BigInt(to.ms - from.ms) * 1_000n + BigInt(to.micros - from.micros)
        const attempt = () => reinstateInvestment(investment, { now: text(to), graceDays })
        if (elapsed <= BigInt(graceDays) * 86_400_000_000n) expect(attempt().to).toBe('active')
        else expect(attempt).toThrow()
      }),
    )
  })
})

function text({ ms, micros }: { ms: number; micros: number }): WorldTime {
  return worldTime(new Date(ms).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`))
}
