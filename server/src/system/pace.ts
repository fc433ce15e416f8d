import { setImmediate as others } from 'node:timers/promises'

/** Below the 5 ms for which nothing may block the event loop. */
const HELD_MS_MAX = 3

/**
 * Lets other tasks run after this loop has used its time. Awaiting a statement does so anyway; but a thousand facts that are
 * rejected without a statement would otherwise block every request.
 */
export function pace(heldMsMax = HELD_MS_MAX, now = () => performance.now()): () => Promise<void> {
  let since = now()
  return async () => {
    if (now() - since < heldMsMax) return
    await others()
    since = now()
  }
}
