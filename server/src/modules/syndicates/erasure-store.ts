import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Whoever makes an event with the member's name holds one of these rows, and is waited for. */
const LOCK_MEMBERSHIPS = statement<{ invited_email: string | null }>(
  'erasure.lock_memberships',
  'select invited_email from memberships where user_id = $1 order by id for no key update',
)

/** The addresses the person was invited under. */
export async function lockMemberships(tx: Tx, userId: Id<'user'>): Promise<string[]> {
  const rows = await tx.many(LOCK_MEMBERSHIPS, [userId])
  return rows.map(({ invited_email }) => invited_email).filter((address) => address !== null)
}

const DELETE_BY_ACCOUNT = statement(
  'erasure.invitations_by_account',
  'delete from syndicate_invitations where user_id = $1',
)

/** Sent before the address had an account; one that has since been sent to another account is that person's. */
const DELETE_BY_ADDRESS = statement(
  'erasure.invitations_by_address',
  `delete from syndicate_invitations
    where user_id is null and email_key in (select lower(each collate "C") from unnest($1::text[]) each)`,
)

const CLEAR_MEMBERSHIPS = statement(
  'erasure.memberships',
  `update memberships set profile = '{}', invited_email = null, title = null, private_tags = '{}' where user_id = $1`,
)

export async function eraseInvitations(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await tx.run(DELETE_BY_ACCOUNT, [userId])
  await tx.run(DELETE_BY_ADDRESS, [addresses])
}

export async function eraseDirectoryEntries(tx: Tx, userId: Id<'user'>): Promise<void> {
  await tx.run(CLEAR_MEMBERSHIPS, [userId])
}
