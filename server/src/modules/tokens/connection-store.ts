import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** What a token of an installation hangs on. The rows belong to installations and people, which decide on them. */
export type Connection = {
  readonly active: boolean
  /** Of the user it is on; false on a company or a syndicate. */
  readonly deactivated: boolean
  /** The account of the user it is on is disabled. */
  readonly disabled: boolean
  readonly byDefault: boolean
}

/** `for share`: it is not revoked or narrowed before what is being issued is committed, and then that goes with it. */
const LOCK = statement<{ id: string }>(
  'tokens.lock_installation',
  'select id from installations where id = $1 for share',
)

const READ = statement<Connection>(
  'tokens.read_installation',
  `select i.state = 'active' as active, u.deactivated_at is not null as deactivated,
          exists (select from disabled_holders h where h.holder_id = i.user_id) as disabled, i.by_default as "byDefault"
     from installations i left join users u on u.id = i.user_id
    where i.id = $1`,
)

/** After the app, before the code or the family. Lock first, then look in a new statement. */
export async function lockConnection(tx: Tx, id: Id<'installation'>): Promise<Connection | null> {
  if ((await tx.maybeOne(LOCK, [id])) === null) return null
  return tx.maybeOne(READ, [id])
}
