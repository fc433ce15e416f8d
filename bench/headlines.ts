import { median, type Row, whole } from './table.ts'

/**
 * A figure with a goal. The figure is a ratio to something that is measured in the same run, or it has a `control`, or
 * the next headline is its ratio.
 */
export type Headline = {
  readonly name: string
  readonly goal: { readonly atLeast: number } | { readonly atMost: number }
  /** The result of each round. */
  readonly rounds: readonly number[]
  readonly digits?: number
  readonly control?: Control
}

/**
 * Something simpler that each round of the same run measures too. Its result changes with the speed of the machine and
 * not with our code.
 */
type Control = { readonly name: string; readonly rounds: readonly number[] }

const recorded: Headline[] = []

/** Stores a headline of a bench; `all` prints all headlines in one table. */
export function recordHeadline(headline: Headline): void {
  recorded.push(headline)
}

export const recordedHeadlines = (): readonly Headline[] => recorded

/** The ratio of each round. The sides are measured in turns, so a slow minute of the machine affects both. */
export function ratios(ours: readonly number[], theirs: readonly number[]): readonly number[] {
  return ours.flatMap((each, at) => {
    const other = theirs[at]
    return other === undefined ? [] : [each / other]
  })
}

const LOOP_STEPS = 20_000_000

/** How many milliseconds a loop takes that always does the same. It takes longer while the machine is slow. */
export function fixedLoopMs(): number {
  const startedAt = performance.now()
  let value = 1
  for (let step = 0; step < LOOP_STEPS; step++) value = (value * 1_103_515_245 + 12_345) % 2_147_483_648
  return value < 0 ? 0 : performance.now() - startedAt
}

/** The rows of the table: each headline with its goal, then the noise of the machine. */
export function headlineRows(headlines: readonly Headline[], loopsMs: readonly number[]): readonly Row[] {
  const rows = headlines.flatMap(({ name, goal, rounds, digits = 0, control }): Row[] => {
    const isReached = 'atLeast' in goal ? median(rounds) >= goal.atLeast : median(rounds) <= goal.atMost
    const wanted =
      'atLeast' in goal ? `≥ ${goal.atLeast.toLocaleString('en')}` : `≤ ${goal.atMost.toLocaleString('en')}`
    return [
      [name, ...figures(rounds, digits), wanted, isReached ? 'reached' : 'missed'],
      ...(control === undefined ? [] : controlRows(control, rounds, digits)),
    ]
  })
  const spread = `${whole(Math.min(...loopsMs))}–${whole(Math.max(...loopsMs))}`
  return [
    ['', 'result', 'lowest and highest', 'rounds', 'goal', ''],
    ...rows,
    ['noise: a fixed loop, ms', whole(median(loopsMs)), spread, String(loopsMs.length), '', ''],
  ]
}

function controlRows({ name, rounds }: Control, ours: readonly number[], digits: number): readonly Row[] {
  return [
    [`  control: ${name}`, ...figures(rounds, digits), '', ''],
    ['  ratio to the control', ...figures(ratios(ours, rounds), 2), '', ''],
  ]
}

/** The median, the lowest and highest round, and the number of rounds. */
function figures(rounds: readonly number[], digits: number): [string, string, string] {
  const spread = `${whole(Math.min(...rounds), digits)}–${whole(Math.max(...rounds), digits)}`
  return [whole(median(rounds), digits), spread, String(rounds.length)]
}
