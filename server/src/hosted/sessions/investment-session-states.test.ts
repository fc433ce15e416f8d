import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeTable, histories, play } from '#test/state-machine.ts'
import {
  INVESTMENT_SESSION_MACHINE,
  INVESTMENT_SESSION_STATES,
  type InvestmentSessionMove,
} from './investment-session-states.ts'

const MOVES: readonly InvestmentSessionMove[] = ['create', 'start', 'complete', 'abandon', 'resume', 'expire', 'cancel']

describeTable(INVESTMENT_SESSION_MACHINE, { states: INVESTMENT_SESSION_STATES, moves: MOVES }, [
  'none create → pending [investment_session.created]',
  'pending start → in_progress [investment_session.started]',
  'in_progress complete → completed [investment_session.completed] set_investment',
  'in_progress abandon → abandoned []',
  'abandoned resume → in_progress []',
  'pending expire → expired [investment_session.expired]',
  'in_progress expire → expired [investment_session.expired]',
  'abandoned expire → expired [investment_session.expired]',
  'pending cancel → canceled [investment_session.canceled]',
  'in_progress cancel → canceled [investment_session.canceled]',
  'abandoned cancel → canceled [investment_session.canceled]',
])

describe('Investment session events', () => {
  test('states: pending, in_progress, completed, abandoned, expired, canceled', () => {
    expect([...INVESTMENT_SESSION_STATES].sort()).toEqual([
      'abandoned',
      'canceled',
      'completed',
      'expired',
      'in_progress',
      'pending',
    ])
  })

  test('each event is sent at most once, even if the recipient often leaves and comes back', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        const events = play(INVESTMENT_SESSION_MACHINE, tries).accepted.flatMap((step) => step.events)
        expect(new Set(events).size).toBe(events.length)
      }),
    )
  })

  test('a session is completed only after it was in progress, and an ended session never moves again', () => {
    fc.assert(
      fc.property(histories(MOVES), (tries) => {
        const { accepted } = play(INVESTMENT_SESSION_MACHINE, tries)
        const states = accepted.map(({ to }) => to)
        const end = states.findIndex((state) => ['completed', 'expired', 'canceled'].includes(state))
        if (end !== -1) expect(end).toBe(states.length - 1)
        if (states.includes('completed')) expect(states).toContain('in_progress')
      }),
    )
  })
})
