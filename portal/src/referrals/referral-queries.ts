import { queryOptions } from '@tanstack/react-query'
import { client, type Mode, read, readAll, type Schemas } from '../api/client.ts'

export type Week = Schemas['ReferralWeek']
export type Company = Week['companies'][number]
export type Range = Schemas['ReferralRange']

export const codesQuery = (app_id: string, mode: Mode) =>
  queryOptions({
    queryKey: ['apps', app_id, 'referrals', mode],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/apps/{app_id}/referral_codes', {
            signal,
            params: { path: { app_id }, query: { mode, per_page: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

/**
 * All published weeks since the code was created, newest first. The API can split a week with very many rows: the next page then begins
 * with the same week.
 */
export const weeksQuery = (app_id: string, id: string, mode: Mode) =>
  queryOptions({
    queryKey: ['apps', app_id, 'referrals', mode, id],
    queryFn: async ({ signal }) => {
      const weeks = await readAll((cursor) =>
        read(
          client.GET('/portal/api/apps/{app_id}/referral_codes/{id}/stats', {
            signal,
            params: { path: { app_id, id }, query: { mode, per_page: 106, ...(cursor && { cursor }) } },
          }),
        ),
      )
      return joinWeeks(weeks)
    },
  })

function joinWeeks(weeks: readonly Week[]): readonly Week[] {
  return [...Map.groupBy(weeks, ({ week }) => week).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, companies: joinCompanies([first, ...more]) }],
  )
}

function joinCompanies(parts: readonly Week[]): Company[] {
  const joined = new Map<string, Company>()
  for (const company of parts.flatMap(({ companies }) => companies)) {
    const earlier = joined.get(company.company)
    joined.set(company.company, earlier === undefined ? company : withRows(earlier, company))
  }
  return [...joined.values()]
}

/** Adds the rows of `more` to those of `earlier`. A company without rows is never split. */
function withRows(earlier: Company, more: Company): Company {
  if (earlier.detail === 'full' && more.detail === 'full') return { ...earlier, rows: [...earlier.rows, ...more.rows] }
  if (earlier.detail !== 'anonymized' || more.detail !== 'anonymized') return earlier
  return { ...earlier, rows: [...earlier.rows, ...more.rows] }
}

/** The new investors of a week at one company: a range, or the exact number if the installation grants rows. */
function peopleOf(company: Company): Range | null {
  if (company.detail === 'ranges') return company.credited?.investors ?? null
  const people = new Set(company.rows.map(({ investor_token }) => investor_token)).size
  return people === 0 ? null : { min: people, max: people }
}

/**
 * The sum over companies. Null if no company has a published number. If the range of one company has no maximum, the
 * sum has none either.
 */
export function peopleIn(companies: readonly Company[]): Range | null {
  const ranges = companies.map(peopleOf).filter((range) => range !== null)
  if (ranges.length === 0) return null
  return ranges.reduce((sum, { min, max }) => ({
    min: sum.min + min,
    max: sum.max === null || max === null ? null : sum.max + max,
  }))
}

export function rangeWords(range: Range | null): string {
  if (range === null) return 'Not published'
  if (range.max === null) return `${range.min.toLocaleString('en')} or more`
  return range.min === range.max
    ? range.min.toLocaleString('en')
    : `${range.min.toLocaleString('en')} to ${range.max.toLocaleString('en')}`
}
