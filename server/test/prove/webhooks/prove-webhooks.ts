import type { Result } from './soak.ts'
import { soak } from './soak.ts'
import { openTheatre } from './with-processes.ts'

const LONG = { workers: 3, events: 400, patienceMs: 30_000, failingSteps: 11 }

/** The long form of the soak: for so many minutes, with worker processes that are killed and a PostgreSQL restarted. */
export async function proveWebhooks({
  minutes,
  seed,
}: {
  readonly minutes: number
  readonly seed: number
}): Promise<Result> {
  const theatre = await openTheatre()
  try {
    const until = performance.now() + minutes * 60_000
    return await soak(theatre, { ...LONG, seed, goesOn: () => performance.now() < until })
  } finally {
    await theatre.close()
  }
}
