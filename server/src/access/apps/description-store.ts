import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { AppState } from './app.ts'
import { logoUrl } from './change-logo.ts'

/** What people are told about an app before they trust it with something. */
export type AppDescription = {
  readonly id: Id<'app'>
  readonly name: string
  /** On our own host. */
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

type Row = Omit<AppDescription, 'organization' | 'logoUrl'> & {
  readonly logoDigest: Buffer | null
  readonly organizationId: Id<'organization'>
  readonly organizationName: string
}

const DESCRIBED = `select a.id, a.name, l.digest as "logoDigest", a.website_url as "websiteUrl", a.description,
         a.setup_url as "setupUrl", o.id as "organizationId", o.name as "organizationName",
         a.approved_at is not null as approved, a.pii_approved_at is not null as "piiApproved",
         case o.state when 'ended' then 'ended' else a.state end as state
    from platform.apps a join platform.organizations o on o.id = a.organization_id
    left join platform.app_logos l on l.app_id = a.id
   where a.id = $1`

const DESCRIBE = statement<Row>('apps.describe', `${DESCRIBED} and a.deleted_at is null`)
const DESCRIBE_FORMER = statement<Row>('apps.describe_former', DESCRIBED)

export async function describeApp(queries: WorldQueries, app: Id<'app'>): Promise<AppDescription | null> {
  return described(await queries.maybeOne(DESCRIBE, [app]))
}

/** A deleted app too, for the pages that say who asked for something while it was there. */
export async function describeFormerApp(queries: WorldQueries, app: Id<'app'>): Promise<AppDescription | null> {
  return described(await queries.maybeOne(DESCRIBE_FORMER, [app]))
}

function described(row: Row | null): AppDescription | null {
  if (row === null) return null
  const { organizationId, organizationName, logoDigest, ...rest } = row
  const organization = { id: organizationId, name: organizationName }
  return { ...rest, logoUrl: logoUrl(row.id, logoDigest), organization }
}

const BY_LEGACY_ID = statement<{ id: Id<'app'> }>(
  'apps.by_legacy_id',
  'select id from platform.apps where legacy_id = $1::bigint',
)

const DIGITS = /^[0-9]{1,15}$/

/** An app by its id, or by the integer that older versions of the API have for it; null for an unknown integer. */
export async function appByAnyId(queries: WorldQueries, id: string): Promise<Id<'app'> | null> {
  if (!DIGITS.test(id)) return id as Id<'app'>
  return (await queries.maybeOne(BY_LEGACY_ID, [id]))?.id ?? null
}
