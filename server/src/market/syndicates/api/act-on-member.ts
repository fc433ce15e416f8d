import type { Occasion } from '#events/index.ts'
import { rateLimited } from '#http/rate-limit.ts'
import { type ApiError, notFound, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import { changeProfile, hideMember, restoreMember } from '../directory.ts'
import { dropInvitationMails, type InvitationMails, mailInvitation } from '../invitation-mail.ts'
import { type InvitationHere, lockInvitation, withdrawInvitation } from '../invitation-store.ts'
import {
  alreadyInvited,
  alreadyMember,
  type Inviting,
  inviteMember,
  partiesOf,
  reinviteMember,
} from '../invitations.ts'
import { lockStateById } from '../membership-moves.ts'
import type { MembershipState } from '../membership-states.ts'
import { membershipStatus } from '../membership-store.ts'
import { approveApplication, declineApplication, demoteMember, promoteMember } from '../memberships.ts'
import type { DirectoryChanges } from '../syndicate.ts'
import { type Manager, requireActor, requireRank, type Settling } from './manager-access.ts'
import { findMember, type MemberRow } from './member-page-store.ts'
import { noInvitation, noMembershipYet, PERMISSION_MACHINE, permissionOf } from './member-record.ts'
import { findPermission } from './store.ts'

/** The manager who acts, with the syndicate, and the id of the row in its directory. */
export type Acting = { readonly manager: Manager; readonly memberId: Id<'membership'> }

/** `unchanged`: the action changed nothing. `member`: the row to return if the action took this row out of the directory. */
export type Done = { readonly unchanged: boolean; readonly member?: MemberRow }
const CHANGED: Done = { unchanged: false }

export type Act = (tx: Tx, acting: Acting, occasion: Occasion) => Promise<Done>

/** The id of a member of another syndicate gets 404, like an unknown id. */
export async function requireMember(tx: Tx, { manager, memberId }: Acting): Promise<MemberRow> {
  const member = await findMember(tx, manager.syndicateId, memberId)
  if (member === null) throw notFound(`${memberId} is not in ${manager.syndicateId}`)
  return member
}

/**
 * Except in a fund syndicate, the applicant becomes a member at once, and the join sessions that wait for the decision
 * complete.
 */
export const approve =
  (settling: Settling): Act =>
  async (tx, acting, occasion) => {
    await requireMembership(tx, acting, 'approve')
    const { memberId: id } = acting
    const approvedBy = requireActor(acting.manager)
    const decide = () => approveApplication(tx, { id, approvedBy }, occasion)
    await settling(tx, { membershipId: id, decide }, occasion)
    return CHANGED
  }

/** "A manager declined": closes the application and rejects a join session that waits for the decision. */
export const decline =
  (settling: Settling): Act =>
  async (tx, acting, occasion) => {
    await requireMembership(tx, acting, 'decline')
    const { memberId: id } = acting
    requireActor(acting.manager)
    await settling(tx, { membershipId: id, decide: () => declineApplication(tx, { id }, occasion) }, occasion)
    return CHANGED
  }

export const hide: Act = async (tx, acting, occasion) => {
  await requireMembership(tx, acting, 'hide')
  return { unchanged: !(await hideMember(tx, { id: acting.memberId }, occasion)) }
}

export const restore: Act = async (tx, acting, occasion) => {
  await requireMembership(tx, acting, 'restore')
  return { unchanged: !(await restoreMember(tx, { id: acting.memberId }, occasion)) }
}

/** "Promote: to full_access; creator only." */
export const promote: Act = async (tx, acting, occasion) => {
  requireRank(acting.manager, 'creator')
  await movePermission(tx, acting, 'promote')
  await promoteMember(tx, { id: acting.memberId }, occasion)
  return CHANGED
}

/**
 * The creator and managers with full access may demote a manager. An installed app acts as an operator, so it may not.
 */
export const demote: Act = async (tx, acting) => {
  requireRank(acting.manager, 'creator', 'full_access')
  await movePermission(tx, acting, 'demote')
  await demoteMember(tx, { id: acting.memberId })
  return CHANGED
}

export async function changeEntry(
  tx: Tx,
  { changes, ...acting }: Acting & { readonly changes: DirectoryChanges },
  occasion: Occasion,
): Promise<Done> {
  await requireMembership(tx, acting, 'update')
  if (Object.keys(changes).length === 0) return { unchanged: true }
  await changeProfile(tx, { id: acting.memberId, changes }, occasion)
  return CHANGED
}

/** Sends the invitation again with the same name and permission. */
export const resendInvite =
  (mails: InvitationMails | null): Act =>
  async (tx, acting, occasion) => {
    const { role, user_email: email } = await requireMember(tx, acting)
    if (role !== 'invitee' || email === null) throw noInvitation('resend_invite')
    const { syndicateId } = acting.manager
    await inviteAgain(tx, { syndicateId, email, invitedBy: requireActor(acting.manager) }, occasion)
    await mailInvitation(tx, mails, { syndicateId, id: acting.memberId })
    return CHANGED
  }

/** Removes the row from the directory; the invitation no longer works. "Invitations create no membership", so no event is sent. */
export const withdrawInvite: Act = async (tx, acting, { occurredAt: at }) => {
  const member = await requireMember(tx, acting)
  if (member.role !== 'invitee') throw noInvitation('withdraw_invite')
  const { syndicateId } = acting.manager
  if (!(await withdrawInvitation(tx, { syndicateId, id: acting.memberId, at }))) throw noInvitation('withdraw_invite')
  await dropInvitationMails(tx, [acting.memberId])
  return { unchanged: false, member }
}

type Move = Parameters<typeof noMembershipYet>[0]

/** These actions need a person who is not deactivated. The other actions also work for a deactivated person. */
const NEEDS_ACTIVE_PERSON: ReadonlySet<Move> = new Set<Move>(['approve', 'promote', 'update'])

async function requireMembership(tx: Tx, acting: Acting, move: Move): Promise<void> {
  const { role, user_email } = await requireMember(tx, acting)
  if (role === 'invitee') throw noMembershipYet(move)
  if (user_email !== null || !NEEDS_ACTIVE_PERSON.has(move)) return
  const message = 'is the membership of a person who was deactivated, which is final'
  throw validationError([{ field: 'member_id', code: 'deactivated', message }])
}

/** Locks the membership first, so that the second of two concurrent requests sees the change of the first. */
async function movePermission(tx: Tx, acting: Acting, move: 'promote' | 'demote'): Promise<void> {
  await requireMembership(tx, acting, move)
  await lockStateById(tx, acting.memberId)
  const from = permissionOf(await findPermission(tx, acting.memberId))
  transition(PERMISSION_MACHINE, { from, move })
}

/**
 * An address may have an earlier invitation that is closed: it was withdrawn, or the person joined or applied and is no longer in
 * the directory. Such an address is invited again under its old row, which keeps its id. An address with an unanswered invitation
 * is rejected, because that invitation can be sent again. The person and the invitation are locked before the checks, so that of
 * many concurrent requests only one invites.
 */
export async function invite(tx: Tx, inviting: Inviting, occasion: Occasion): Promise<Id<'membership'>> {
  await rejectListed(tx, inviting)
  const before = await lockInvitation(tx, inviting.syndicateId, inviting.email)
  if (before?.open) throw alreadyInvited()
  await (before === null ? inviteMember : reinviteMember)(tx, inviting, occasion)
  const invitation = before ?? (await lockInvitation(tx, inviting.syndicateId, inviting.email))
  if (invitation === null) throw new Error('the invitation that was just created cannot be found')
  return invitation.id
}

async function inviteAgain(tx: Tx, inviting: Inviting, occasion: Occasion): Promise<void> {
  await rejectListed(tx, inviting)
  const before = await lockInvitation(tx, inviting.syndicateId, inviting.email)
  if (before !== null && before.wait_seconds > 0) throw tooSoon(before)
  await reinviteMember(tx, inviting, occasion)
}

const APPLIED_OR_APPROVED: ReadonlySet<MembershipState> = new Set(['pending', 'approved', 'payment_failed'])

/** Rejects a person who is already in the directory, because the directory would list them twice. */
async function rejectListed(tx: Tx, inviting: Inviting): Promise<void> {
  const { account } = await partiesOf(tx, inviting)
  const status = account === null ? null : await membershipStatus(tx, inviting.syndicateId, account.id)
  if (status === 'member') throw alreadyMember()
  if (status === null || !APPLIED_OR_APPROVED.has(status)) return
  const message = `is the address of a person who is in the directory already, with the status ${status}`
  throw validationError([{ field: 'email', code: 'already_applied', message }])
}

/** An invitation is sent again at most once a minute, because each time the recipient gets an email that they did not request. */
function tooSoon({ wait_seconds: retryAfterSeconds, again_at: resetAt }: InvitationHere): ApiError {
  const message = 'This invitation was sent again less than a minute ago. Give the person time to answer.'
  return rateLimited({ limit: 1, periodSeconds: 60, retryAfterSeconds, resetAt }, message)
}
