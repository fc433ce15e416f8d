import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { cutPage } from './cut-page.ts'
import { type Detail, detailOf, type Granted, showsAddress } from './detail.ts'
import type { Place } from './place.ts'
import { weekTexts } from './render-stats.ts'
import type { Look } from './stats-store.ts'
import { readEntries } from './weeks-store.ts'

export type StatsAsked = {
  readonly code: Id<'referralCode'>
  /** Where the page before has ended; null: from the newest. */
  readonly place: Place | null
  /** How many weeks, and how many rows and ranges in all of them. */
  readonly size: number
  readonly entries: number
  /** The k of the next week. */
  readonly peopleMin: number
  readonly sealed: (place: Place) => string
}

/** Where the app may see more than ranges, and how much more. */
export type Entitled = ReadonlyMap<string, Granted>

export function entitledOf({ entitled }: Look): Entitled {
  const listed: readonly [string, Granted['tier'], readonly string[]][] = JSON.parse(entitled)
  return new Map(listed.map(([company, tier, scopes]) => [company, { tier, scopes }]))
}

/**
 * The weeks of a code as text, without its last two braces: the answer says more. What each says was decided when it was
 * released; how much of that the app may see is decided now.
 */
export async function readStats(
  queries: WorldQueries,
  { code, place, size, entries, peopleMin, sealed }: StatsAsked,
  { through, entitled }: { readonly through: string | null; readonly entitled: Entitled },
): Promise<string> {
  const companies = [...entitled.keys()]
  const detail = (company: string): Detail => {
    const granted = entitled.get(company)
    return granted === undefined ? 'ranges' : detailOf(granted)
  }
  const address = (company: string) => {
    const granted = entitled.get(company)
    return granted !== undefined && showsAddress(granted)
  }
  const read = await readEntries(queries, code, {
    ...{ place, through, companies, weeks: size + 1, entries: entries + 1 },
    inFull: companies.filter((company) => detail(company) === 'full'),
  })
  const { shown, next } = cutPage(read, { weeks: size, entries })
  const texts = weekTexts(shown, { detailOf: detail, showsAddress: address })
  const meta = {
    has_more: next !== null,
    page_count: texts.length,
    next_cursor: next && sealed(next),
    ...{ referral_code: code, published_through: through, k: peopleMin },
  }
  return `{"data":[${texts.join(',')}],"meta":${JSON.stringify(meta).slice(0, -1)}`
}
