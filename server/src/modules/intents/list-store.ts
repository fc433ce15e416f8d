import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { ActionName, Intent, Owner } from './intent.ts'
import { COLUMNS, type IntentRow, intentOf, STATE } from './intent-row-store.ts'
import type { IntentState } from './intent-states.ts'

export type Wanted = {
  /** The intent after which the page begins; null for the newest. */
  readonly before: string | null
  readonly state: IntentState | null
  readonly resource: string | null
  readonly resourceType: 'syndicate' | 'company' | null
  readonly actions: readonly ActionName[]
  readonly limit: number
}

/** Every id begins with a letter, and this is after all of them. */
const START = '~'

/** Along the owner's own index; ids sort by time. */
const listOf = (owner: string) => `
  select ${COLUMNS} from intents i
   where i.app_id = $1 and ${owner} and i.id < $3::text collate "C"
     and ($4::text is null or ${STATE} = $4)
     and ($5::text is null or i.syndicate_id = $5 or i.company_id = $5)
     and ($6::text is null or ($6 = 'syndicate') = (i.syndicate_id is not null))
     and i.action = any($7::text[])
   order by i.id desc limit $8`

const OF_USER = statement<IntentRow>('intents.list_of_user', listOf('i.user_id = $2'))
const OF_INSTALLATION = statement<IntentRow>('intents.list_of_installation', listOf('i.installation_id = $2'))

/** The newest first. */
export async function listIntents(queries: WorldQueries, owner: Owner, wanted: Wanted): Promise<Intent[]> {
  const { before, state, resource, resourceType, actions, limit } = wanted
  const of = owner.userId === null ? OF_INSTALLATION : OF_USER
  const who: Id<'user'> | Id<'installation'> = owner.userId ?? owner.installationId
  const filters = [state, resource, resourceType, actions]
  const rows = await queries.many(of, [owner.appId, who, before ?? START, ...filters, limit])
  return rows.map(intentOf)
}
