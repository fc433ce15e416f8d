import type { Id } from '#kernel/ids.ts'
import type { Detail } from './detail.ts'
import type { WeekPart } from './stats-store.ts'

/** What is read of one company's part in place of what is stored, where it is read in full. */
export type FullPart = (week: string, company: Id<'company'>, stored: string) => string

export type Rendering = {
  readonly detailOf: (company: Id<'company'>) => Detail
  readonly fullPart: FullPart
}

/** The weeks as JSON texts, put together from what was stored when each of them was released. */
export function weekTexts(parts: readonly WeekPart[], rendering: Rendering): { week: string; text: string }[] {
  const weeks = Map.groupBy(parts, ({ week }) => week)
  return [...weeks].map(([week, ofWeek]) => {
    const companies = ofWeek.map((part) => companyText(part, rendering)).filter((text) => text !== null)
    const [first] = ofWeek
    const head = `"week":"${week}","published_at":"${first?.released_at}","k":${first?.people_min}`
    return { week, text: `{${head},"companies":[${companies.join(',')}]}` }
  })
}

/** Null where there is nothing to tell: not even that there is a company. */
function companyText({ week, company_id: company, ranges, rows }: WeekPart, rendering: Rendering): string | null {
  if (company === null) return null
  const detail = rendering.detailOf(company)
  const stored = detail === 'ranges' ? ranges : rows
  if (stored === null) return null
  const members = detail === 'full' ? rendering.fullPart(week, company, stored) : stored
  return `{"company":"${company}","detail":"${detail}",${members}}`
}
