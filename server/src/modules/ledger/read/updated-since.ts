import { ApiError } from '#kernel/errors.ts'

const TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+ -]\d\d:\d\d)$/

/**
 * "updated_since: string, ISO 8601", with its zone: without one nobody knows which moment is meant. In milliseconds since
 * 1970, rounded down, so that nothing is missed. A `+` that was not percent-encoded arrives as a space and is still read.
 * The future is no mistake (clocks differ): it asks for what is new from now on.
 */
export function readUpdatedSince(text: string): number {
  const [, day = '', time = '', fraction = '', zone = ''] = TIME.exec(text) ?? []
  const offset = zone.toUpperCase().replace(' ', '+')
  const ms = Date.parse(`${day}T${time}${offset}`)
  if (Number.isNaN(ms) || !isInCalendar(day)) throw malformed()
  return ms + Math.floor(Number(`0.${fraction}0`) * 1_000)
}

/** 30 February would otherwise be taken for a day in March. */
function isInCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

function malformed(): ApiError {
  return new ApiError('invalid_request', {
    public: 'updated_since is not a time in ISO 8601 with a zone.',
    remediation: 'Write it like 2026-11-15T08:30:00Z or, percent-encoded, 2026-11-15T09:30:00%2B01:00.',
  })
}
