import type { Log } from '#system/log.ts'

/** The terminal on which the steps are drawn. */
export type Terminal = { write(text: string): unknown }

export type StepTime = { readonly name: string; readonly ms: number }

/** The line about a finished step; null if there is nothing to report. */
type Outcome = { readonly text: string; readonly [detail: string]: string | number } | null

type Step<T> = {
  /** The name of the step, one word, for the list of times. */
  readonly name: string
  /** The progress text for the person at the terminal. */
  readonly doing: string
  readonly work: (show: (progress: string) => void) => Promise<T>
  readonly outcome: (result: T) => Outcome
}

export type StartSteps = {
  run<T>(step: Step<T>): Promise<T>
  /** How long each step took, in order. */
  times(): readonly StepTime[]
}

const CLEAR_LINE = '\r\u001B[K'
const REDRAW_EVERY_MS = 50

/**
 * The steps of a start, one after the other. On a terminal the running step is drawn with its progress, and becomes a line with
 * its time when it is done. Without a terminal each step is a line in the log. A step without an outcome leaves no line.
 */
export function startSteps(log: Log, terminal: Terminal | null): StartSteps {
  const times: StepTime[] = []
  return {
    times: () => times,
    run: async ({ name, doing, work, outcome }) => {
      const startedAt = performance.now()
      log.debug(doing)
      const show = terminal === null ? () => {} : drawing(terminal, doing)
      show('')
      let result: Awaited<ReturnType<typeof work>>
      try {
        result = await work(show)
      } finally {
        terminal?.write(CLEAR_LINE)
      }
      const ms = performance.now() - startedAt
      times.push({ name, ms })
      const reached = outcome(result)
      if (reached === null) return result
      const { text, ...details } = reached
      if (terminal === null) log.info({ ...details, ms: Math.round(ms) }, text)
      else terminal.write(`  ${withDetails(text, details)} (${inSeconds(ms)} s)\n`)
      return result
    },
  }
}

export function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

function drawing(terminal: Terminal, doing: string): (progress: string) => void {
  let drawnAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    if (performance.now() - drawnAt < REDRAW_EVERY_MS) return
    drawnAt = performance.now()
    terminal.write(`${CLEAR_LINE}  ${doing} … ${progress}`)
  }
}

function withDetails(text: string, details: Readonly<Record<string, string | number>>): string {
  const shown = Object.entries(details).map(([name, value]) => `${value.toLocaleString('en')} ${name}`)
  return shown.length === 0 ? text : `${text}: ${shown.join(', ')}`
}
