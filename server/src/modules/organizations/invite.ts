import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { holds } from './invitation-rules.ts'
import {
  deleteInvitations,
  findInvitation,
  type Invitation,
  insertInvitation,
  invitationsOf,
} from './invitation-store.ts'
import { refuseToManage } from './member-rules.ts'
import { isAddressOfMember, type OrganizationRole } from './member-store.ts'
import { holdAsMember, type Place } from './require-member.ts'
import { refuseFullTeam } from './team-size.ts'

/** Open at one time. More would be letters to strangers. */
export const INVITATIONS_MAX = 100

type Wanted = { readonly email: string; readonly role: OrganizationRole }

/**
 * Asks whoever signs in with an address to join the team. No account is looked at: what is answered is the same whether
 * or not there is one, so that nobody learns here who has an account, or their name. Asking again takes the place of
 * what was asked before.
 */
export async function inviteMember(tx: PlatformTx, place: Place, { email, role }: Wanted): Promise<Invitation> {
  const { role: actor } = await holdAsMember(tx, place, { event: 'invite' })
  refuseToManage(actor, role)
  await refuseFullTeam(tx, place.organization)
  if (await isAddressOfMember(tx, place.organization, email)) throw alreadyThere()
  const before = await invitationsOf(tx, place.organization)
  const same = before.find((invitation) => invitation.email === folded(email))
  if (same !== undefined && holds(same)) refuseToManage(actor, same.role)
  const kept = before.filter((invitation) => invitation !== same && holds(invitation))
  if (kept.length >= INVITATIONS_MAX) throw tooMany()
  await deleteInvitations(tx, idsOf(before.filter((invitation) => !kept.includes(invitation))))
  const id = newId('organizationInvitation')
  await insertInvitation(tx, { id, organization: place.organization, email, role, invited_by: place.account })
  await audit(tx, place, 'organization.member_invited', { invitation: id, role })
  return requireInvitation(tx, place, id)
}

export async function withdrawInvitation(tx: PlatformTx, place: Place, id: Id<'organizationInvitation'>) {
  const { role: actor } = await holdAsMember(tx, place, { event: 'withdraw_invitation' })
  const invitation = await requireInvitation(tx, place, id)
  refuseToManage(actor, invitation.role)
  await deleteInvitations(tx, [id])
  await audit(tx, place, 'organization.invitation_withdrawn', { invitation: id, role: invitation.role })
}

async function requireInvitation(tx: PlatformTx, { organization }: Place, id: Id<'organizationInvitation'>) {
  const invitation = await findInvitation(tx, organization, id)
  if (invitation === null || !holds(invitation)) throw notFound(`${organization} has no open invitation ${id}`)
  return invitation
}

/** As the database folds addresses: ASCII letters alone. */
function folded(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const idsOf = (invitations: readonly Invitation[]) => invitations.map(({ id }) => id)

/** Addresses stay out of the audit, which is never erased. */
async function audit(tx: PlatformTx, place: Place, action: string, details: { invitation: string; role: string }) {
  await recordAudit(tx, { actor: place.account, action, subject: place.organization, details })
}

/** The team sees its own addresses anyway. */
function alreadyThere(): ApiError {
  return validationError([
    { field: 'email', code: 'already_exists', message: 'is the address of somebody on this team' },
  ])
}

function tooMany(): ApiError {
  return new ApiError('forbidden', {
    public: `This organization has ${INVITATIONS_MAX} open invitations, which is as many as it can have.`,
    remediation: 'Withdraw one, or wait until one has been answered or has run out.',
  })
}
