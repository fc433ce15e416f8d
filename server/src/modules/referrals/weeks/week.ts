import type { WorldTime } from '#kernel/clock.ts'

/** "ISO weeks, YYYY-Www", from Monday to Monday in UTC by the clock of the world. Sorts as text. */
export type Week = {
  readonly week: string
  readonly begins_at: WorldTime
  readonly ends_at: WorldTime
}
