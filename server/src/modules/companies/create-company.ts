import type { Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Company } from './company.ts'
import { insertCompany } from './store.ts'

const NOTHING_KNOWN: Omit<Company, 'id' | 'name' | 'page_url'> = {
  kind: 'company',
  slug: null,
  tagline: null,
  logo_url: null,
  card_image_url: null,
  city: null,
  state: null,
  country: null,
  industries: [],
  business_models: [],
  promotion_opt_in: true,
  questions_closed: false,
}

export type NewCompany = Partial<Company> & Pick<Company, 'id' | 'name' | 'page_url'>

export async function createCompany(tx: Tx, company: NewCompany, { occurredAt }: Moment): Promise<void> {
  await insertCompany(tx, { ...NOTHING_KNOWN, ...company }, occurredAt)
}
