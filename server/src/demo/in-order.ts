export type Order<T> = {
  /** Items that share a key run one after the other, in the order given. */
  readonly keysOf: (item: T) => Iterable<string>
  readonly run: (item: T) => Promise<void>
  /** How many run at a time. */
  readonly atOnce: number
}

/** So many may be waiting for their turn; enough to find some that need not wait. */
const AHEAD_MAX = 256

/** Runs all items, together where they have nothing in common. Ends with the first failure, once nothing runs any more. */
export async function inOrder<T>(items: Iterable<T>, { keysOf, run, atOnce }: Order<T>): Promise<void> {
  const last = new Map<string, Promise<void>>()
  const under = new Set<Promise<void>>()
  const turn = turns(atOnce)
  let failure: { readonly error: unknown } | null = null

  for (const item of items) {
    if (under.size >= AHEAD_MAX) await Promise.race(under)
    if (failure !== null) break
    const keys = [...keysOf(item)]
    const before = keys.map((key) => last.get(key))
    const done = Promise.all(before)
      .then(() => turn(async () => (failure === null ? await run(item) : undefined)))
      .catch((error) => {
        failure ??= { error }
      })
      .finally(() => under.delete(done))
    under.add(done)
    for (const key of keys) last.set(key, done)
  }
  await Promise.all(under)
  if (failure !== null) throw (failure as { readonly error: unknown }).error
}

function turns(atOnce: number) {
  let free = atOnce
  const waiting: (() => void)[] = []
  return async (work: () => Promise<void>): Promise<void> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
