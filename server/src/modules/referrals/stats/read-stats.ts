import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { type Detail, detailOf, type Granted, showsAddress } from './detail.ts'
import { fullPart } from './full-part.ts'
import { weekTexts } from './render-stats.ts'
import { identifyRows, type Look, readWeeks } from './stats-store.ts'

export type StatsAsked = {
  readonly code: Id<'referralCode'>
  /** The weeks before this one; null: from the newest. */
  readonly before: string | null
  readonly size: number
  /** The k of the next week. */
  readonly peopleMin: number
  readonly sealed: (before: string) => string
}

/** Where the app may see more than ranges, and how much more. */
export type Entitled = ReadonlyMap<string, Granted>

export function entitledOf({ entitled }: Look): Entitled {
  const listed: readonly [string, Granted['tier'], readonly string[]][] = JSON.parse(entitled)
  return new Map(listed.map(([company, tier, scopes]) => [company, { tier, scopes }]))
}

export function showsIdentity(entitled: Entitled): boolean {
  return [...entitled.values()].some((granted) => detailOf(granted) === 'full')
}

/**
 * The weeks of a code as text. What each says was decided when it was released; how much of that the app may see is
 * decided now.
 */
export async function readStats(
  queries: WorldQueries,
  { code, before, size, peopleMin, sealed }: StatsAsked,
  { through, entitled }: { readonly through: string | null; readonly entitled: Entitled },
): Promise<string> {
  const companies = [...entitled.keys()]
  const parts = await readWeeks(queries, code, { before, through, limit: size + 1, companies })
  const detail = (company: string): Detail => {
    const granted = entitled.get(company)
    return granted === undefined ? 'ranges' : detailOf(granted)
  }
  const inFull = companies.filter((company) => detail(company) === 'full')
  const weeks = [...new Set(parts.map(({ week }) => week))]
  const identified = inFull.length === 0 ? [] : await identifyRows(queries, code, { companies: inFull, weeks })
  const address = (company: string) => {
    const granted = entitled.get(company)
    return granted !== undefined && showsAddress(granted)
  }
  const texts = weekTexts(parts, { detailOf: detail, fullPart: fullPart(identified, address) })
  const shown = texts.slice(0, size)
  const last = shown.at(-1)
  const hasMore = texts.length > size
  const meta = {
    has_more: hasMore,
    page_count: shown.length,
    next_cursor: hasMore && last !== undefined ? sealed(last.week) : null,
    ...{ referral_code: code, published_through: through, k: peopleMin },
  }
  return `{"data":[${shown.map(({ text }) => text).join(',')}],"meta":${JSON.stringify(meta)}}`
}
