import { ApiError } from '#kernel/errors.ts'

/** Day, time to the minute, its seconds and their fraction if any, and the zone if any. */
const TIME =
  /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d|60)(?:[.,](\d{1,9}))?)?([Zz]|([+ -])(\d\d)(?::?(\d\d))?)?$/

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000]

/**
 * "updated_since: string, ISO 8601". A time without a zone counts as UTC. In milliseconds since 1970, rounded down, so that nothing is missed. Seconds may be left out, their fraction may follow a comma, a zone may
 * have no colon and no minutes; a leap second (60) is the minute after it. A `+` that was not percent-encoded arrives as a
 * space and is still read. The future is no mistake (clocks differ): it asks for what is new from now on.
 */
export function readUpdatedSince(text: string): number {
  const [whole, day = '', minute = '', second = '0', fraction = '', , sign = '+', hours = '0', minutes = '0'] =
    TIME.exec(text) ?? []
  const offset = Number(hours) * 60 + Number(minutes)
  if (whole === undefined || !isInCalendar(day) || Number(hours) > 23 || Number(minutes) > 59) throw malformed()
  const ms = Date.parse(`${day}T${minute}Z`) - (sign === '-' ? -offset : offset) * MINUTE_MS
  return ms + Number(second) * SECOND_MS + (second === '60' ? 0 : Math.floor(Number(`0.${fraction}0`) * SECOND_MS))
}

/** 30 February would otherwise be taken for a day in March. */
function isInCalendar(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function malformed(): ApiError {
  return new ApiError('invalid_request', {
    public: 'updated_since is not a time in ISO 8601.',
    remediation: 'Write it like 2026-11-15T08:30:00Z or, percent-encoded, 2026-11-15T09:30:00%2B01:00.',
  })
}
