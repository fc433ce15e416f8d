import { setImmediate as others } from 'node:timers/promises'

/** Of the 5 ms that nothing may hold the event loop for. */
const HELD_MS_MAX = 3

/**
 * Lets others run once this loop has had its turn. Awaiting a statement does so by itself; a thousand facts that are
 * rejected at sight would otherwise keep everybody waiting.
 */
export function pace(heldMsMax = HELD_MS_MAX, now = () => performance.now()): () => Promise<void> {
  let since = now()
  return async () => {
    if (now() - since < heldMsMax) return
    await others()
    since = now()
  }
}
