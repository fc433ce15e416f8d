import { Type } from 'typebox'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import {
  FUNDING_STATUSES,
  INVESTMENT_SESSION_STATES,
  KYC_STATUSES,
  readInvestmentSession,
} from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { IdOf, Metadata, OneOf, OrNull, Resource, Time } from './fields.ts'

export const InvestmentSession = Resource(
  { kind: 'investmentSession', type: 'investment_session', title: 'SandboxInvestmentSession' },
  {
    offering: IdOf('offering'),
    status: OneOf(INVESTMENT_SESSION_STATES),
    email: OrNull(Type.String()),
    user: OrNull(IdOf('user')),
    currency: Type.String(),
    allocation_cents: OrNull(Type.Integer()),
    kyc_status: OrNull(OneOf(KYC_STATUSES)),
    funding_status: OrNull(OneOf(FUNDING_STATUSES)),
    investment: OrNull(IdOf('investment')),
    installation: OrNull(IdOf('installation')),
    metadata: Metadata,
    created_at: Time,
    started_at: OrNull(Time),
    ended_at: OrNull(Time),
    expires_at: Time,
  },
)

/** The schema picks the fields that are shown. */
export async function showInvestmentSession(tx: Tx, id: Id<'investmentSession'>) {
  const session = await readInvestmentSession(tx, id)
  if (session === null) throw new UnknownReference('id', id)
  const { id: _, ...attributes } = session
  return { id, type: 'investment_session' as const, attributes }
}
