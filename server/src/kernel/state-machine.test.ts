import { describe, expect, test } from 'vitest'
import { ApiError } from './errors.ts'
import { allowedMoves, illegalTransition, type StateMachine, transition } from './state-machine.ts'

type State = 'shut' | 'open' | 'gone'
type Move = 'build' | 'open' | 'shut' | 'burn'

const DOOR: StateMachine<State, Move, 'door.opened' | 'door.shut' | 'door.burnt', 'call_the_joiner'> = {
  noun: 'door',
  table: {
    none: {
      build: [
        { to: 'shut', events: [] },
        { to: 'open', events: ['door.opened'] },
      ],
    },
    shut: { open: { to: 'open', events: ['door.opened'] } },
    open: {
      shut: { to: 'shut', events: ['door.shut'] },
      burn: { to: 'gone', events: ['door.shut', 'door.burnt'], also: ['call_the_joiner'] },
    },
    gone: {},
  },
}

function refusal(attempt: () => unknown): ApiError {
  try {
    attempt()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('it was not rejected')
}

describe('a state machine', () => {
  test('returns the next state, the events in order, and the additional work', () => {
    expect(transition(DOOR, { from: 'open', move: 'burn' })).toEqual({
      from: 'open',
      move: 'burn',
      to: 'gone',
      events: ['door.shut', 'door.burnt'],
      also: ['call_the_joiner'],
    })
    expect(transition(DOOR, { from: 'shut', move: 'open' }).also).toEqual([])
  })

  test('takes the named outcome if a row has two', () => {
    expect(transition(DOOR, { from: 'none', move: 'build', into: 'open' }).events).toEqual(['door.opened'])
    expect(transition(DOOR, { from: 'none', move: 'build', into: 'shut' }).events).toEqual([])
    expect(() => transition(DOOR, { from: 'none', move: 'build' })).toThrow(TypeError)
  })

  test('rejects a move that is not in the table, with the state, the move and the allowed moves', () => {
    const error = refusal(() => transition(DOOR, { from: 'open', move: 'open' }))
    expect(error.type).toBe('illegal_transition')
    expect(error.status).toBe(409)
    expect(error.details).toEqual({ from: 'open', event: 'open', allowed: ['shut', 'burn'] })
    expect(error.public).toBe('This door is open: open is not possible.')
    expect(error.remediation).toBe('Possible now: shut, burn.')
  })

  test('reports a record that does not exist yet, and a final state', () => {
    expect(refusal(() => transition(DOOR, { from: 'none', move: 'burn' })).public).toContain('There is no door yet')
    const last = refusal(() => transition(DOOR, { from: 'gone', move: 'open' }))
    expect(last.details).toEqual({ from: 'gone', event: 'open', allowed: [] })
    expect(last.remediation).toBe('Nothing else is possible from here.')
  })

  test('rejects an end state that is not in the row', () => {
    expect(refusal(() => transition(DOOR, { from: 'open', move: 'shut', into: 'gone' })).type).toBe(
      'illegal_transition',
    )
  })

  test('ignores names that every object inherits', () => {
    for (const move of ['constructor', 'toString', '__proto__'] as string[]) {
      expect(refusal(() => transition(DOOR, { from: 'shut', move: move as Move })).details).toEqual({
        from: 'shut',
        event: move,
        allowed: ['open'],
      })
    }
  })

  test('a move that a condition forbids is rejected with the reason, and is not listed as possible', () => {
    const error = illegalTransition(DOOR, { from: 'open', move: 'burn' }, 'It is raining.')
    expect(error.public).toBe('This door is open: burn is not possible. It is raining.')
    expect(error.details).toEqual({ from: 'open', event: 'burn', allowed: ['shut'] })
  })

  test('lists the moves of a state in the order of its table', () => {
    expect(allowedMoves(DOOR, 'open')).toEqual(['shut', 'burn'])
  })
})
