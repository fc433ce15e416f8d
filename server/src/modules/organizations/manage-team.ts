import { forgetAnswersOf } from '#http/idempotency-store.ts'
import { callerIdentity } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type AuditEntry, recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { refuseLastOwner, refuseToManage } from './member-rules.ts'
import { deleteMember, listTeam, type OrganizationRole, type TeamMember, updateRole } from './member-store.ts'
import { holdAsMember, type Place } from './require-member.ts'

type Change = { readonly account: Id<'account'>; readonly role: OrganizationRole }

export async function changeRole(tx: PlatformTx, place: Place, { account, role }: Change): Promise<void> {
  const { role: actor } = await holdAsMember(tx, place, { event: 'change_role' })
  const { team, member } = await findMember(tx, place, account)
  refuseToManage(actor, member.role, role)
  if (member.role === role) return
  if (member.role === 'owner') refuseLastOwner(team, 'change_role')
  await updateRole(tx, { organization: place.organization, account, role })
  await forgetAnswers(tx, account)
  await audit(tx, place, 'organization.role_changed', { account, from: member.role, to: role })
}

/** Everybody may leave, whatever their role. */
export async function removeMember(tx: PlatformTx, place: Place, account: Id<'account'>): Promise<void> {
  const { role: actor } = await holdAsMember(tx, place, { event: 'remove_member' })
  const { team, member } = await findMember(tx, place, account)
  if (account !== place.account) refuseToManage(actor, member.role)
  if (member.role === 'owner') refuseLastOwner(team, 'remove_member')
  await deleteMember(tx, place.organization, account)
  await forgetAnswers(tx, account)
  await audit(tx, place, 'organization.member_removed', { account, role: member.role })
}

/** Or a request repeated under its key would be answered with what its sender may not have any more. */
async function forgetAnswers(tx: PlatformTx, accountId: Id<'account'>): Promise<void> {
  await forgetAnswersOf(tx, callerIdentity({ kind: 'account', accountId }))
}

type Found = { readonly team: readonly TeamMember[]; readonly member: TeamMember }

async function findMember(tx: PlatformTx, { organization }: Place, account: Id<'account'>): Promise<Found> {
  const team = await listTeam(tx, organization)
  const member = team.find(({ account_id }) => account_id === account)
  if (member === undefined) throw notFound(`${account} is not on the team of ${organization}`)
  return { team, member }
}

async function audit(tx: PlatformTx, place: Place, action: string, details: NonNullable<AuditEntry['details']>) {
  await recordAudit(tx, { actor: place.account, action, subject: place.organization, details })
}
