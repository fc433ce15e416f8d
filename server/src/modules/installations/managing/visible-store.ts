import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Target } from '../installation.ts'
import { COMPANY_ROLES } from '../installing/store.ts'

/** "Revoked ones stay listed 30 days", in the world's time. */
const LISTED = `(i.state = 'active' or i.revoked_at > world_now() - interval '30 days')`

/** Of an app whose team asks: all of them. */
const OF_APP = 'from installations i where i.app_id = $2'

/**
 * Of anybody else: what they made or could revoke. Each by its own index, because a popular app has very many
 * installations and each person very few of them.
 */
const OF_USER = `from installations i
  where i.app_id = $2 and i.id in (
    select id from installations where installed_by_user_id = $1
    union select id from installations where user_id = $1
    union select on_company.id
            from (${COMPANY_ROLES}) p join installations on_company on on_company.company_id = p.company_id
    union select on_syndicate.id
            from syndicate_managers m join installations on_syndicate on on_syndicate.syndicate_id = m.syndicate_id
           where m.user_id = $1)`

type Row = { readonly id: Id<'installation'> }

const LIST = `${LISTED} and i.target_type = any($3) and ($4::text is null or i.id < $4) order by i.id desc limit $5`
const ONE = `i.id = $3 and ($4 or ${LISTED})`
/** The user is the first parameter everywhere; where the team asks, there is none. */
const NOBODY = '$1::text is null'

const LIST_OF_APP = statement<Row>('installations.list_of_app', `select i.id ${OF_APP} and ${NOBODY} and ${LIST}`)
const LIST_OF_USER = statement<Row>('installations.list_of_user', `select i.id ${OF_USER} and ${LIST}`)
const SEEN_BY_APP = statement<Row>('installations.seen_by_app', `select i.id ${OF_APP} and ${NOBODY} and ${ONE}`)
const SEEN_BY_USER = statement<Row>('installations.seen_by_user', `select i.id ${OF_USER} and ${ONE}`)

/** Whose list it is: all of an app, or what concerns one user. */
export type Viewer = { readonly app: Id<'app'>; readonly user: Id<'user'> | null }

export type Wanted = {
  readonly targetTypes: readonly Target['type'][]
  readonly before: string | null
  readonly limit: number
}

/** The newest first. */
export async function listIds(
  queries: WorldQueries,
  { app, user }: Viewer,
  { targetTypes, before, limit }: Wanted,
): Promise<readonly Id<'installation'>[]> {
  const list = user === null ? LIST_OF_APP : LIST_OF_USER
  return (await queries.many(list, [user, app, targetTypes, before, limit])).map(({ id }) => id)
}

/** `any`: also what was revoked so long ago that no list has it. */
export type Age = 'listed' | 'any'

export async function isVisible(
  queries: WorldQueries,
  { app, user }: Viewer,
  { id, age }: { readonly id: Id<'installation'>; readonly age: Age },
): Promise<boolean> {
  const seen = user === null ? SEEN_BY_APP : SEEN_BY_USER
  return (await queries.maybeOne(seen, [user, app, id, age === 'any'])) !== null
}
