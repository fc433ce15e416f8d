import type { Id } from '#kernel/ids.ts'
import {
  applyForMembership,
  approveApplication,
  createSyndicate,
  type MembershipState,
  type NewSyndicate,
} from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { nextId } from '#test/later-ids.ts'
import { makeUser } from '#test/people.ts'

const CREATED = '2026-01-01T00:00:00.000000Z'

type Overrides = Partial<NewSyndicate['settings']> & Partial<Pick<NewSyndicate, 'id' | 'createdBy'>>

/** Creates a deal-by-deal syndicate whose managers approve applications, unless `settings` say otherwise. */
export async function makeSyndicate(
  tx: Tx,
  { id = nextId('syndicate'), createdBy = null, ...settings }: Overrides = {},
): Promise<Id<'syndicate'>> {
  const named = { name: 'Engine Backers', slug: id.toLowerCase(), ...settings }
  await createSyndicate(tx, { id, createdBy, settings: named }, occasionAt(CREATED))
  return id
}

/** The settings of a fund syndicate. */
export const A_FUND = { type: 'traditional_fund', require_minimum_investment: false } as const

type NewMembership = {
  readonly id?: Id<'membership'>
  readonly syndicate?: Id<'syndicate'>
  readonly user?: Id<'user'>
  readonly approvedBy?: Id<'user'>
  /** An approval leads to `approved` in a fund syndicate, and to `member` in any other syndicate. */
  readonly status?: Extract<MembershipState, 'pending' | 'approved' | 'member'>
}

/**
 * Creates an application of a new user to a new syndicate, unless these are given. A manager approves it if `status` is
 * not `pending`.
 */
export async function makeMembership(tx: Tx, wanted: NewMembership = {}): Promise<Id<'membership'>> {
  const { status = 'pending' } = wanted
  const id = wanted.id ?? nextId('membership')
  const syndicateId = wanted.syndicate ?? (await makeSyndicate(tx, status === 'approved' ? { fund: A_FUND } : {}))
  const userId = wanted.user ?? (await makeUser(tx))
  await applyForMembership(tx, { id, syndicateId, userId }, occasionAt('2026-02-01T00:00:00.000000Z'))
  if (status === 'pending') return id
  const approvedBy = wanted.approvedBy ?? (await makeUser(tx, { name: 'Mary Manager' }))
  const approved = await approveApplication(tx, { id, approvedBy }, occasionAt('2026-02-02T00:00:00.000000Z'))
  if (approved.status !== status)
    throw new Error(`an approval leads to ${approved.status} in this syndicate, not to ${status}`)
  return id
}
