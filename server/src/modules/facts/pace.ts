import { setImmediate as others } from 'node:timers/promises'

/** Of the 5 ms that nothing may hold the event loop for. */
const HELD_MS_MAX = 3

/**
 * Lets others run once this loop has had its turn. Awaiting a statement does so by itself; a thousand facts that are
 * refused at sight would otherwise keep everybody waiting.
 */
export function pace(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < HELD_MS_MAX) return
    await others()
    since = performance.now()
  }
}
