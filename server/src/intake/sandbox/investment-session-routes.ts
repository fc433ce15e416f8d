import { type Static, Type } from 'typebox'
import type { Occasion } from '#events/index.ts'
import {
  abandonInvestmentSession,
  cancelInvestmentSession,
  completeInvestmentSession,
  createInvestmentSession,
  expireInvestmentSession,
  FUNDING_STATUSES,
  INVESTMENT_SESSION_MACHINE,
  INVESTMENT_SESSION_STATES,
  KYC_STATUSES,
  playInvestment,
  readInvestmentSession,
  resumeInvestmentSession,
  startInvestmentSession,
} from '#hosted/sessions/index.ts'
import type { Route } from '#http/route.ts'
import { AmountCents, exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  installationOf,
  MOVE_ACCESS,
  moves,
  operationOf,
  playRoute,
  type SandboxSettings,
  step,
  stepWith,
} from './play-route.ts'
import { Email, EXPIRES_IN_HOURS_DEFAULT, ExpiresInHours, Metadata, Resource, Time } from './records.ts'
import { hoursAfter } from './store.ts'

const InvestmentSession = Resource(
  { kind: 'investmentSession', type: 'investment_session', title: 'SandboxInvestmentSession' },
  {
    offering: idOf('offering'),
    status: oneOf(INVESTMENT_SESSION_STATES),
    email: nullable(Type.String()),
    user: nullable(idOf('user')),
    currency: Type.String(),
    allocation_cents: nullable(Type.Integer()),
    kyc_status: nullable(oneOf(KYC_STATUSES)),
    funding_status: nullable(oneOf(FUNDING_STATUSES)),
    investment: nullable(idOf('investment')),
    installation: nullable(idOf('installation')),
    metadata: Metadata,
    created_at: Time,
    started_at: nullable(Time),
    ended_at: nullable(Time),
    expires_at: Time,
  },
)

/** The response schema selects the fields that are shown. */
async function showInvestmentSession(tx: Tx, id: Id<'investmentSession'>) {
  const session = await readInvestmentSession(tx, id)
  if (session === null) throw new UnknownReference('id', id)
  const { id: _, ...attributes } = session
  return { id, type: 'investment_session' as const, attributes }
}

const NewInvestmentSession = exactly(
  {
    offering: idOf('offering'),
    email: Type.Optional(Email),
    user: Type.Optional(idOf('user')),
    allocation_cents: Type.Optional(AmountCents),
    metadata: Type.Optional(Metadata),
    expires_in_hours: ExpiresInHours,
  },
  'SandboxNewInvestmentSession',
)

const Start = exactly({ user: Type.Optional(idOf('user')) }, 'SandboxSessionStart')

const createRoute = playRoute({
  operation: operationOf('investmentSession', 'create'),
  path: '/investment_sessions',
  summary: 'Create a sandbox investment session',
  description: 'Creates an investment session in the test world for an email address or for a user.',
  body: NewInvestmentSession,
  record: InvestmentSession,
  access: MOVE_ACCESS.person,
  status: 201,
  play: async (tx, { body, caller }, occasion) => {
    const id = newId('investmentSession')
    const { offering, email, user, allocation_cents, metadata, expires_in_hours = EXPIRES_IN_HOURS_DEFAULT } = body
    const expiresAt = await hoursAfter(tx, occasion.occurredAt, expires_in_hours)
    const terms = {
      ...(email !== undefined && { email }),
      ...(user !== undefined && { userId: user }),
      ...(allocation_cents !== undefined && { allocationCents: allocation_cents }),
      ...(metadata !== undefined && { metadata }),
      ...installationOf(caller),
    }
    await createInvestmentSession(tx, { id, offeringId: offering, expiresAt, ...terms }, occasion)
    return showInvestmentSession(tx, id)
  },
})

export const investmentSessionRoutes = (settings: SandboxSettings): readonly Route[] => [
  createRoute,
  ...moves(
    {
      of: 'investmentSession',
      plural: 'investment_sessions',
      access: MOVE_ACCESS.person,
      record: InvestmentSession,
      show: showInvestmentSession,
    },
    {
      start: stepWith(
        {
          summary: 'Start an investment session',
          description: 'The recipient opens the link and starts the hosted flow.',
        },
        Start,
        (tx, { id, user }, occasion) =>
          startInvestmentSession(tx, { id, ...(user !== undefined && { userId: user }) }, occasion),
      ),
      complete: stepWith(
        {
          summary: 'Complete an investment session',
          description: 'The recipient invests, or the body names the investment that the recipient made.',
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
        { summary: 'Expire an investment session', description: 'The session expires now, before its expires_at.' },
        expireInvestmentSession,
      ),
      cancel: step(
        {
          summary: 'Cancel a sandbox investment session',
          description: 'The partner that created the session cancels it.',
        },
        cancelInvestmentSession,
      ),
    },
  ),
]

const CheckoutEnd = exactly(
  {
    investment: Type.Optional(idOf('investment')),
    user: Type.Optional(idOf('user')),
    amount_cents: Type.Optional(AmountCents),
  },
  'SandboxCheckoutEnd',
)

type End = { readonly id: Id<'investmentSession'> } & Static<typeof CheckoutEnd>

type Around = { readonly occasion: Occasion; readonly settings: SandboxSettings }

/**
 * "Recipient's investment created and confirmed." Uses the investment that the body names. If it names no investment,
 * creates and confirms one as on the hosted page: for the session's person and amount, unless the body has others.
 */
async function completeCheckout(tx: Tx, end: End, around: Around): Promise<void> {
  const { id } = end
  const investmentId = end.investment ?? (await invest(tx, end, around))
  await completeInvestmentSession(tx, { id, investmentId }, around.occasion)
}

async function invest(
  tx: Tx,
  { id, user, amount_cents }: End,
  { occasion, settings }: Around,
): Promise<Id<'investment'>> {
  const session = (await showInvestmentSession(tx, id)).attributes
  // An ended session is rejected before the offering is checked.
  transition(INVESTMENT_SESSION_MACHINE, { from: session.status, move: 'complete' })
  const investor = user ?? session.user ?? required('user', 'because this session has no user')
  const amount =
    amount_cents ?? session.allocation_cents ?? required('amount_cents', 'because the session has no fixed amount')
  const played = { offering: session.offering, investor, amount_cents: amount }
  return playInvestment(tx, played, { occasion, crediting: settings.referrals })
}

function required(field: string, why: string): never {
  throw validationError([{ field, code: 'required', message: `is required, ${why}` }])
}
