import { ApiError } from './errors.ts'

/**
 * A state machine is a table: state × move → outcome. A move that is not in the table is rejected and changes nothing. An outcome
 * has the next state, the events it causes (none, one or two, in this order) and additional work (`also`, the specification's
 * column of that name). The code that performs the move does this work.
 */
export type Outcome<State extends string, Event extends string, Also extends string> = {
  readonly to: State
  readonly events: readonly [] | readonly [Event] | readonly [Event, Event]
  readonly also?: readonly Also[]
}

/** Two outcomes where the specification's row says "A, or B". They differ in `to`, and the caller picks one. */
type Row<S extends string, E extends string, A extends string> =
  | Outcome<S, E, A>
  | readonly [Outcome<S, E, A>, Outcome<S, E, A>]

/** A record has no state before its first move; the specification writes "(none)". */
export type Before = 'none'

export type StateMachine<S extends string, M extends string, E extends string, A extends string = never> = {
  /** The record's name for partners: "investment". */
  readonly noun: string
  /** Every state has a row, even a final one. */
  readonly table: { readonly [From in S | Before]: { readonly [Move in M]?: Row<S, E, A> } }
}

export type Attempt<S extends string, M extends string> = {
  readonly from: S | Before
  readonly move: M
  /** Picks one of two outcomes. */
  readonly into?: S
}

export type Transition<S extends string, M extends string, E extends string, A extends string> = {
  readonly from: S | Before
  readonly move: M
  readonly to: S
  readonly events: readonly E[]
  readonly also: readonly A[]
}

export function transition<S extends string, M extends string, E extends string, A extends string>(
  machine: StateMachine<S, M, E, A>,
  attempt: Attempt<S, M>,
): Transition<S, M, E, A> {
  const { from, move, into } = attempt
  const outcomes = outcomesOf(machine, from, move).filter(({ to }) => into === undefined || to === into)
  const [outcome, other] = outcomes
  if (outcome === undefined) throw illegalTransition(machine, attempt)
  // A bug in our code, not the caller's error: the row has two outcomes and the code picked none.
  if (other !== undefined) throw new TypeError(`${machine.noun}: ${move} from ${from} may end in two states, name one`)
  return { from, move, to: outcome.to, events: outcome.events, also: outcome.also ?? [] }
}

export function allowedMoves<S extends string, M extends string>(
  machine: StateMachine<S, M, string, string>,
  from: S | Before,
): readonly M[] {
  return Object.keys(machine.table[from]) as M[]
}

/**
 * The rejection of a move. Also used for a move that is in the table but forbidden by a condition; `why` then gives the reason.
 */
export function illegalTransition<S extends string, M extends string>(
  machine: StateMachine<S, M, string, string>,
  { from, move }: Attempt<S, M>,
  why?: string,
): ApiError {
  const allowed = allowedMoves(machine, from).filter((other) => other !== move)
  const situation = from === 'none' ? `There is no ${machine.noun} yet` : `This ${machine.noun} is ${from}`
  return new ApiError('illegal_transition', {
    public: `${situation}: ${move} is not possible.${why === undefined ? '' : ` ${why}`}`,
    remediation: allowed.length === 0 ? 'Nothing else is possible from here.' : `Possible now: ${allowed.join(', ')}.`,
    details: { from, event: move, allowed },
  })
}

/** Only own keys of the table count, because every object inherits keys such as `constructor`. */
function outcomesOf<S extends string, M extends string, E extends string, A extends string>(
  { table }: StateMachine<S, M, E, A>,
  from: S | Before,
  move: M,
): readonly Outcome<S, E, A>[] {
  const row = Object.hasOwn(table[from], move) ? table[from][move] : undefined
  if (row === undefined) return []
  return isChoice(row) ? row : [row]
}

function isChoice<S extends string, E extends string, A extends string>(
  row: Row<S, E, A>,
): row is readonly [Outcome<S, E, A>, Outcome<S, E, A>] {
  return Array.isArray(row)
}
