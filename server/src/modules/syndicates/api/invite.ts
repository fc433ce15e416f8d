import { rateLimited } from '#http/rate-limited.ts'
import { type ApiError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Inviting, partiesOf } from '../invitation.ts'
import { type InvitationHere, lockInvitation } from '../invitation-store.ts'
import { alreadyInvited, alreadyMember, inviteMember } from '../invite-member.ts'
import type { MembershipState } from '../membership-states.ts'
import { membershipStatus } from '../membership-store.ts'
import { reinviteMember } from '../reinvite-member.ts'

/**
 * An address that was invited, joined and left is invited again under its old row, and that is what the event says. One
 * that has not answered yet is refused: it has a row in the directory, by which the invitation can be sent again. The
 * person and the invitation are held before anything is decided: of many at once, one invites.
 */
export async function invite(tx: Tx, inviting: Inviting, occasion: Occasion): Promise<Id<'membership'>> {
  await refuseListed(tx, inviting)
  const before = await lockInvitation(tx, inviting.syndicateId, inviting.email)
  if (before?.open) throw alreadyInvited()
  await (before === null ? inviteMember : reinviteMember)(tx, inviting, occasion)
  const made = before ?? (await lockInvitation(tx, inviting.syndicateId, inviting.email))
  if (made === null) throw new Error('an invitation just made is not there')
  return made.id
}

/** With the name and the permission it was sent with: what is not said again stays as it was. */
export async function inviteAgain(tx: Tx, inviting: Inviting, occasion: Occasion): Promise<void> {
  await refuseListed(tx, inviting)
  const before = await lockInvitation(tx, inviting.syndicateId, inviting.email)
  if (before !== null && before.wait_seconds > 0) throw tooSoon(before)
  await reinviteMember(tx, inviting, occasion)
}

const ON_THE_WAY: ReadonlySet<MembershipState> = new Set(['pending', 'approved', 'payment_failed'])

/** Whoever has a row in the directory already would stand there twice. */
async function refuseListed(tx: Tx, inviting: Inviting): Promise<void> {
  const { account } = await partiesOf(tx, inviting)
  const status = account === null ? null : await membershipStatus(tx, inviting.syndicateId, account.id)
  if (status === 'member') throw alreadyMember()
  if (status === null || !ON_THE_WAY.has(status)) return
  const message = `is the address of somebody who is in the directory already, with the status ${status}`
  throw validationError([{ field: 'email', code: 'already_applied', message }])
}

/** Each is a letter to somebody who did not ask for it. */
function tooSoon({ wait_seconds: retryAfterSeconds, again_at: resetAt }: InvitationHere): ApiError {
  const said = 'This invitation was sent again less than a minute ago, and the person has not had time to answer.'
  return rateLimited({ limit: 1, periodSeconds: 60, retryAfterSeconds, resetAt }, said)
}
