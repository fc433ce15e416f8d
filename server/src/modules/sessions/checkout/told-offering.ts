import type { Html } from '#http/pages/html.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { OfferingState } from '#modules/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'

/**
 * "Show only terms and facts as the API reports them … with fetch time … link": what an offering is, the catalogue says, and
 * these pages are handed its words.
 */
export type ToldOffering = {
  readonly companyName: string
  readonly testingTheWaters: boolean
  readonly status: OfferingState
  readonly currency: string
  readonly minCents: Cents | null
  readonly maxCents: Cents | null
  /** Name, tagline, terms, sums with the time they were read, dates, and the link. */
  readonly told: Html
}

export type TellOffering = (queries: WorldQueries, id: Id<'offering'>) => Promise<Omit<ToldOffering, 'maxCents'> | null>
