import type { WallClock } from '#kernel/clock.ts'
import type { Refusal } from '../rate-limited.ts'
import type { WindowCounter, WindowRule, WindowVerdict } from './window-counter.ts'

type Window = { readonly number: number; readonly counts: Map<string, number> }

const KEYS_MAX = 100_000

/**
 * Counting in this process. Windows are aligned to the clock, so all keys of one period change windows together and
 * the old counts are dropped at once. Beyond `keysMax` keys in one window the oldest key is forgotten: it may then
 * count from zero again, which is the price of bounded memory under an attack from very many addresses.
 */
export function fixedWindowCounter(clock: WallClock, keysMax: number = KEYS_MAX): WindowCounter<WindowVerdict> {
  const windows = new Map<number, Window>()

  function current(periodSeconds: number, nowMs: number): Window {
    const number = Math.floor(nowMs / (periodSeconds * 1_000))
    const known = windows.get(periodSeconds)
    // A clock set back stays in the window it had reached: starting over would give every key its limit again.
    if (known !== undefined && known.number >= number) return known
    const fresh = { number, counts: new Map<string, number>() }
    windows.set(periodSeconds, fresh)
    return fresh
  }

  return {
    hit(rules) {
      const nowMs = clock.now()
      const looked = rules.map((rule) => ({ rule, window: current(rule.periodSeconds, nowMs) }))
      const refusals = looked
        .filter(({ rule, window }) => (window.counts.get(rule.key) ?? 0) >= rule.limit)
        .map(({ rule, window }) => refusalOf(rule, window, nowMs))
        .toSorted((a, b) => b.retryAfterSeconds - a.retryAfterSeconds)
      const [refusing] = refusals
      if (refusing !== undefined) return { allowed: false, refusing }
      for (const { rule, window } of looked) count(window.counts, rule.key, keysMax)
      return { allowed: true }
    },
  }
}

function refusalOf({ limit, periodSeconds }: WindowRule, window: Window, nowMs: number): Refusal {
  const resetAt = (window.number + 1) * periodSeconds
  return { limit, periodSeconds, resetAt, retryAfterSeconds: Math.max(1, Math.ceil(resetAt - nowMs / 1_000)) }
}

function count(counts: Map<string, number>, key: string, keysMax: number): void {
  const before = counts.get(key)
  if (before === undefined && counts.size >= keysMax) {
    const [oldest] = counts.keys()
    if (oldest !== undefined) counts.delete(oldest)
  }
  counts.set(key, (before ?? 0) + 1)
}
