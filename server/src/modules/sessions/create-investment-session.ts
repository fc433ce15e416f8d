import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { transition } from '#kernel/state-machine.ts'
import { appendEvent, type Occasion } from '#modules/events/index.ts'
import { readOffering } from '#modules/offerings/index.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { investmentSessionEvent } from './investment-session-event.ts'
import { INVESTMENT_SESSION_MACHINE } from './investment-session-states.ts'
import { refuseUnkeepable } from './metadata.ts'
import { lockedInvestmentSession } from './move-investment-session.ts'
import { insertInvestmentSession } from './store.ts'

export type InvestmentSessionInput = {
  readonly id: Id<'investmentSession'>
  readonly offeringId: Id<'offering'>
  /** The recipient, by address or by account, or both. */
  readonly email?: string
  readonly userId?: Id<'user'>
  /** Without it, the recipient chooses. */
  readonly allocationCents?: Cents
  readonly successUrl?: string
  readonly metadata?: { readonly [key: string]: unknown }
  readonly installationId?: Id<'installation'>
  readonly expiresAt: string
}

export async function createInvestmentSession(
  tx: Tx,
  input: InvestmentSessionInput,
  occasion: Occasion,
): Promise<void> {
  const { events } = transition(INVESTMENT_SESSION_MACHINE, { from: 'none', move: 'create' })
  if (input.email === undefined && input.userId === undefined) throw noRecipient()
  if (input.userId !== undefined) await lockActiveUser(tx, 'user', input.userId)
  if ((await readOffering(tx, input.offeringId)) === null) throw new UnknownReference('offering', input.offeringId)
  if (input.metadata !== undefined) await refuseUnkeepable(tx, input.metadata)
  await insertInvestmentSession(tx, rowOf(input, occasion))
  const session = await lockedInvestmentSession(tx, input.id)
  for (const name of events) await appendEvent(tx, investmentSessionEvent(name, session, occasion.occurredAt), occasion)
}

function rowOf(input: InvestmentSessionInput, { occurredAt }: Occasion) {
  return {
    id: input.id,
    offeringId: input.offeringId,
    email: input.email ?? null,
    userId: input.userId ?? null,
    allocationCents: input.allocationCents ?? null,
    successUrl: input.successUrl ?? null,
    metadata: input.metadata ?? {},
    installationId: input.installationId ?? null,
    createdAt: occurredAt,
    expiresAt: input.expiresAt,
  }
}

function noRecipient() {
  return validationError([
    { field: 'email', code: 'required', message: 'must be given, or a user: somebody must be the recipient' },
  ])
}
