import { lockActiveUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { allowedMoves, illegalTransition } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import { findInvitation, findInvitationOf, type Invitation } from './invitation-store.ts'
import { notInvited } from './invitations.ts'
import {
  type LockedState,
  lockStateById,
  lockStateOf,
  type MovedMembership,
  type PersonHere,
  performMove,
} from './membership-moves.ts'
import {
  approveMembership,
  joiningMove,
  MEMBERSHIP_MACHINE,
  type MembershipMove,
  type MembershipTransition,
  moveMembership,
} from './membership-states.ts'
import { deleteManager, demoteManager, putManager } from './people-store.ts'
import type { Permission } from './syndicate.ts'
import { joiningRules, syndicateExists } from './syndicate-store.ts'

type Named = { readonly id: Id<'membership'> } & Partial<PersonHere>

/** A membership by its id; or a person and a syndicate, with or without a membership. */
export type Joining = (PersonHere | Named) & {
  /** The address of the answered invitation, if it is not the person's own. */
  readonly invitedEmail?: string
}

/** "Approved by manager, automatic, or from an invitation". The membership’s state shows whether a manager approved. */
export async function joinSyndicate(tx: Tx, input: Joining, occasion: Occasion): Promise<MovedMembership> {
  const before = await lockStateToJoin(tx, input)
  const invitation = await answeredInvitation(tx, before, input.invitedEmail)
  const { automatic } = await joiningRules(tx, before.syndicate_id, before.user_id)
  const step = joiningStep(before, { automatic, invited: invitation !== null })
  return performMove(tx, { before, step, ...(invitation === null ? {} : { invitation }) }, occasion)
}

async function lockStateToJoin(tx: Tx, input: Joining): Promise<LockedState> {
  if (namesPerson(input)) return lockStateOf(tx, input)
  const before = await lockStateById(tx, input.id)
  if ((input.syndicateId ?? before.syndicate_id) !== before.syndicate_id) throw immutable('syndicate')
  if ((input.userId ?? before.user_id) !== before.user_id) throw immutable('user')
  return before
}

function namesPerson(input: PersonHere | Named): input is PersonHere {
  return input.syndicateId !== undefined && input.userId !== undefined
}

async function answeredInvitation(tx: Tx, before: LockedState, email?: string): Promise<Invitation | null> {
  if (email === undefined) return findInvitationOf(tx, before.syndicate_id, before.user_id)
  const invitation = await findInvitation(tx, before.syndicate_id, email)
  if (invitation === null) throw notInvited('invited_email')
  return invitation
}

function joiningStep(before: LockedState, reasons: { automatic: boolean; invited: boolean }): MembershipTransition {
  const move = joiningMove(before.status, reasons)
  if (allowedMoves(MEMBERSHIP_MACHINE, before.status).includes(move)) return moveMembership(before.status, move)
  const hasReason = reasons.automatic || reasons.invited
  const why = hasReason ? undefined : 'The syndicate does not approve automatically and has not invited this person.'
  throw illegalTransition(MEMBERSHIP_MACHINE, { from: before.status, move }, why)
}

function immutable(field: 'syndicate' | 'user') {
  return validationError([{ field, code: 'immutable', message: `is not the ${field} of this membership` }])
}

/** "Never repeats for the same request; repeats only when a rejected investor applies again", under the same id. */
export async function applyForMembership(tx: Tx, input: PersonHere, occasion: Occasion): Promise<MovedMembership> {
  const before = await lockStateOf(tx, input)
  return performMove(tx, { before, step: moveMembership(before.status, 'apply') }, occasion)
}

export type Approval = { readonly id: Id<'membership'>; readonly approvedBy: Id<'user'> }

/** The approval makes the person a member at once, except in a fund syndicate, where they join by investing. */
export async function approveApplication(tx: Tx, approval: Approval, occasion: Occasion): Promise<MovedMembership> {
  const before = await lockStateById(tx, approval.id)
  const { fund } = await joiningRules(tx, before.syndicate_id, before.user_id)
  const step = approveMembership(before.status, { fund })
  return performMove(tx, { before, step, approvedBy: approval.approvedBy }, occasion)
}

export type Admission = PersonHere & Pick<Joining, 'invitedEmail'> & { readonly approvedBy?: Id<'user'> }

/**
 * Makes the person a member: approves a waiting application if the input names the approver, then joins. Changes nothing for a
 * person who is a member already.
 */
export async function admitPerson(tx: Tx, admission: Admission, occasion: Occasion): Promise<MovedMembership> {
  const { approvedBy, ...joining } = admission
  const { id, status } = await lockStateOf(tx, admission)
  if (status === 'member') return { id, status }
  if (status === 'pending' && approvedBy !== undefined) {
    const approved = await approveApplication(tx, { id, approvedBy }, occasion)
    if (approved.status === 'member') return approved
  }
  return joinSyndicate(tx, { ...joining, id }, occasion)
}

type MembershipToEnd = { readonly id: Id<'membership'> }
type Ending = (tx: Tx, membership: MembershipToEnd, occasion: Occasion) => Promise<MovedMembership>

/** The member resigned. */
export const leaveSyndicate: Ending = ending('leave')

/** A manager removed the member. */
export const removeMember: Ending = ending('remove')

/** "Payment failed, awaiting re-investment; approval stands": approved_by does not change. */
export const failPayment: Ending = ending('fail_payment')

/** A manager declined the application. */
export const declineApplication: Ending = ending('decline')

/** The applicant withdrew the application. */
export const withdrawApplication: Ending = ending('withdraw')

/**
 * The endings differ only in the move. The table defines in which states a move is possible and which events it sends.
 */
function ending(move: Exclude<MembershipMove, 'approve'>): Ending {
  return async (tx, { id }, occasion) => {
    const before = await lockStateById(tx, id)
    return performMove(tx, { before, step: moveMembership(before.status, move) }, occasion)
  }
}

export type NewManager = {
  readonly syndicateId: Id<'syndicate'>
  readonly userId: Id<'user'>
  readonly permission: Permission
}

/** Makes a person a manager, or changes a manager's permission. The specification has no event for it. */
export async function setManager(tx: Tx, input: NewManager, occasion: Occasion): Promise<void> {
  await lockActiveUser(tx, 'user', input.userId)
  if (!(await syndicateExists(tx, input.syndicateId))) throw new UnknownReference('syndicate', input.syndicateId)
  await putManager(tx, { ...input, at: occasion.occurredAt })
}

export async function endManager(
  tx: Tx,
  { syndicateId, userId }: { readonly syndicateId: Id<'syndicate'>; readonly userId: Id<'user'> },
): Promise<void> {
  if (await deleteManager(tx, syndicateId, userId)) return
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  throw validationError([{ field: 'user', code: 'not_a_manager', message: 'does not manage the syndicate' }])
}

type NamedMember = { readonly id: Id<'membership'> }

/** "Promote and demote [change] only the permission". Gives a member full access and sends no event. */
export async function promoteMember(tx: Tx, { id }: NamedMember, occasion: Occasion): Promise<void> {
  const { syndicate_id: syndicateId, user_id: userId, status } = await lockStateById(tx, id)
  if (status !== 'member') throw refusal('not_a_member', 'must be a member to be promoted')
  await setManager(tx, { syndicateId, userId, permission: 'full_access' }, occasion)
}

/** Turns a manager with full access into an operator. `endManager` ends the role. */
export async function demoteMember(tx: Tx, { id }: NamedMember): Promise<void> {
  const { syndicate_id, user_id } = await lockStateById(tx, id)
  if (await demoteManager(tx, syndicate_id, user_id)) return
  throw refusal('not_full_access', 'must have full access to be demoted')
}

function refusal(code: string, message: string) {
  return validationError([{ field: 'id', code, message }])
}
