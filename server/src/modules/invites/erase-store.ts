import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const ERASE = statement(
  'invite_links.erase',
  `with theirs as materialized (
     select id, canceled_at from invite_links
      where user_id = $1 or opened_by_user_id = $1
         or lower(email) in (select lower(each collate "C") from unnest($2::text[]) each)
      order by id for no key update),
   noted as (
     insert into invite_link_events (invite_link_id, event) select id, 'cancel' from theirs where canceled_at is null)
   update invite_links l
      set email = null, first_name = null, last_name = null, message = null, mail_due_at = null,
          canceled_at = coalesce(l.canceled_at, world_now())
     from theirs where l.id = theirs.id`,
)

export async function eraseRecipient(tx: Tx, user: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await tx.run(ERASE, [user, addresses])
}
