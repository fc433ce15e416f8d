import { notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { outOfRange, rangeOf } from '../checkout/amount.ts'
import { createInvestmentSession } from '../investment-session.ts'
import { acceptedReturnUrl } from '../session-input.ts'
import { nowAndLater } from '../store.ts'
import { holdRecipient, type PartnerSide, type Recipient, readRecipient, requireTaking } from './partner-request.ts'
import { HOURS_DEFAULT, type Wanted } from './schemas.ts'
import { findActive, findSession, type Owner, type SessionRow, waitForTurn } from './store.ts'

type Opened = { readonly session: SessionRow; readonly made: boolean }
type Asked = { readonly side: PartnerSide; readonly wanted: Wanted; readonly requestId: string }

/** A session for a known person, or the one they have: "an active session of the same recipient is returned instead". */
export async function openSession(tx: Tx, { side, wanted, requestId }: Asked): Promise<Opened> {
  const recipient = requireRecipient(wanted)
  const url = wanted.success_url
  const successUrl = url == null ? null : acceptedReturnUrl(url, { field: 'success_url', world: tx.world })
  await waitForTurn(tx, side, `${wanted.spv_id} ${nameOf(recipient)}`)
  await holdRecipient(tx, recipient)
  await requireTaking(tx, side, wanted.spv_id)
  await refuseOutOfRange(tx, wanted)
  const active = await findActive(tx, side, { spvId: wanted.spv_id, recipient })
  if (active !== null) return { session: await requireSession(tx, side, active), made: false }
  const id = newId('investmentSession')
  const { now, later } = await nowAndLater(tx, wanted.expires_in_hours ?? HOURS_DEFAULT)
  const occasion = { cause: requestId, occurredAt: now, caused: [] }
  const made = { id, expiresAt: later, installationId: side.installation }
  await createInvestmentSession(tx, { ...inputOf(wanted, successUrl), ...recipient, ...made }, occasion)
  return { session: await requireSession(tx, side, id), made: true }
}

export async function requireSession(tx: Tx, owner: Owner, id: Id<'investmentSession'>): Promise<SessionRow> {
  const session = await findSession(tx, owner, id)
  if (session === null) throw notFound(`${id} is not of ${owner.app} on ${owner.target}`)
  return session
}

/** A fixed amount that the offering does not take could never be put in. */
async function refuseOutOfRange(tx: Tx, { spv_id, allocation_cents: fixed }: Wanted): Promise<void> {
  const offering = fixed == null ? null : await readOffering(tx, spv_id)
  if (fixed == null || offering === null) return
  const message = outOfRange(fixed, rangeOf(offering))
  if (message !== null) throw validationError([{ field: 'allocation_cents', code: 'out_of_range', message }])
}

function nameOf(recipient: Recipient): string {
  return 'email' in recipient ? recipient.email.toLowerCase() : recipient.userId
}

function requireRecipient(wanted: Wanted): Recipient {
  const recipient = readRecipient(wanted)
  if (recipient !== null) return recipient
  const message = 'must be given, or platform_user_id: a session is for somebody you know'
  throw validationError([{ field: 'email', code: 'required', message }])
}

function inputOf({ spv_id, allocation_cents, metadata, intent_id }: Wanted, successUrl: string | null) {
  const kept = { ...metadata, ...(intent_id == null ? {} : { intent_id }) }
  return {
    offeringId: spv_id,
    ...(allocation_cents == null ? {} : { allocationCents: allocation_cents }),
    ...(successUrl === null ? {} : { successUrl }),
    metadata: kept,
  }
}
