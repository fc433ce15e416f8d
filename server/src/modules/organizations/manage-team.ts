import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type AuditEntry, recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { refuseLastOwner, refuseToManage } from './member-rules.ts'
import {
  deleteMember,
  findAccountAt,
  insertMember,
  listTeam,
  type OrganizationRole,
  type TeamMember,
  updateRole,
} from './member-store.ts'
import { holdAsMember, type Place } from './require-member.ts'

const TEAM_MAX = 200

type Joining = { readonly email: string; readonly role: OrganizationRole }

/** By the address of an account: who has never signed in here cannot be put on a team. */
export async function addByEmail(tx: PlatformTx, place: Place, { email, role }: Joining): Promise<Id<'account'>> {
  const { role: actor } = await holdAsMember(tx, place, { event: 'add_member' })
  refuseToManage(actor, role)
  if ((await listTeam(tx, place.organization)).length >= TEAM_MAX) throw teamFull()
  const account = await findAccountAt(tx, email)
  if (account === null) {
    const message = 'is the address of no account: they have to sign in once before they can join'
    throw validationError([{ field: 'email', code: 'unknown', message }])
  }
  await insertMember(tx, { organization: place.organization, account, role })
  await audit(tx, place, 'organization.member_added', { account, role })
  return account
}

type Change = { readonly account: Id<'account'>; readonly role: OrganizationRole }

export async function changeRole(tx: PlatformTx, place: Place, { account, role }: Change): Promise<void> {
  const { role: actor } = await holdAsMember(tx, place, { event: 'change_role' })
  const { team, member } = await findMember(tx, place, account)
  refuseToManage(actor, member.role, role)
  if (member.role === role) return
  if (member.role === 'owner') refuseLastOwner(team, 'change_role')
  await updateRole(tx, { organization: place.organization, account, role })
  await audit(tx, place, 'organization.role_changed', { account, from: member.role, to: role })
}

/** Everybody may leave, whatever their role. */
export async function removeMember(tx: PlatformTx, place: Place, account: Id<'account'>): Promise<void> {
  const { role: actor } = await holdAsMember(tx, place, { event: 'remove_member' })
  const { team, member } = await findMember(tx, place, account)
  if (account !== place.account) refuseToManage(actor, member.role)
  if (member.role === 'owner') refuseLastOwner(team, 'remove_member')
  await deleteMember(tx, place.organization, account)
  await audit(tx, place, 'organization.member_removed', { account, role: member.role })
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

function teamFull(): ApiError {
  return new ApiError('forbidden', {
    public: `This team has ${TEAM_MAX} members, which is as many as a team can have.`,
    remediation: 'Remove somebody first.',
  })
}
