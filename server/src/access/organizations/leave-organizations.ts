import { recordAudit } from '#access/audit/index.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import {
  deleteInvitationsAround,
  deleteMember,
  listTeam,
  lockOrganization,
  type Membership,
  organizationsOf,
} from './store.ts'

/** Locks every organization of an account, in the order of their ids, and returns the memberships. */
export async function lockOrganizationsOf(tx: PlatformTx, account: Id<'account'>): Promise<readonly Membership[]> {
  const memberships = await organizationsOf(tx, account)
  for (const { id } of memberships) await lockOrganization(tx, id)
  return organizationsOf(tx, account)
}

type Leaving = {
  readonly account: Id<'account'>
  /** The address to which others may have sent invitations. */
  readonly email: string
  /** As `lockOrganizationsOf` returned them in this transaction. */
  readonly memberships: readonly Membership[]
}

/**
 * For a person who deletes their account: they leave every team. "An organization always keeps an owner", so the last owner of a
 * team with other members must make another member an owner first. An organization that is left without members is returned: the caller ends
 * it. One that the platform ended needs no owner.
 */
export async function leaveOrganizations(
  tx: PlatformTx,
  { account, email, memberships }: Leaving,
): Promise<readonly Id<'organization'>[]> {
  const alone: Id<'organization'>[] = []
  const ownerless: string[] = []
  for (const { id, name, role, state } of memberships) {
    const others = (await listTeam(tx, id)).filter(({ account_id }) => account_id !== account)
    if (state === 'ended') continue
    if (others.length === 0) alone.push(id)
    else if (role === 'owner' && !others.some((other) => other.role === 'owner')) ownerless.push(name)
  }
  if (ownerless.length > 0) throw lastOwnerOf(ownerless)
  for (const { id, role } of memberships) {
    await deleteMember(tx, id, account)
    const details = { account, role }
    await recordAudit(tx, { actor: account, action: 'organization.member_removed', subject: id, details })
  }
  await deleteInvitationsAround(tx, account, email)
  return alone
}

function lastOwnerOf(names: readonly string[]): ApiError {
  return new ApiError('illegal_transition', {
    public: `You are the only owner of ${names.join(' and ')}, and others are on the team.`,
    remediation: 'Make another member an owner, then delete your account.',
    details: { from: 'owner', event: 'delete_account', allowed: [] },
  })
}
