import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { AppState } from './app.ts'

/** What people are told about an app before they trust it with something. */
export type AppDescription = {
  readonly id: Id<'app'>
  readonly name: string
  readonly logoUrl: string | null
  readonly websiteUrl: string | null
  readonly description: string | null
  readonly setupUrl: string | null
  readonly organization: { readonly id: Id<'organization'>; readonly name: string }
  readonly approved: boolean
  readonly piiApproved: boolean
  /** `ended` where the platform ended its organization. */
  readonly state: AppState | 'ended'
}

type Row = Omit<AppDescription, 'organization'> & {
  readonly organizationId: Id<'organization'>
  readonly organizationName: string
}

const DESCRIBE = statement<Row>(
  'apps.describe',
  `select a.id, a.name, a.logo_url as "logoUrl", a.website_url as "websiteUrl", a.description,
          a.setup_url as "setupUrl", o.id as "organizationId", o.name as "organizationName",
          a.approved_at is not null as approved, a.pii_approved_at is not null as "piiApproved",
          case o.state when 'ended' then 'ended' else a.state end as state
     from platform.apps a join platform.organizations o on o.id = a.organization_id
    where a.id = $1`,
)

export async function describeApp(queries: WorldQueries, app: Id<'app'>): Promise<AppDescription | null> {
  const row = await queries.maybeOne(DESCRIBE, [app])
  if (row === null) return null
  const { organizationId, organizationName, ...described } = row
  return { ...described, organization: { id: organizationId, name: organizationName } }
}
