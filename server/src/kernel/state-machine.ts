import { ApiError } from './errors.ts'

/**
 * A state machine is a table: state × move → what comes of it. What the table lacks is rejected and changes nothing.
 * A row says all that follows: the next state, the events it causes (none, one or two, in this order) and what else
 * is to be done (`also`, the specification's column of that name), which the code that performs the move carries out.
 */
export type Outcome<State extends string, Event extends string, Also extends string> = {
  readonly to: State
  readonly events: readonly [] | readonly [Event] | readonly [Event, Event]
  readonly also?: readonly Also[]
}

/** Two outcomes where the specification's row says "A, or B"; they differ in `to`, by which the mover picks one. */
type Row<S extends string, E extends string, A extends string> =
  | Outcome<S, E, A>
  | readonly [Outcome<S, E, A>, Outcome<S, E, A>]

/** Before its first move a thing is in no state, which the specification writes "(none)". */
export type Before = 'none'

export type StateMachine<S extends string, M extends string, E extends string, A extends string = never> = {
  /** What moves, in words a partner reads: "investment". */
  readonly noun: string
  /** Every state has its line, even when nothing leads out of it. */
  readonly table: { readonly [From in S | Before]: { readonly [Move in M]?: Row<S, E, A> } }
}

export type Attempt<S extends string, M extends string> = {
  readonly from: S | Before
  readonly move: M
  /** Which of two outcomes is meant. */
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
  // Ours to fix, not the caller's: the row leaves a choice and the code did not make it.
  if (other !== undefined) throw new TypeError(`${machine.noun}: ${move} from ${from} may end in two states, name one`)
  return { from, move, to: outcome.to, events: outcome.events, also: outcome.also ?? [] }
}

export function allowedMoves<S extends string, M extends string>(
  machine: StateMachine<S, M, string, string>,
  from: S | Before,
): readonly M[] {
  return Object.keys(machine.table[from]) as M[]
}

/** The one refusal. Also for a move that the table has and a condition of its row forbids; `why` then names that. */
export function illegalTransition<S extends string, M extends string>(
  machine: StateMachine<S, M, string, string>,
  { from, move }: Attempt<S, M>,
  why?: string,
): ApiError {
  const allowed = allowedMoves(machine, from).filter((other) => other !== move)
  const standing = from === 'none' ? `There is no ${machine.noun} yet` : `This ${machine.noun} is ${from}`
  return new ApiError('illegal_transition', {
    public: `${standing}: ${move} is not possible.${why === undefined ? '' : ` ${why}`}`,
    remediation: allowed.length === 0 ? 'Nothing else is possible from here.' : `Possible now: ${allowed.join(', ')}.`,
    details: { from, event: move, allowed },
  })
}

/** Own keys only: a move named `constructor` is a move that the table lacks. */
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
