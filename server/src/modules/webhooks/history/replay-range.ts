import { validationError } from '#kernel/errors.ts'
import type { Range } from './redelivery-store.ts'

type Asked = { readonly since: string; readonly until?: string | undefined; readonly only_failed?: boolean | undefined }

/** Before anything was ever sent, and after anybody asks: further away, PostgreSQL may not know the time. */
const FIRST_MS = Date.UTC(2000, 0)
const LAST_MS = Date.UTC(9999, 0)

/** A range the wrong way round is a mistake, and not an empty one. */
export function replayRange({ since, until, only_failed = false }: Asked): Omit<Range, 'limit'> {
  const sinceMs = readTime('since', since)
  const untilMs = until === undefined ? null : readTime('until', until)
  if (untilMs !== null && untilMs <= sinceMs) {
    throw validationError([{ field: 'until', code: 'too_early', message: 'must be later than since' }])
  }
  return { since: isoOf(sinceMs), until: untilMs === null ? null : isoOf(untilMs), onlyFailed: only_failed }
}

/** The schema has let it pass; what is no day of the calendar, or a leap second, comes to this. */
function readTime(field: string, text: string): number {
  const ms = Date.parse(text)
  if (ms >= FIRST_MS && ms <= LAST_MS) return ms
  throw validationError([{ field, code: 'invalid_format', message: 'must be a time between 2000 and 9999' }])
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
