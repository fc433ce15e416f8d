import { Type } from 'typebox'
import type { Route } from '#http/route.ts'
import { newId } from '#kernel/ids.ts'
import {
  abandonInvestmentSession,
  cancelInvestmentSession,
  createInvestmentSession,
  expireInvestmentSession,
  resumeInvestmentSession,
  startInvestmentSession,
} from '#modules/sessions/index.ts'
import { CheckoutEnd, completeCheckout } from './complete-checkout.ts'
import { AmountCents, Email, EXPIRES_IN_HOURS_DEFAULT, Exactly, ExpiresInHours, IdOf, Metadata } from './fields.ts'
import { InvestmentSession, showInvestmentSession } from './investment-session-record.ts'
import { installationOf } from './made-by.ts'
import { moves, operationOf, step, stepWith } from './moves.ts'
import { playRoute } from './play-route.ts'
import type { SandboxSettings } from './settings.ts'
import { hoursAfter } from './store.ts'

const NewInvestmentSession = Exactly(
  {
    offering: IdOf('offering'),
    email: Type.Optional(Email),
    user: Type.Optional(IdOf('user')),
    allocation_cents: Type.Optional(AmountCents),
    metadata: Type.Optional(Metadata),
    expires_in_hours: ExpiresInHours,
  },
  'SandboxNewInvestmentSession',
)

const Start = Exactly({ user: Type.Optional(IdOf('user')) }, 'SandboxSessionStart')

const createRoute = playRoute({
  operation: operationOf('investmentSession', 'create'),
  path: '/investment_sessions',
  summary: 'Make an investment session for an address or a user',
  body: NewInvestmentSession,
  record: InvestmentSession,
  status: 201,
  play: async (tx, { body, caller }, occasion) => {
    const id = newId('investmentSession')
    const { offering, email, user, allocation_cents, metadata, expires_in_hours = EXPIRES_IN_HOURS_DEFAULT } = body
    const expiresAt = await hoursAfter(tx, occasion.occurredAt, expires_in_hours)
    const said = {
      ...(email !== undefined && { email }),
      ...(user !== undefined && { userId: user }),
      ...(allocation_cents !== undefined && { allocationCents: allocation_cents }),
      ...(metadata !== undefined && { metadata }),
      ...installationOf(caller),
    }
    await createInvestmentSession(tx, { id, offeringId: offering, expiresAt, ...said }, occasion)
    return showInvestmentSession(tx, id)
  },
})

export const investmentSessionRoutes = (settings: SandboxSettings): readonly Route[] => [
  createRoute,
  ...moves(
    { of: 'investmentSession', plural: 'investment_sessions', record: InvestmentSession, show: showInvestmentSession },
    {
      start: stepWith('Have the recipient open the link', Start, (tx, { id, user }, occasion) =>
        startInvestmentSession(tx, { id, ...(user !== undefined && { userId: user }) }, occasion),
      ),
      complete: stepWith('Have the recipient invest, or name what they invested', CheckoutEnd, (tx, end, occasion) =>
        completeCheckout(tx, end, { occasion, settings }),
      ),
      abandon: step('Have the recipient go away', abandonInvestmentSession),
      resume: step('Have the recipient come back', resumeInvestmentSession),
      expire: step('Let the session expire before its time', expireInvestmentSession),
      cancel: step('Cancel the session, as the partner who made it', cancelInvestmentSession),
    },
  ),
]
