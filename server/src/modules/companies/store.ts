import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { gatheredStatement, type SqlValue, statement, withCallers } from '#system/postgres/statement.ts'
import type { Company, CompanyPage } from './company.ts'
import type { CompanyKind } from './vocabulary.ts'

const INSERT = statement(
  'companies.insert',
  `insert into companies (id, kind, name, slug, tagline, page_url, logo_url, card_image_url, city, state, country,
                          industries, business_models, promotion_opt_in, questions_closed, created_at,
                          updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
)

export async function insertCompany(tx: Tx, company: Company, createdAt: WorldTime): Promise<void> {
  await tx.run(INSERT, [company.id, company.kind, ...columnsOf(company), createdAt])
}

const KIND = gatheredStatement<{ kind: CompanyKind }>(
  'companies.kind',
  'select kind from companies where id = $1',
  `${withCallers('id text')} select caller.at::int, kind from caller join companies c on c.id = caller.id`,
)

export async function findKind(queries: WorldQueries, id: Id<'company'>): Promise<CompanyKind | null> {
  return (await queries.maybeOne(KIND, [id]))?.kind ?? null
}

const LOCK = statement<Company>(
  'companies.lock',
  `select id, kind, name, slug, tagline, page_url, logo_url, card_image_url, city, state, country, industries,
          business_models, promotion_opt_in, questions_closed
   from companies where id = $1 for no key update`,
)

/** Lock order: users before companies before what belongs to them. */
export async function lockCompany(tx: Tx, id: Id<'company'>): Promise<Company | null> {
  return tx.maybeOne(LOCK, [id])
}

const UPDATE = statement(
  'companies.update',
  `update companies set name = $2, slug = $3, tagline = $4, page_url = $5, logo_url = $6, card_image_url = $7,
          city = $8, state = $9, country = $10, industries = $11, business_models = $12, promotion_opt_in = $13,
          questions_closed = $14, updated_at = greatest(updated_at, $15)
   where id = $1`,
)

export async function updateCompanyRow(tx: Tx, company: Company, updatedAt: WorldTime): Promise<void> {
  await tx.run(UPDATE, [company.id, ...columnsOf(company), updatedAt])
}

function columnsOf(page: CompanyPage): SqlValue[] {
  return [
    page.name,
    page.slug,
    page.tagline,
    page.page_url,
    page.logo_url,
    page.card_image_url,
    page.city,
    page.state,
    page.country,
    page.industries,
    page.business_models,
    page.promotion_opt_in,
    page.questions_closed,
  ]
}
