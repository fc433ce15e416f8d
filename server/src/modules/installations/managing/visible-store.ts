import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** "Revoked ones stay listed 30 days", in the world's time. */
const LISTED = `(i.state = 'active' or i.revoked_at > world_now() - interval '30 days')`

/** Of an app whose team asks: all of them. */
const OF_APP = `from installations i where i.app_id = $1 and ${LISTED}`

/**
 * Of anybody else: what they made or could revoke. Each by its own index, because a popular app has very many
 * installations and each person very few of them.
 */
const OF_USER = `from installations i
  where i.app_id = $1 and ${LISTED} and i.id in (
    select id from installations where installed_by_user_id = $2
    union select id from installations where user_id = $2
    union select on_company.id
            from company_people p join installations on_company on on_company.company_id = p.company_id
           where p.user_id = $2 and p.ended_at is null and p.role in ('founder', 'admin', 'editor')
    union select on_syndicate.id
            from syndicate_managers m join installations on_syndicate on on_syndicate.syndicate_id = m.syndicate_id
           where m.user_id = $2)`

type Row = { readonly id: Id<'installation'> }

const pageText = (visible: string, kinds: string, before: string, limit: string) =>
  `select i.id ${visible} and i.target_type = any(${kinds}) and (${before}::text is null or i.id < ${before})
    order by i.id desc limit ${limit}`
const countText = (visible: string, kinds: string) =>
  `select count(*)::int as count ${visible} and i.target_type = any(${kinds})`

const LIST_OF_APP = statement<Row>('installations.list_of_app', pageText(OF_APP, '$2', '$3', '$4'))
const LIST_OF_USER = statement<Row>('installations.list_of_user', pageText(OF_USER, '$3', '$4', '$5'))
const COUNT_OF_APP = statement<{ count: number }>('installations.count_of_app', countText(OF_APP, '$2'))
const COUNT_OF_USER = statement<{ count: number }>('installations.count_of_user', countText(OF_USER, '$3'))
const SEEN_BY_APP = statement<Row>('installations.seen_by_app', `select i.id ${OF_APP} and i.id = $2`)
const SEEN_BY_USER = statement<Row>('installations.seen_by_user', `select i.id ${OF_USER} and i.id = $3`)

/** Whose list it is: all of an app, or what concerns one user. */
export type Viewer = { readonly app: Id<'app'>; readonly user: Id<'user'> | null }

export type Wanted = {
  readonly targetTypes: readonly string[]
  readonly before: string | null
  readonly limit: number
}

/** The newest first. */
export async function listIds(
  queries: WorldQueries,
  { app, user }: Viewer,
  { targetTypes, before, limit }: Wanted,
): Promise<readonly Id<'installation'>[]> {
  const rows =
    user === null
      ? await queries.many(LIST_OF_APP, [app, targetTypes, before, limit])
      : await queries.many(LIST_OF_USER, [app, user, targetTypes, before, limit])
  return rows.map(({ id }) => id)
}

/** How many there are on all pages. */
export async function countListed(
  queries: WorldQueries,
  { app, user }: Viewer,
  { targetTypes }: Pick<Wanted, 'targetTypes'>,
): Promise<number> {
  const { count } =
    user === null
      ? await queries.one(COUNT_OF_APP, [app, targetTypes])
      : await queries.one(COUNT_OF_USER, [app, user, targetTypes])
  return count
}

/** Whether it is on the viewer's list, be it on a page of target types that this caller is not shown. */
export async function isListed(queries: WorldQueries, { app, user }: Viewer, id: Id<'installation'>): Promise<boolean> {
  const row =
    user === null
      ? await queries.maybeOne(SEEN_BY_APP, [app, id])
      : await queries.maybeOne(SEEN_BY_USER, [app, user, id])
  return row !== null
}
