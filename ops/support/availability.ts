import { setTimeout as wait } from 'node:timers/promises'

/** One request that a caller sends every 200 ms. */
type Probe = () => Promise<boolean>

/** What the probes showed: how many were sent and failed, and how long none succeeded. */
export type Availability = {
  readonly sent: number
  readonly failed: number
  /** The longest time between two successes that ends after `sinceMs`, in milliseconds. Without a failure it is the interval of the probes. */
  longestGap(sinceMs: number): number
  /** Resolves when the last `times` probes succeeded, or when the load is over. */
  steady(times: number): Promise<void>
}

const EVERY_MS = 200
/** Limits how many probes wait for a service that hangs. */
const IN_FLIGHT_MAX = 30

/** Sends a probe every 200 ms, also while earlier ones wait, until `isOver`. */
export function watch(probe: Probe, isOver: () => boolean): Availability {
  const successes: number[] = [performance.now()]
  let [sent, failed, inFlight, inRow] = [0, 0, 0, 0]
  async function send(): Promise<void> {
    inFlight += 1
    sent += 1
    const succeeded = await probe()
    inFlight -= 1
    if (succeeded) successes.push(performance.now())
    else failed += 1
    inRow = succeeded ? inRow + 1 : 0
  }
  async function watching(): Promise<void> {
    while (!isOver()) {
      if (inFlight < IN_FLIGHT_MAX) void send()
      await wait(EVERY_MS)
    }
  }
  void watching()
  return {
    get sent() {
      return sent
    },
    get failed() {
      return failed
    },
    longestGap: (sinceMs) => {
      const ends = [...successes, performance.now()]
      const gaps = ends.map((end, at) => (end < sinceMs || at === 0 ? 0 : end - (ends[at - 1] ?? end)))
      return Math.max(...gaps)
    },
    steady: async (times) => {
      while (inRow < times && !isOver()) await wait(EVERY_MS / 2)
    },
  }
}
