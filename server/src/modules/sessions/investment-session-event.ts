import type { WorldTime } from '#kernel/clock.ts'
import { parseCents } from '#kernel/money.ts'
import type { EventNameOf, NewEvent } from '#modules/events/index.ts'
import type { InvestmentSessionRow } from './store.ts'

/** Reaches only the app that created the session; fan-out picks the installation for each event. */
export function investmentSessionEvent(
  name: EventNameOf<'investment_session'>,
  session: InvestmentSessionRow,
  occurredAt: WorldTime,
): NewEvent {
  const { installation_id, app_id, user_id, investment_id, email } = session
  return {
    name,
    subject: {
      companyId: session.company_id,
      offeringId: session.offering_id,
      investmentSessionId: session.id,
      ...(installation_id === null ? {} : { installationId: installation_id }),
      ...(app_id === null ? {} : { appId: app_id }),
      ...(user_id === null ? {} : { userId: user_id }),
      ...(investment_id === null ? {} : { investmentId: investment_id }),
    },
    occurredAt,
    data: {
      id: session.id,
      offering: session.offering_id,
      status: session.status,
      // The address, if there is one, lies over this; once it is erased, this is what remains.
      email: null,
      allocation_cents: session.allocation_cents === null ? null : parseCents(session.allocation_cents),
      expires_at: session.expires_at,
      ...(investment_id === null ? {} : { investment: investment_id }),
    },
    ...(email === null ? {} : { identity: { email } }),
  }
}
