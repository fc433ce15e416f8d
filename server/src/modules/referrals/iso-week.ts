import type { WorldTime } from '#kernel/clock.ts'

const DAY_MS = 86_400_000

/**
 * "ISO week, form YYYY-Www", in UTC: weeks begin on Monday, and a week belongs to the year that has its Thursday. PostgreSQL
 * says the same with to_char(… at time zone 'UTC', 'IYYY-"W"IW').
 */
export function isoWeek(at: WorldTime): string {
  const day = new Date(`${at.slice(0, 10)}T00:00:00Z`)
  const sinceMonday = (day.getUTCDay() + 6) % 7
  const thursday = new Date(day.getTime() + (3 - sinceMonday) * DAY_MS)
  const year = thursday.getUTCFullYear()
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}
