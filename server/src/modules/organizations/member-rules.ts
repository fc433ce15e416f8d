import { ApiError } from '#kernel/errors.ts'
import type { OrganizationRole } from './store.ts'

/**
 * Owners manage everybody; admins manage developers and admins, but not owners; developers manage nobody. Both ends of
 * a change count: who is an admin can neither demote an owner nor make one.
 */
const MANAGED_BY: Readonly<Record<OrganizationRole, readonly OrganizationRole[]>> = {
  owner: ['owner', 'admin', 'developer'],
  admin: ['admin', 'developer'],
  developer: [],
}

export function manages(actor: OrganizationRole, concerned: OrganizationRole): boolean {
  return MANAGED_BY[actor].includes(concerned)
}

export function refuseToManage(actor: OrganizationRole, ...concerned: readonly OrganizationRole[]): void {
  const beyond = concerned.find((role) => !manages(actor, role))
  if (beyond === undefined) return
  throw new ApiError('forbidden', {
    public: `Your role in this organization is ${actor}, which does not manage its ${beyond}s.`,
    remediation: actor === 'admin' ? 'Ask an owner of the organization.' : 'Ask an owner or admin of the organization.',
  })
}

/** "An organization always keeps an owner": the last one neither leaves nor becomes anything else. */
export function refuseLastOwner(team: readonly { readonly role: OrganizationRole }[], event: string): void {
  if (team.filter(({ role }) => role === 'owner').length > 1) return
  throw new ApiError('illegal_transition', {
    public: 'This is the organization’s only owner, and an organization always keeps one.',
    remediation: 'Make somebody else an owner first.',
    details: { from: 'owner', event, allowed: [] },
  })
}

/** For whoever is on the team, with too low a role for what they ask. */
export function refuseRole(role: OrganizationRole, allowed: readonly OrganizationRole[]): void {
  if (allowed.includes(role)) return
  throw new ApiError('forbidden', {
    public: `Your role in this organization is ${role}, which does not allow this.`,
    remediation: `Ask somebody who is ${allowed.join(' or ')} of the organization.`,
  })
}
