import type { WallClock, WallTime } from '#kernel/clock.ts'

/** A wall clock that stands still until a test moves it. */
export type MovableClock = WallClock & { advance(ms: number): void }

export function movableClock(startMs: number = Date.UTC(2026, 0, 1)): MovableClock {
  let ms = startMs
  return {
    now: () => ms as WallTime,
    advance(by) {
      ms += by
    },
  }
}
