import type { WorldTime } from '#kernel/clock.ts'

export const TIMES_TO_INVEST = ['direct', 'assisted', 'delayed'] as const
export type TimeToInvest = (typeof TIMES_TO_INVEST)[number]

const HOUR_MS = 3_600_000
const DIRECT_HOURS = 1
const ASSISTED_HOURS = 24

/**
 * "time_to_invest direct, assisted, delayed." From the click to the investment: direct within an hour, assisted within
 * a day, delayed after that. The bounds belong to the quicker one. Milliseconds will do.
 */
export function timeToInvest(clickedAt: WorldTime, appliedAt: WorldTime): TimeToInvest {
  const hours = (Date.parse(appliedAt) - Date.parse(clickedAt)) / HOUR_MS
  if (hours <= DIRECT_HOURS) return 'direct'
  return hours <= ASSISTED_HOURS ? 'assisted' : 'delayed'
}
