import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { ReferralSettings } from '../settings.ts'
import { companyExists, findCodeAt, insertVisit } from './store.ts'

export type Click = {
  readonly user: Id<'user'>
  readonly company: Id<'company'>
  /** As it stood in the link. */
  readonly code: string
  readonly clickedAt: WorldTime
}

/**
 * Somebody who is known followed a link with a code to a company's page. Whether a code is one, and not paused, is asked
 * as of when the link was followed, however late we hear of it: what anybody writes into an address is no mistake of whoever tells us, and leaves no trace. The
 * person's lock comes first: whoever forgets them waits for us and finds the click, or we wait and write none.
 */
export async function recordVisit(
  tx: Tx,
  { user, company, code, clickedAt }: Click,
  { windowDays }: Pick<ReferralSettings, 'windowDays'>,
): Promise<void> {
  const { deactivated } = await lockUser(tx, 'user', user)
  if (!(await companyExists(tx, company))) throw new UnknownReference('company', company)
  const found = await findCodeAt(tx, code, clickedAt)
  if (found === null || deactivated) return
  await insertVisit(tx, { user, company, code: found.id, clickedAt, windowDays })
}
