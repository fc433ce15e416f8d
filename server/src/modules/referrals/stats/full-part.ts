import type { Id } from '#kernel/ids.ts'
import { NOBODY } from '#modules/events/index.ts'
import type { AnonymizedRow } from '../weeks/cohort-rows.ts'
import type { FullPart } from './render-stats.ts'
import type { FullRow } from './schemas.ts'
import type { Identified } from './stats-store.ts'

type Stored = { readonly rows: readonly AnonymizedRow[]; readonly corrections: readonly AnonymizedRow[] }

/**
 * "Full rows including investor identity": the rows as they were released, and beside each of them who that is, as of now,
 * so that whoever has left is named no longer. An investment that is hidden from the company stays a row of tokens.
 */
export function fullPart(
  identified: readonly Identified[],
  showsAddress: (company: Id<'company'>) => boolean,
): FullPart {
  const byPlace = Map.groupBy(identified, ({ week, company }) => `${week} ${company}`)
  return (week, company, stored) => {
    const { rows, corrections }: Stored = JSON.parse(`{${stored}}`)
    const people = byPlace.get(`${week} ${company}`) ?? []
    const address = showsAddress(company)
    const named = (row: AnonymizedRow, place: number) => withIdentity(row, people[place], address)
    const full = {
      rows: rows.map(named),
      corrections: corrections.map((row, place) => named(row, rows.length + place)),
    }
    return JSON.stringify(full).slice(1, -1)
  }
}

function withIdentity(row: AnonymizedRow, person: Identified | undefined, address: boolean): FullRow {
  if (person === undefined || person.hidden) return row
  const { investment, investor: id, name, email } = person
  const investor = { id, name: name ?? NOBODY.name, ...(address ? { email } : {}) }
  return { ...row, investment_id: investment, investor }
}
