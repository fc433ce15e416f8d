import { useEffect, useState } from 'react'

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

/** A time in the person's own zone, such as "19 Nov 2026, 04:12:07 UTC". */
export const exactTime = (at: string) => exact.format(new Date(at))

export function relativeTime(at: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(at) - nowMs) / 1_000)
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  if (unit === 'second' && Math.abs(seconds) < 10) return 'just now'
  return relative.format(Math.trunc(seconds / size), unit)
}

const UPDATE_EVERY_MS = 30_000

type TimeProps = {
  readonly at: string
  /** `at` is compared with a clock that is this far ahead of the browser's. */
  readonly aheadMs?: number
}

/** Shows a past or future time relative to now. The exact time is shown when the pointer is over it. */
export function Time({ at, aheadMs = 0 }: TimeProps) {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), UPDATE_EVERY_MS)
    return () => clearInterval(ticking)
  }, [])
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, nowMs + aheadMs)}
    </time>
  )
}
