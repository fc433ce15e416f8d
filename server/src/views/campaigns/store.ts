import { findInstallations } from '#access/installations/index.ts'
import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { mayEdit } from '#market/companies/index.ts'
import type { OfferingState } from '#market/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type CampaignRow = {
  readonly id: Id<'offering'>
  /** bigint arrives as text. */
  readonly legacy_id: string
  readonly status: OfferingState
  readonly testing_the_waters: boolean
  readonly company_id: Id<'company'>
  readonly company_name: string
  readonly slug: string | null
  readonly page_url: string
  readonly currency: string
  /** bigint arrives as text. */
  readonly raised_cents: string
  readonly funding_target_cents: string | null
  readonly investor_count: number
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
  readonly closed_at: WorldTime | null
}

/** Sorts after every id, because every id begins with a letter. */
const START = '~'

/**
 * Reads at most one page of rows of each company: the scan of the index starts at the page's first row, so every page costs the
 * same. A cursor of an older version counts rows; only for such a cursor are the rows before the page read too. The team of a
 * company sees all its rounds, also private ones.
 */
const listOf = (companies: string) => `
  with page as materialized (
    select near.id
      from (${companies}) mine
      cross join lateral (
        select o.id from offerings o where o.company_id = mine.company_id and o.id < $2::text collate "C"
         order by o.id desc limit $3::bigint + $4::bigint) near
     order by near.id desc limit $3 offset $4)
  select o.id, o.legacy_id, o.status, o.testing_the_waters, o.company_id, c.name as company_name, c.slug, c.page_url, o.currency,
         e.raised_cents, o.funding_target_cents, e.investor_count, o.created_at, o.updated_at, o.closed_at
    from page
    cross join lateral (
      select id, legacy_id, status, testing_the_waters, company_id, currency, funding_target_cents, created_at, updated_at, closed_at
        from offerings where id = page.id offset 0) o
    cross join lateral (select name, slug, page_url from companies where id = o.company_id offset 0) c
    cross join lateral (select raised_cents, investor_count from catalog_entries
                         where offering_id = page.id offset 0) e
   order by page.id desc`

/** Only companies that the user may edit. An employee is on the company's team but gets no campaigns of it. */
const OF_USER = statement<CampaignRow>(
  'campaigns.of_user',
  listOf(`select distinct p.company_id from company_people p
           where p.user_id = $1 and ${mayEdit('p')}`),
)
const OF_COMPANY = statement<CampaignRow>('campaigns.of_company', listOf('select $1::text collate "C" as company_id'))

type Wanted = { readonly after: string | null; readonly skip: number; readonly limit: number }

/** Returns the newest campaigns first. */
export async function campaignRows(
  queries: WorldQueries,
  whose: Whose,
  { after, skip, limit }: Wanted,
): Promise<CampaignRow[]> {
  const [list, owner] = 'user' in whose ? [OF_USER, whose.user] : [OF_COMPANY, whose.company]
  return queries.many(list, [owner, after ?? START, limit, skip])
}

export type Whose = { readonly user: Id<'user'> } | { readonly company: Id<'company'> }

/**
 * "read:companies: companies the user can access with their rounds". An installation on a company reads that company's campaigns,
 * because the install page says that the app will see "this company, its offerings". A syndicate has no campaigns.
 */
export async function whoseCampaigns(queries: WorldQueries, caller: UserCaller | InstallationCaller): Promise<Whose> {
  if (caller.kind === 'user') return { user: caller.userId }
  const [installation] = await findInstallations(queries, [caller.installationId])
  const target = installation?.target
  if (target?.type === 'user') return { user: target.id }
  if (target?.type === 'company') return { company: target.id }
  throw new ApiError('forbidden', {
    public: 'This token acts for a syndicate, and only companies have campaigns.',
    remediation: 'Use a user token, or the token of an installation on a company.',
  })
}
