import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVENT_DATA } from '#events/http.ts'
import type { EventName } from '#events/index.ts'
import { ApiError } from '#kernel/errors.ts'
import { type Attempt, type Before, type StateMachine, type Transition, transition } from '#kernel/state-machine.ts'

type Machine<S extends string, M extends string> = StateMachine<S, M, string, string>
type AnyTransition<S extends string, M extends string> = Transition<S, M, string, string>

/**
 * Returns a transition as one line of a table, as tests write it: `active cancel → canceled [investment.canceled]
 * set_canceled_at`.
 */
function lineOf({ from, move, to, events, also }: AnyTransition<string, string>): string {
  return [`${from} ${move} → ${to} [${events.join(', ')}]`, ...also].join(' ')
}

export type History<S extends string, M extends string> = {
  readonly state: S | Before
  readonly accepted: readonly AnyTransition<S, M>[]
  readonly rejected: readonly { readonly attempt: Attempt<S, M>; readonly error: ApiError }[]
}

/** A move, with the chosen outcome if its row has two outcomes. */
export type Try<M extends string> = { readonly move: M; readonly outcome: 0 | 1 }

/** Tries one move after another, like a client that does not know the table. */
export function play<S extends string, M extends string>(
  machine: Machine<S, M>,
  tries: readonly Try<M>[],
): History<S, M> {
  const accepted: AnyTransition<S, M>[] = []
  const rejected: { attempt: Attempt<S, M>; error: ApiError }[] = []
  let state: S | Before = 'none'
  for (const { move, outcome } of tries) {
    const row = machine.table[state][move]
    const attempt: Attempt<S, M> = { from: state, move, ...(Array.isArray(row) ? { into: row[outcome].to } : {}) }
    const result = attemptTo(machine, attempt)
    if (result instanceof ApiError) rejected.push({ attempt, error: result })
    else accepted.push(result)
    state = result instanceof ApiError ? state : result.to
  }
  return { state, accepted, rejected }
}

export type StatesAndMoves<S extends string, M extends string> = {
  readonly states: readonly S[]
  readonly moves: readonly M[]
}

/** Generates histories: any moves in any order. A history is long, because the machine rejects many of the moves. */
export function histories<M extends string>(moves: readonly M[]): fc.Arbitrary<Try<M>[]> {
  const oneTry = fc.record({ move: fc.constantFrom(...moves), outcome: fc.constantFrom(0 as const, 1 as const) })
  return fc.array(oneTry, { maxLength: 100, size: 'max' })
}

/**
 * Compares a machine with the table in the test. From every state, a move to an end state is legal if and only if a line
 * of the table lists it. No history leads to a state that the table does not have.
 */
export function describeTable<S extends string, M extends string>(
  machine: Machine<S, M>,
  words: StatesAndMoves<S, M>,
  lines: readonly string[],
): void {
  const froms: readonly (S | Before)[] = ['none', ...words.states]
  const movesFrom = (from: string) => new Set(lines.filter((l) => l.startsWith(`${from} `)).map((l) => l.split(' ')[1]))

  describe(`the table of the ${machine.noun}`, () => {
    test('has a line for every state and nothing else', () => {
      expect(Object.keys(machine.table).sort()).toEqual([...froms].sort())
      expect(new Set(Object.values(machine.table).flatMap((row) => Object.keys(row ?? {})))).toEqual(
        new Set(words.moves),
      )
    })

    describe.each(froms)('from %s', (from) => {
      test.each(words.moves)('%s', (move) => {
        const reached = words.states.flatMap((into) => {
          const result = attemptTo(machine, { from, move, into })
          return result instanceof ApiError ? [] : [lineOf(result)]
        })
        expect(reached.sort()).toEqual(lines.filter((line) => line.startsWith(`${from} ${move} `)).sort())
        if (reached.length === 0) expectRejection(attemptTo(machine, { from, move }), { from, move })
      })
    })

    test('the schema of a row’s last event allows the row’s end state', () => {
      const rows = Object.values<Readonly<Record<string, unknown>>>(machine.table).flatMap(Object.values).flat()
      const cannot = (rows as readonly { to: string; events: readonly EventName[] }[]).filter(({ to, events }) => {
        const last = events.at(-1)
        if (last === undefined) return false
        const { status } = EVENT_DATA[last].properties as { status?: { enum?: readonly string[] } }
        return status?.enum?.includes(to) !== true
      })
      expect(cannot).toEqual([])
    })

    test('any history reaches only listed states, sends exactly the row’s events, and a rejected move changes nothing', () => {
      fc.assert(
        fc.property(histories(words.moves), (tries) => {
          const { state, accepted, rejected } = play(machine, tries)
          expect(froms).toContain(state)
          for (const step of accepted) expect(lines).toContain(lineOf(step))
          for (const { attempt, error } of rejected) expectRejection(error, attempt)
          expect(accepted.length + rejected.length).toBe(tries.length)
          expect(accepted.map(({ from }) => from)).toEqual(['none', ...accepted.map(({ to }) => to)].slice(0, -1))
        }),
      )
    })
  })

  function expectRejection(result: unknown, { from, move }: Attempt<S, M>): void {
    if (!(result instanceof ApiError)) throw new Error(`${move} from ${from} was not rejected`)
    expect([result.type, result.status]).toEqual(['illegal_transition', 409])
    expect(result.details).toMatchObject({ from, event: move })
    expect(new Set(result.details?.['allowed'] as string[])).toEqual(movesFrom(from))
  }
}

function attemptTo<S extends string, M extends string>(
  machine: Machine<S, M>,
  attempt: Attempt<S, M>,
): AnyTransition<S, M> | ApiError {
  try {
    return transition(machine, attempt)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
