/** How often the event loop checks for an answer. */
const CHECK_EVERY_MS = 10

/**
 * Calls `expired` after the event loop has checked its sockets for `ms`, in steps of 10 ms. Returns how to cancel it.
 *
 * A plain timer measures the wall clock. After a stall of the event loop it fires before the sockets are read, so an answer
 * that had arrived in time would count as silence, and a client that keeps a node busy could switch its shared limits off.
 * Here a stall of any length counts as one step: each step is a timer followed by a turn in which the sockets are read
 * (`setImmediate` runs after the poll phase).
 */
export function awakeTimer(ms: number, expired: () => void): () => void {
  let steps = Math.ceil(ms / CHECK_EVERY_MS)
  let timer: NodeJS.Timeout | null = null
  let isCanceled = false

  function wait(): void {
    timer = setTimeout(() => setImmediate(step), CHECK_EVERY_MS).unref()
  }

  function step(): void {
    if (isCanceled) return
    steps--
    if (steps > 0) wait()
    else expired()
  }

  wait()
  return () => {
    isCanceled = true
    if (timer !== null) clearTimeout(timer)
  }
}
