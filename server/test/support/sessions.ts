import {
  awaitApproval,
  createInvestmentSession,
  createJoinSession,
  type InvestmentSessionInput,
  type JoinSessionInput,
  startInvestmentSession,
} from '#hosted/sessions/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { nextId } from '#test/later-ids.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'

const NEVER = '2099-01-01T00:00:00.000000Z'
const CREATED = '2026-03-01T00:00:00.000000Z'

type JoinOverrides = Partial<JoinSessionInput> & { readonly status?: 'open' | 'pending_approval' }

/**
 * Creates an open join session without a user, for a new syndicate unless one is given. With `pending_approval` it has
 * a user.
 */
export async function makeJoinSession(
  tx: Tx,
  { status = 'open', ...overrides }: JoinOverrides = {},
): Promise<Id<'joinSession'>> {
  const id = overrides.id ?? nextId('joinSession')
  const syndicateId = overrides.syndicateId ?? (await makeSyndicate(tx))
  await createJoinSession(tx, { expiresAt: NEVER, ...overrides, id, syndicateId }, occasionAt(CREATED))
  if (status === 'pending_approval') {
    const userId = overrides.userId ?? (await makeUser(tx))
    await awaitApproval(tx, { id, userId }, occasionAt('2026-03-02T00:00:00.000000Z'))
  }
  return id
}

type InvestmentOverrides = Partial<InvestmentSessionInput> & { readonly status?: 'pending' | 'in_progress' }

/**
 * Creates an investment session for an email address, at a new offering unless one is given. With `in_progress`, the
 * investor has opened it.
 */
export async function makeInvestmentSession(
  tx: Tx,
  { status = 'pending', ...overrides }: InvestmentOverrides = {},
): Promise<Id<'investmentSession'>> {
  const id = overrides.id ?? nextId('investmentSession')
  const offeringId = overrides.offeringId ?? (await makeOffering(tx))
  const recipient = overrides.userId === undefined ? { email: 'investor@example.org' } : {}
  const input = { ...recipient, expiresAt: NEVER, ...overrides, id, offeringId }
  await createInvestmentSession(tx, input, occasionAt(CREATED))
  if (status === 'in_progress') await startInvestmentSession(tx, { id }, occasionAt('2026-03-02T00:00:00.000000Z'))
  return id
}
