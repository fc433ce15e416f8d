import { notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { createInvestmentSession } from '../create-investment-session.ts'
import { type PartnerSide, requireTaking } from './partner-side.ts'
import { holdRecipient, type Recipient, readRecipient } from './recipient.ts'
import { refuseReturnUrl } from './return-url.ts'
import { HOURS_DEFAULT, type Wanted } from './schemas.ts'
import { findActive, findSession, nowAndLater, type SessionRow, waitForTurn } from './session-store.ts'

type Opened = { readonly session: SessionRow; readonly made: boolean }
type Asked = { readonly side: PartnerSide; readonly wanted: Wanted; readonly requestId: string }

/** A session for a known person, or the one they have: "an active session of the same recipient is returned instead". */
export async function openSession(tx: Tx, { side, wanted, requestId }: Asked): Promise<Opened> {
  const recipient = requireRecipient(wanted)
  if (wanted.success_url != null) refuseReturnUrl(wanted.success_url, tx.world)
  await waitForTurn(tx, side.installation, `${wanted.spv_id} ${nameOf(recipient)}`)
  await holdRecipient(tx, recipient)
  await requireTaking(tx, side, wanted.spv_id)
  const active = await findActive(tx, side.installation, { spvId: wanted.spv_id, recipient })
  if (active !== null) return { session: await requireSession(tx, side, active), made: false }
  const id = newId('investmentSession')
  const { now, later } = await nowAndLater(tx, wanted.expires_in_hours ?? HOURS_DEFAULT)
  const occasion = { cause: requestId, occurredAt: now, caused: [] }
  await createInvestmentSession(tx, { ...inputOf(wanted), ...recipient, id, expiresAt: later, ...by(side) }, occasion)
  return { session: await requireSession(tx, side, id), made: true }
}

export async function requireSession(
  tx: Tx,
  { installation }: Pick<PartnerSide, 'installation'>,
  id: Id<'investmentSession'>,
): Promise<SessionRow> {
  const session = await findSession(tx, installation, id)
  if (session === null) throw notFound(`${id} is not of ${installation}`)
  return session
}

const by = ({ installation }: PartnerSide) => ({ installationId: installation })

function nameOf(recipient: Recipient): string {
  return 'email' in recipient ? recipient.email.toLowerCase() : recipient.userId
}

function requireRecipient(wanted: Wanted): Recipient {
  const recipient = readRecipient(wanted)
  if (recipient !== null) return recipient
  const message = 'must be given, or platform_user_id: a session is for somebody you know'
  throw validationError([{ field: 'email', code: 'required', message }])
}

function inputOf({ spv_id, allocation_cents, success_url, metadata, intent_id }: Wanted) {
  const kept = { ...metadata, ...(intent_id == null ? {} : { intent_id }) }
  return {
    offeringId: spv_id,
    ...(allocation_cents == null ? {} : { allocationCents: allocation_cents }),
    ...(success_url == null ? {} : { successUrl: success_url }),
    metadata: kept,
  }
}
