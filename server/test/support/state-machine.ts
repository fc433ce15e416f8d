import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVENT_DATA } from '#events/http.ts'
import type { EventName } from '#events/index.ts'
import { ApiError } from '#kernel/errors.ts'
import { type Attempt, type Before, type StateMachine, type Transition, transition } from '#kernel/state-machine.ts'

type Machine<S extends string, M extends string> = StateMachine<S, M, string, string>
type Moved<S extends string, M extends string> = Transition<S, M, string, string>

/** `active cancel → canceled [investment.canceled] set_canceled_at`: one line of a table, as tests write it out. */
function lineOf({ from, move, to, events, also }: Moved<string, string>): string {
  return [`${from} ${move} → ${to} [${events.join(', ')}]`, ...also].join(' ')
}

export type History<S extends string, M extends string> = {
  readonly state: S | Before
  readonly accepted: readonly Moved<S, M>[]
  readonly refused: readonly { readonly attempt: Attempt<S, M>; readonly error: ApiError }[]
}

/** A move, with the chosen outcome if its row has two. */
export type Try<M extends string> = { readonly move: M; readonly outcome: 0 | 1 }

/** Tries one move after the other, like a client that does not know the table. */
export function play<S extends string, M extends string>(
  machine: Machine<S, M>,
  tries: readonly Try<M>[],
): History<S, M> {
  const accepted: Moved<S, M>[] = []
  const refused: { attempt: Attempt<S, M>; error: ApiError }[] = []
  let state: S | Before = 'none'
  for (const { move, outcome } of tries) {
    const row = machine.table[state][move]
    const attempt: Attempt<S, M> = { from: state, move, ...(Array.isArray(row) ? { into: row[outcome].to } : {}) }
    const result = attemptTo(machine, attempt)
    if (result instanceof ApiError) refused.push({ attempt, error: result })
    else accepted.push(result)
    state = result instanceof ApiError ? state : result.to
  }
  return { state, accepted, refused }
}

export type Words<S extends string, M extends string> = { readonly states: readonly S[]; readonly moves: readonly M[] }

/** Any moves in any order: many are rejected, so there are many. */
export function histories<M extends string>(moves: readonly M[]): fc.Arbitrary<Try<M>[]> {
  const oneTry = fc.record({ move: fc.constantFrom(...moves), outcome: fc.constantFrom(0 as const, 1 as const) })
  return fc.array(oneTry, { maxLength: 100, size: 'max' })
}

/**
 * Compares a machine with the table in the test: exactly the listed moves are legal, for every state × move × end, and no
 * history leads elsewhere.
 */
export function describeTable<S extends string, M extends string>(
  machine: Machine<S, M>,
  words: Words<S, M>,
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
        if (reached.length === 0) expectRefusal(attemptTo(machine, { from, move }), { from, move })
      })
    })

    test('the last event of a row can say the state it ends in', () => {
      const rows = Object.values<Readonly<Record<string, unknown>>>(machine.table).flatMap(Object.values).flat()
      const cannot = (rows as readonly { to: string; events: readonly EventName[] }[]).filter(({ to, events }) => {
        const last = events.at(-1)
        if (last === undefined) return false
        const { status } = EVENT_DATA[last].properties as { status?: { enum?: readonly string[] } }
        return status?.enum?.includes(to) !== true
      })
      expect(cannot).toEqual([])
    })

    test('in any history: no state outside the list, exactly the row’s events, and a refusal changes nothing', () => {
      fc.assert(
        fc.property(histories(words.moves), (tries) => {
          const { state, accepted, refused } = play(machine, tries)
          expect(froms).toContain(state)
          for (const step of accepted) expect(lines).toContain(lineOf(step))
          for (const { attempt, error } of refused) expectRefusal(error, attempt)
          expect(accepted.length + refused.length).toBe(tries.length)
          expect(accepted.map(({ from }) => from)).toEqual(['none', ...accepted.map(({ to }) => to)].slice(0, -1))
        }),
      )
    })
  })

  function expectRefusal(result: unknown, { from, move }: Attempt<S, M>): void {
    if (!(result instanceof ApiError)) throw new Error(`${move} from ${from} was not refused`)
    expect([result.type, result.status]).toEqual(['illegal_transition', 409])
    expect(result.details).toMatchObject({ from, event: move })
    expect(new Set(result.details?.['allowed'] as string[])).toEqual(movesFrom(from))
  }
}

function attemptTo<S extends string, M extends string>(
  machine: Machine<S, M>,
  attempt: Attempt<S, M>,
): Moved<S, M> | ApiError {
  try {
    return transition(machine, attempt)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
