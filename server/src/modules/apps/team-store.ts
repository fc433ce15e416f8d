import type { Id } from '#kernel/ids.ts'
import type { OrganizationRole } from '#modules/organizations/index.ts'
import type { PlatformQueries, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

type Row = { readonly role: OrganizationRole }

const ROLE = `
  select m.role from platform.apps a join platform.organization_members m on m.organization_id = a.organization_id
   where a.id = $1 and a.deleted_at is null and m.account_id = $2`

const ON_PLATFORM = platformStatement<Row>('apps.team_role', ROLE)
const IN_WORLD = statement<Row>('apps.team_role_in_world', ROLE)

export async function findTeamRoleOn(
  queries: PlatformQueries,
  { app, account }: { readonly app: Id<'app'>; readonly account: Id<'account'> },
): Promise<OrganizationRole | null> {
  return (await queries.maybeOne(ON_PLATFORM, [app, account]))?.role ?? null
}

/** What an account is to the organization that owns an app, asked from a world; null for who is not on its team. */
export async function findTeamRole(
  queries: WorldQueries,
  app: Id<'app'>,
  account: Id<'account'>,
): Promise<OrganizationRole | null> {
  return (await queries.maybeOne(IN_WORLD, [app, account]))?.role ?? null
}
