import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late timers run in this thread: the one number that says whether a batch is stalling requests. */
export type EventLoopWatch = {
  /** The longest delay since it was last asked, in milliseconds. */
  worstMs(): number
  stop(): void
}

const RESOLUTION_MS = 20

export function watchEventLoop(): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return {
    worstMs() {
      // The histogram counts the timer's own period; before its first sample there is no maximum.
      const worst = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS)
      histogram.reset()
      return Math.round(worst * 10) / 10
    },
    stop: () => histogram.disable(),
  }
}
