import type { Id } from '#kernel/ids.ts'
import { NOBODY } from '#modules/events/index.ts'
import type { Detail } from './detail.ts'
import type { WeekEntry } from './weeks-store.ts'

export type Rendering = {
  readonly detailOf: (company: Id<'company'>) => Detail
  readonly showsAddress: (company: Id<'company'>) => boolean
}

/** The weeks as JSON texts, put together from what was stored when each of them was released. */
export function weekTexts(entries: readonly WeekEntry[], rendering: Rendering): string[] {
  return [...Map.groupBy(entries, ({ week }) => week)].map(([week, ofWeek]) => {
    const [first] = ofWeek
    const head = `"week":"${week}","published_at":"${first?.released_at}","k":${first?.people_min}`
    // A week that says nothing has an entry without a company: there is not even that.
    const companies = [...Map.groupBy(ofWeek, ({ company }) => company)].flatMap(([company, ofCompany]) =>
      company === null ? [] : [companyText(company, ofCompany, rendering)],
    )
    return `{${head},"companies":[${companies.join(',')}]}`
  })
}

function companyText(company: Id<'company'>, entries: readonly WeekEntry[], rendering: Rendering): string {
  const detail = rendering.detailOf(company)
  const members = detail === 'ranges' ? entries.map(({ said }) => said).join() : rowsText(company, entries, rendering)
  return `{"company":"${company}","detail":"${detail}",${members}}`
}

function rowsText(company: Id<'company'>, entries: readonly WeekEntry[], { showsAddress }: Rendering): string {
  const address = showsAddress(company)
  const texts = (corrected: boolean) =>
    entries.filter((entry) => entry.corrected === corrected).map((entry) => rowText(entry, address))
  return `"rows":[${texts(false).join(',')}],"corrections":[${texts(true).join(',')}]`
}

/**
 * "Full rows including investor identity": the row as it was released, and beside it who that is, as of now, so that whoever
 * has left is named no longer.
 */
function rowText({ said, investment, investor: id, name, email }: WeekEntry, address: boolean): string {
  if (said === null || investment === null) return said ?? ''
  const investor = { id, name: name ?? NOBODY.name, ...(address ? { email } : {}) }
  return `${said.slice(0, -1)},"investment_id":"${investment}","investor":${JSON.stringify(investor)}}`
}
