import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, type IdKind, parseId } from '#kernel/ids.ts'
import type { InvestmentState } from '#market/investments/index.ts'
import type { Audience } from './audience.ts'
import type { FilterIds } from './known-store.ts'
import type { PageKind } from './page-rows-store.ts'

export type Filters = FilterIds & { readonly status?: InvestmentState }

type FilterQuery = {
  readonly company_id?: string
  readonly offering_id?: string
  readonly investor_id?: string
  readonly status?: InvestmentState
}

const NO_FILTERS: Filters = {}

/** A malformed id gets the same response as an id that does not exist. */
export function readFilters({ company_id, offering_id, investor_id, status }: FilterQuery): Filters {
  // Most pages are requested without filters.
  if ((company_id ?? offering_id ?? investor_id ?? status) === undefined) return NO_FILTERS
  return {
    ...(company_id === undefined ? {} : { company: idOf('company', company_id) }),
    ...(offering_id === undefined ? {} : { offering: idOf('offering', offering_id) }),
    ...(investor_id === undefined ? {} : { investor: idOf('user', investor_id) }),
    ...(status === undefined ? {} : { status }),
  }
}

function idOf<K extends IdKind>(kind: K, text: string): Id<K> {
  const id = parseId(kind, text)
  if (id === null) throw notFound(`the text is not an id of a ${kind}`)
  return id
}

/** "status: filter; cannot be combined with sync." */
export function rejectStatusWithSync({ status }: Filters): void {
  if (status === undefined) return
  throw new ApiError('invalid_request', {
    public: 'status filters a listing and cannot be combined with a sync cursor or updated_since.',
    remediation:
      'Leave status out and compare the status of each record: a filtered sync would not send a record whose status has changed to another one.',
  })
}

type Narrowed = { readonly audience: Audience; readonly filters: Filters }

/**
 * "Filters only narrow within the audience." If the audience is one company, that company's id changes nothing and the
 * id of another company gets 404. If the audience is one user, that user's id changes nothing and the id of another
 * user gets 404. If the user of a `union` audience filters by their own id, the audience becomes their own investments.
 */
export function narrow(audience: Audience, filters: Filters): Narrowed {
  const { company, investor, ...rest } = filters
  if (audience.kind === 'company') {
    if (company !== undefined && company !== audience.company) throw notFound(`${company} is not the installation's`)
    return { audience, filters: { ...rest, ...(investor === undefined ? {} : { investor }) } }
  }
  if (investor !== audience.user) {
    if (audience.kind === 'own' && investor !== undefined) throw notFound(`${investor} is another person`)
    return { audience, filters }
  }
  return {
    audience: { kind: 'own', user: audience.user },
    filters: { ...rest, ...(company === undefined ? {} : { company }) },
  }
}

/** The filters that are set, in the order of the names of the statements. */
export function filterNames(filters: Filters): PageKind['filters'] {
  return (['company', 'offering', 'investor', 'status'] as const).filter((name) => filters[name] !== undefined)
}

/** Day, time to the minute, optional seconds with an optional fraction, and an optional zone. */
const TIME =
  /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d|60)(?:[.,](\d{1,9}))?)?([Zz]|([+ -])(\d\d)(?::?(\d\d))?)?$/

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000]

/**
 * "updated_since: string, ISO 8601". Returns milliseconds since 1970, rounded down, so that no change is missed. A time
 * without a zone counts as UTC. Seconds may be left out, their fraction may follow a comma, a zone may have no colon
 * and no minutes; a leap second (60) is the start of the next minute. A `+` that was not percent-encoded arrives as a
 * space and is read as `+`. A time in the future is accepted, because clocks differ, and means now.
 */
export function readUpdatedSince(text: string): number {
  const [whole, day = '', minute = '', second = '0', fraction = '', , sign = '+', hours = '0', minutes = '0'] =
    TIME.exec(text) ?? []
  const offset = Number(hours) * 60 + Number(minutes)
  if (whole === undefined || !isInCalendar(day) || Number(hours) > 23 || Number(minutes) > 59) throw malformed()
  const ms = Date.parse(`${day}T${minute}Z`) - (sign === '-' ? -offset : offset) * MINUTE_MS
  return ms + Number(second) * SECOND_MS + (second === '60' ? 0 : Math.floor(Number(`0.${fraction}0`) * SECOND_MS))
}

/** Date would read 30 February as a day in March. */
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
