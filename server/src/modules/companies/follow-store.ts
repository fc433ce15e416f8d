import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type Follow = { readonly user: Id<'user'>; readonly company: Id<'company'> }

const INSERT = statement(
  'companies.insert_follow',
  'insert into follows (user_id, company_id, followed_at) values ($1, $2, $3) on conflict do nothing',
)

export async function insertFollow(tx: Tx, { user, company }: Follow, followedAt: WorldTime): Promise<boolean> {
  return (await tx.run(INSERT, [user, company, followedAt])) === 1
}

const DELETE = statement('companies.delete_follow', 'delete from follows where user_id = $1 and company_id = $2')

export async function deleteFollow(tx: Tx, { user, company }: Follow): Promise<boolean> {
  return (await tx.run(DELETE, [user, company])) === 1
}
