import { recordAudit } from '#access/audit/index.ts'
import { ApiError, notFound, UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { deleteInvitationsAround, type Invitation } from './invitation-store.ts'
import {
  accountExists,
  deleteMember,
  findRole,
  findState,
  insertMember,
  insertOrganization,
  listTeam,
  lockOrganization,
  type Member,
  type Membership,
  ORGANIZATION_ROLES,
  type Organization,
  type OrganizationRole,
  organizationsOf,
} from './store.ts'

export type Place = { readonly organization: Id<'organization'>; readonly account: Id<'account'> }

/** 404 for a person who is not on the team, as for an unknown organization; 403 if the role is too low. */
export async function requireMember(
  queries: PlatformQueries,
  { organization, account }: Place,
  roles: readonly OrganizationRole[] = ORGANIZATION_ROLES,
): Promise<OrganizationRole> {
  const role = await findRole(queries, organization, account)
  if (role === null) throw notFound(`${account} is not on the team of ${organization}`)
  rejectRole(role, roles)
  return role
}

export type LockedOrganization = { readonly organization: Organization; readonly role: OrganizationRole }

/** Locks the organization and returns it with the member's role. Rejects people outside the team, and an ended organization. */
export async function lockAsMember(
  tx: PlatformTx,
  place: Place,
  { event, roles }: { readonly event: string; readonly roles?: readonly OrganizationRole[] },
): Promise<LockedOrganization> {
  const organization = await lockOrganization(tx, place.organization)
  if (organization === null) throw notFound(`organization ${place.organization} is unknown`)
  const role = await requireMember(tx, place, roles)
  rejectEnded(organization, event)
  return { organization, role }
}

/**
 * "Repeated or deliberate violations can end the organization's access." An ended organization never becomes active again, so
 * every change by its team is rejected.
 */
export function rejectEnded({ state }: Pick<Organization, 'state'>, event: string): void {
  if (state === 'active') return
  throw new ApiError('illegal_transition', {
    public: 'The platform ended this organization. It can no longer be changed.',
    remediation: 'Write to the platform if you believe that this is a mistake.',
    details: { from: 'ended', event, allowed: [] },
  })
}

/**
 * Owners manage all members; admins manage developers and admins, but not owners; developers manage no one. The old and the new role both
 * count, so an admin cannot demote an owner or make another member an owner.
 */
const MANAGED_BY: Readonly<Record<OrganizationRole, readonly OrganizationRole[]>> = {
  owner: ['owner', 'admin', 'developer'],
  admin: ['admin', 'developer'],
  developer: [],
}

export function manages(actor: OrganizationRole, concerned: OrganizationRole): boolean {
  return MANAGED_BY[actor].includes(concerned)
}

export function rejectToManage(actor: OrganizationRole, ...concerned: readonly OrganizationRole[]): void {
  const beyond = concerned.find((role) => !manages(actor, role))
  if (beyond === undefined) return
  throw new ApiError('forbidden', {
    public: `Your role in this organization (${actor}) cannot manage ${beyond}s.`,
    remediation: actor === 'admin' ? 'Ask an owner of the organization.' : 'Ask an owner or admin of the organization.',
  })
}

/** "An organization always keeps an owner": the last owner can neither leave, nor be removed, nor get another role. */
export function rejectLastOwner(team: readonly { readonly role: OrganizationRole }[], event: string): void {
  if (team.filter(({ role }) => role === 'owner').length > 1) return
  throw new ApiError('illegal_transition', {
    public: 'This person is the organization’s only owner, and an organization always has one.',
    remediation: 'Make another person an owner first.',
    details: { from: 'owner', event, allowed: [] },
  })
}

/** Rejects a team member whose role is too low for the request. */
export function rejectRole(role: OrganizationRole, allowed: readonly OrganizationRole[]): void {
  if (allowed.includes(role)) return
  throw new ApiError('forbidden', {
    public: `Your role in this organization (${role}) does not allow this.`,
    remediation: `Ask a member of the organization whose role is ${allowed.join(' or ')}.`,
  })
}

/**
 * An invitation is valid until it expires, while its sender is on the team with a role that may give the invited role. An
 * invalid invitation is not shown and cannot be accepted.
 */
export function isValidInvitation({
  expired,
  inviter_role,
  role,
}: Pick<Invitation, 'expired' | 'inviter_role' | 'role'>): boolean {
  return !expired && inviter_role !== null && manages(inviter_role, role)
}

/** The names of this platform: its name in the API and the name that people see. */
export type PlatformNames = string | readonly string[]
/** `brand` is null if the platform itself names the organization or app. Then no name is reserved. */
export type Naming = { readonly brand: PlatformNames | null }

/**
 * People would take an app called "Wefunder Support" for the platform. So no name of an app or organization may begin with the
 * platform's name, even with spaces, marks, wide letters, or Cyrillic and Greek letters of the same shape. A name that only
 * resembles the platform's name ("Wefumder") is left to the people who review apps.
 */
export function rejectPlatformName({ brand }: Naming, name: string): void {
  const reserved = [brand ?? []].flat().map(folded)
  if (!reserved.some((start) => start !== '' && folded(name).startsWith(start))) return
  const message = 'must not begin with the platform’s own name'
  throw validationError([{ field: 'name', code: 'reserved', message }])
}

function folded(text: string): string {
  return [...text.normalize('NFKC').toLowerCase()]
    .map((letter) => LATIN_SHAPE.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Lower-case letters that look like Latin ones, or whose capital letters do (Н looks like H). */
const LATIN_SHAPE: ReadonlyMap<string, string> = new Map(
  [
    ['авсԁеһніјкӏморԛѕтѵԝху', 'abcdehhijklmopqstvwxy'],
    ['αβεζηικμνορτυχ', 'abezhikmnoptyx'],
    ['ıſ', 'is'],
  ].flatMap(([letters = '', latin = '']) => [...letters].map((letter, at) => [letter, latin[at] ?? letter] as const)),
)

/** Adds an account to a partner's team, with one role. */
export async function addMember(tx: PlatformTx, member: Member): Promise<void> {
  const organization = await findState(tx, member.organization)
  if (organization === null) throw new UnknownReference('organization', member.organization)
  if (!(await accountExists(tx, member.account))) throw new UnknownReference('account', member.account)
  if (organization.state === 'ended') {
    throw validationError([{ field: 'organization', code: 'ended', message: 'was ended by the platform' }])
  }
  await insertMember(tx, member)
}

export type NewOrganization = { readonly id?: Id<'organization'>; readonly name: string }

export async function createOrganization(tx: PlatformTx, organization: NewOrganization): Promise<Id<'organization'>> {
  const { id = newId('organization'), name } = organization
  await insertOrganization(tx, { id, name })
  return id
}

/** An organization with the data that a member of its team sees. */
export async function membershipOf(queries: PlatformQueries, { organization, account }: Place): Promise<Membership> {
  const membership = (await organizationsOf(queries, account)).find(({ id }) => id === organization)
  if (membership === undefined) throw notFound(`${account} is not on the team of ${organization}`)
  return membership
}

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
  /** The memberships that `lockOrganizationsOf` returned in this transaction. */
  readonly memberships: readonly Membership[]
}

/**
 * For a person who deletes their account: they leave every team. "An organization always keeps an owner", so the last owner of a team with
 * other members must make another member an owner first. Returns the active organizations that are left without members, which the caller
 * ends. An organization that the platform ended needs no owner and is not returned.
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

/** "A, B and C". */
const NAMES = new Intl.ListFormat('en-GB')

function lastOwnerOf(names: readonly string[]): ApiError {
  const teams = names.length === 1 ? 'the team' : 'these teams'
  return new ApiError('illegal_transition', {
    public: `You are the only owner of ${NAMES.format(names)}, and others are on ${teams}.`,
    remediation: 'Make another member an owner, then delete your account.',
    details: { from: 'owner', event: 'delete_account', allowed: [] },
  })
}
