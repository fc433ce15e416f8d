import { ApiError } from '#kernel/errors.ts'

/** Each holds a connection for as long as its reader takes; with all of them held, nothing else would be answered. */
const AT_ONCE_MAX = 2

/** Most exports are over by then. */
const WAIT_MS = 2_000

/** Lets so many at once, and others in as these finish; whoever would have to wait for long is told so. */
export function exportTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting = new Set<() => void>()
  return async (work) => {
    if (running >= AT_ONCE_MAX) await nextTurn(waiting)
    else running += 1
    try {
      return await work()
    } finally {
      // The turn is handed on, so that nobody comes in between.
      const [next] = waiting
      if (next === undefined) running -= 1
      else next()
    }
  }
}

function nextTurn(waiting: Set<() => void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const patience = setTimeout(() => reject(tooMany()), WAIT_MS)
  waiting.add(resolve)
  return promise.finally(() => {
    clearTimeout(patience)
    waiting.delete(resolve)
  })
}

function tooMany(): ApiError {
  return new ApiError('unavailable', {
    public: 'As many exports as can be are being read at this moment.',
    remediation: 'Try again in a few seconds.',
    headers: { 'Retry-After': '5' },
  })
}
