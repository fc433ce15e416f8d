import { useSyncExternalStore } from 'react'

/** A page without any input for this long counts as unused. */
const UNUSED_AFTER_MS = 5 * 60_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'touchmove']

const listeners = new Set<() => void>()
let isWatching = false
let isUsed = true
let untilUnused: ReturnType<typeof setTimeout> | undefined

function setUsed(next: boolean): void {
  if (next === isUsed) return
  isUsed = next
  for (const notify of listeners) notify()
}

function noticeInput(): void {
  clearTimeout(untilUnused)
  untilUnused = setTimeout(() => setUsed(false), UNUSED_AFTER_MS)
  setUsed(true)
}

/** The listeners on the window stay, so that opening another panel does not count as an input. */
function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  if (!isWatching) {
    isWatching = true
    // In the capture phase, because a component may stop the event.
    for (const input of INPUTS) addEventListener(input, noticeInput, { capture: true, passive: true })
    noticeInput()
  }
  return () => void listeners.delete(notify)
}

/**
 * Returns a `refetchInterval`: `everyMs` while the person uses the page, otherwise false. Every accepted request under `/platform`
 * prolongs the staff session, so a forgotten page of the console must not poll.
 */
export function usePolling(everyMs: number): number | false {
  return useSyncExternalStore(subscribe, () => isUsed) ? everyMs : false
}
