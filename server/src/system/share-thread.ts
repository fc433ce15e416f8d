import { setImmediate as otherTasks } from 'node:timers/promises'

/** Less than 5 ms, the longest time for which any code may block the event loop. */
const BLOCKED_MS_MAX = 3

/**
 * Returns a function for a loop to await in each pass: it lets other tasks run when the loop has blocked the thread for
 * `blockedMsMax`. A loop that awaits a statement also lets other tasks run, but without this function a thousand facts that are
 * rejected without a statement would block every request.
 */
export function pace(blockedMsMax = BLOCKED_MS_MAX, now = () => performance.now()): () => Promise<void> {
  let since = now()
  return async () => {
    if (now() - since < blockedMsMax) return
    await otherTasks()
    since = now()
  }
}

type Steps<Part, Read, Made> = {
  readonly read: (part: Part) => Promise<Read>
  readonly make: (read: Read) => Promise<Made>
  readonly write: (made: Made) => Promise<void>
}

/** The longest time that `make` may block the thread. The same thread sends PostgreSQL its next statement. */
export const MAKING_MS_MAX = 0.5

/**
 * Makes one part while the next part is read and the previous parts are written, so that PostgreSQL and this thread work at the
 * same time and PostgreSQL always has its next write queued. Parts stay in order, with at most four at once. On failure it
 * throws the first error, not an error that follows from it, and starts nothing more.
 */
export async function overlapped<Part, Read, Made>(
  parts: readonly Part[],
  { read, make, write }: Steps<Part, Read, Made>,
): Promise<void> {
  const [first, ...others] = parts
  if (first === undefined) return
  const failures: unknown[] = []
  // The promise is awaited later. Without this handler Node would report its rejection as unhandled until then.
  const begun = <T>(work: Promise<T>): Promise<T> => {
    work.catch((error: unknown) => failures.push(error))
    return work
  }
  let reading = begun(read(first))
  let [writingBefore, writing] = [Promise.resolve(), Promise.resolve()]
  try {
    for (const next of [...others, undefined]) {
      const input = await reading
      if (next !== undefined) reading = begun(read(next))
      const made = await begun(make(input))
      await writingBefore
      if (failures.length > 0) break
      ;[writingBefore, writing] = [writing, begun(write(made))]
    }
  } catch (error) {
    failures.push(error)
  }
  await Promise.allSettled([reading, writingBefore, writing])
  if (failures.length > 0) throw failures[0]
}
