import { lockActiveUser, lockUser, type Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { requireCompany } from './known-company.ts'
import { deleteFollow, type Follow, insertFollow } from './store.ts'

/** What the caller asked for holds now; `changed` is false where it held before. */
export type FollowState = { readonly followed: boolean; readonly changed: boolean }

/** Following what one follows keeps the time at which it began. */
export async function followCompany(tx: Tx, follow: Follow, { occurredAt }: Moment): Promise<FollowState> {
  await lockActiveUser(tx, 'user', follow.user)
  await requireCompany(tx, 'company', follow.company)
  return { followed: true, changed: await insertFollow(tx, follow, occurredAt) }
}

export async function unfollowCompany(tx: Tx, follow: Follow): Promise<FollowState> {
  await lockUser(tx, 'user', follow.user)
  await requireCompany(tx, 'company', follow.company)
  return { followed: false, changed: await deleteFollow(tx, follow) }
}
