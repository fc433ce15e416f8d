import type { CursorValue } from '#kernel/cursor.ts'

/** Where a page has ended: before the next week, or within a week, after a row or a company's ranges. */
export type Place = {
  readonly week: string
  readonly row: { readonly company: string; readonly corrected: boolean; readonly token: string } | null
}

export function placeOf(values: readonly CursorValue[] | null): Place | null {
  if (values === null) return null
  const [week, company, corrected, token] = values
  if (company === undefined) return { week: String(week), row: null }
  return { week: String(week), row: { company: String(company), corrected: corrected === true, token: String(token) } }
}

export function valuesOf({ week, row }: Place): CursorValue[] {
  return row === null ? [week] : [week, row.company, row.corrected, row.token]
}
