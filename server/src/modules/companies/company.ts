import type { Id } from '#kernel/ids.ts'
import type { Industry } from './industries.ts'
import type { BusinessModel, CompanyKind } from './vocabulary.ts'

/** What can be changed of a company, named as the columns and the facts name it. */
export type CompanyPage = {
  readonly name: string
  readonly slug: string | null
  readonly tagline: string | null
  readonly page_url: string
  readonly logo_url: string | null
  readonly card_image_url: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly industries: readonly Industry[]
  readonly business_models: readonly BusinessModel[]
  readonly promotion_opt_in: boolean
  /** Whether only the team writes on the page: nobody else asks or comments. */
  readonly questions_closed: boolean
}

/** A company stays a company and a fund a fund. */
export type Company = CompanyPage & { readonly id: Id<'company'>; readonly kind: CompanyKind }
