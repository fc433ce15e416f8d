import { validationError } from '#kernel/errors.ts'
import type { Range } from './redelivery-store.ts'

type Asked = { readonly since: string; readonly until?: string | undefined; readonly only_failed?: boolean | undefined }

/** Before anything was ever sent, and after anybody asks: further away, PostgreSQL may not know the time. */
const FIRST_MS = Date.UTC(2000, 0)
const LAST_MS = Date.UTC(9999, 0)

/** A range the wrong way round is a mistake, and not an empty one. */
export function replayRange({ since: from, until: to, only_failed: onlyFailed = false }: Asked): Omit<Range, 'limit'> {
  const since = readTime('since', from)
  const until = to === undefined ? null : readTime('until', to)
  if (until !== null && until <= since) {
    throw validationError([{ field: 'until', code: 'too_early', message: 'must be later than since' }])
  }
  return { since, until, onlyFailed }
}

/** To the second, its fraction if any, and the zone. */
const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)$/

/**
 * In the form in which all times are written here, UTC with six digits, which compares as text and is `continue_since` to
 * the microsecond. The schema has let it pass; what is no day of the calendar, or a leap second, comes to this.
 */
function readTime(field: string, text: string): string {
  const [, day, time, fraction = '', zone = ''] = TIME.exec(text) ?? []
  const ms = Date.parse(`${day}T${time}${zone.toUpperCase()}`)
  if (ms >= FIRST_MS && ms <= LAST_MS) {
    return `${new Date(ms).toISOString().slice(0, -'.000Z'.length)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
  }
  throw validationError([{ field, code: 'invalid_format', message: 'must be a time between 2000 and 9999' }])
}
