import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { InvestorPart } from '#events/index.ts'
import type { Cents } from '#kernel/money.ts'
import { describeTable, histories, play } from '#test/state-machine.ts'
import {
  amountMove,
  createInvestment,
  INVESTMENT_MACHINE,
  INVESTMENT_STATES,
  type InvestmentMove,
  type InvestmentState,
  moveInvestment,
} from './investment-states.ts'

const MOVES: readonly InvestmentMove[] = [
  'create',
  'reinstate',
  'cancel',
  'change_amount_to_zero',
  'convert',
  'change_amount',
  'execute',
]

describeTable(INVESTMENT_MACHINE, { states: INVESTMENT_STATES, moves: MOVES }, [
  'none create → active [investment.created]',
  'none create → reserved [investment.created]',
  'canceled reinstate → active [investment.reinstated] clear_canceled_at restore_committed',
  'canceled reinstate → reserved [investment.reinstated] clear_canceled_at restore_committed',
  'active cancel → canceled [investment.canceled] set_canceled_at',
  'reserved cancel → canceled [investment.canceled] set_canceled_at',
  'active change_amount_to_zero → canceled [investment.canceled] set_canceled_at null_committed',
  'reserved change_amount_to_zero → canceled [investment.canceled] set_canceled_at null_committed',
  'active convert → converted [investment.converted] set_converted_to',
  'reserved convert → converted [investment.converted] set_converted_to',
  'active change_amount → active [investment.amount_changed] set_previous_committed',
  'reserved change_amount → reserved [investment.amount_changed] set_previous_committed',
  'executed change_amount → executed [investment.amount_changed] set_previous_committed',
  'active execute → executed [investment.executed]',
])

describe('Investment status', () => {
  test('Values: active, reserved, executed, canceled, converted', () => {
    expect([...INVESTMENT_STATES].sort()).toEqual(['active', 'canceled', 'converted', 'executed', 'reserved'])
    expectTypeOf<InvestorPart['status']>().toEqualTypeOf<InvestmentState>()
  })

  test('investment.created: a new investment is active, a new reservation is reserved', () => {
    expect(createInvestment({ testingTheWaters: false }).to).toBe('active')
    expect(createInvestment({ testingTheWaters: true }).to).toBe('reserved')
  })

  test('editing the amount to zero is a cancellation with a null amount', () => {
    const zero = moveInvestment('active', amountMove(0 as Cents))
    expect(zero.events).toEqual(['investment.canceled'])
    expect(zero.also).toContain('null_committed')
    expect(moveInvestment('active', 'cancel').also).not.toContain('null_committed')
    expect(amountMove(100 as Cents)).toBe('change_amount')
  })

  test('an executed investment may change its amount, but not to zero: the error lists the allowed moves', () => {
    expect(moveInvestment('executed', amountMove(100 as Cents)).to).toBe('executed')
    expect(() => moveInvestment('executed', amountMove(0 as Cents))).toThrow(
      expect.objectContaining({
        type: 'illegal_transition',
        details: { from: 'executed', event: 'change_amount_to_zero', allowed: ['change_amount'] },
      }),
    )
  })

  test('a reservation cannot be executed, because it must first convert into an investment', () => {
    expect(() => moveInvestment('reserved', 'execute')).toThrow(expect.objectContaining({ type: 'illegal_transition' }))
  })

  test('A conversion never sends investment.canceled, and no move is possible after it', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        const { accepted } = play(INVESTMENT_MACHINE, tries)
        for (const { move, to, events } of accepted) {
          if (to === 'converted') expect(events).toEqual(['investment.converted'])
          if (move !== 'cancel' && move !== 'change_amount_to_zero') expect(events).not.toContain('investment.canceled')
        }
        const at = accepted.findIndex(({ to }) => to === 'converted')
        if (at !== -1) expect(at).toBe(accepted.length - 1)
      }),
    )
  })
})
