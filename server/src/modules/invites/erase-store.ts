import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const ERASE = statement(
  'invite_links.erase',
  `update invite_links
      set email = null, first_name = null, last_name = null, message = null, mail_due_at = null,
          canceled_at = coalesce(canceled_at, world_now())
    where user_id = $1 or opened_by_user_id = $1
       or lower(email) in (select lower(each collate "C") from unnest($2::text[]) each)`,
)

export async function eraseRecipient(tx: Tx, user: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await tx.run(ERASE, [user, addresses])
}
