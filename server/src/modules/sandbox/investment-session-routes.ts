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
  summary: 'Create a sandbox investment session',
  description: 'Creates an investment session in the test world for an email address or for a user.',
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
      start: stepWith(
        {
          summary: 'Open an investment session',
          description: 'The recipient opens the link and starts the hosted flow.',
        },
        Start,
        (tx, { id, user }, occasion) =>
          startInvestmentSession(tx, { id, ...(user !== undefined && { userId: user }) }, occasion),
      ),
      complete: stepWith(
        {
          summary: 'Complete an investment session',
          description: 'The recipient invests, or the body names the investment that they made.',
        },
        CheckoutEnd,
        (tx, end, occasion) => completeCheckout(tx, end, { occasion, settings }),
      ),
      abandon: step(
        { summary: 'Abandon an investment session', description: 'The recipient leaves the hosted flow.' },
        abandonInvestmentSession,
      ),
      resume: step(
        { summary: 'Resume an investment session', description: 'The recipient returns to the hosted flow.' },
        resumeInvestmentSession,
      ),
      expire: step(
        { summary: 'Expire a session', description: 'The session expires before its time.' },
        expireInvestmentSession,
      ),
      cancel: step(
        {
          summary: 'Cancel a sandbox investment session',
          description: 'Cancels the session as the partner who created it.',
        },
        cancelInvestmentSession,
      ),
    },
  ),
]
