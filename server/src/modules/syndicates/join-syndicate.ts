import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { allowedMoves, illegalTransition } from '#kernel/state-machine.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { notInvited } from './invitation.ts'
import { findInvitation, findInvitationOf, type Invitation } from './invitation-store.ts'
import { joiningMove, type MembershipTransition, moveMembership } from './joining.ts'
import { MEMBERSHIP_MACHINE } from './membership-states.ts'
import { type MovedMembership, performMove } from './perform-move.ts'
import { type PersonHere, type Standing, standingById, standingOf } from './standing.ts'
import { joiningRules } from './syndicate-store.ts'

type Named = { readonly id: Id<'membership'> } & Partial<PersonHere>

/** A membership by its id; or a person and a syndicate, who may have nothing to do with each other yet. */
export type Joining = (PersonHere | Named) & {
  /** The invitation that is answered, where it went to another address than the person's own. */
  readonly invitedEmail?: string
}

/** "Approved by manager, automatic, or from an invitation"; the first stands already, the others are looked up here. */
export async function joinSyndicate(tx: Tx, input: Joining, occasion: Occasion): Promise<MovedMembership> {
  const standing = await standingToJoin(tx, input)
  const invitation = await answeredInvitation(tx, standing, input.invitedEmail)
  const { automatic } = await joiningRules(tx, standing.syndicate_id, standing.user_id)
  const step = joiningStep(standing, { automatic, invited: invitation !== null })
  return performMove(tx, { standing, step, ...(invitation === null ? {} : { invitation }) }, occasion)
}

async function standingToJoin(tx: Tx, input: Joining): Promise<Standing> {
  if (namesPerson(input)) return standingOf(tx, input)
  const standing = await standingById(tx, input.id)
  if ((input.syndicateId ?? standing.syndicate_id) !== standing.syndicate_id) throw otherThan('syndicate')
  if ((input.userId ?? standing.user_id) !== standing.user_id) throw otherThan('user')
  return standing
}

function namesPerson(input: PersonHere | Named): input is PersonHere {
  return input.syndicateId !== undefined && input.userId !== undefined
}

async function answeredInvitation(tx: Tx, standing: Standing, email?: string): Promise<Invitation | null> {
  if (email === undefined) return findInvitationOf(tx, standing.syndicate_id, standing.user_id)
  const invitation = await findInvitation(tx, standing.syndicate_id, email)
  if (invitation === null) throw notInvited('invited_email')
  return invitation
}

function joiningStep(standing: Standing, ground: { automatic: boolean; invited: boolean }): MembershipTransition {
  const move = joiningMove(standing.status, ground)
  if (allowedMoves(MEMBERSHIP_MACHINE, standing.status).includes(move)) return moveMembership(standing.status, move)
  const onGround = ground.automatic || ground.invited
  const why = onGround ? undefined : 'The syndicate does not approve automatically and has not invited this person.'
  throw illegalTransition(MEMBERSHIP_MACHINE, { from: standing.status, move }, why)
}

function otherThan(field: 'syndicate' | 'user') {
  return validationError([{ field, code: 'immutable', message: `is another ${field} than this membership is of` }])
}
