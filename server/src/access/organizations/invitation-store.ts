import type { Id } from '#kernel/ids.ts'
import { deleteMailsAbout } from '#mail/index.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { OrganizationRole, OrganizationState } from './store.ts'

/** An invitation expires 14 days after its creation (the default of `expires_at`). Times are wall time, as text. */
export type Invitation = {
  readonly id: Id<'organizationInvitation'>
  readonly email: string
  readonly role: OrganizationRole
  readonly invited_by: Id<'account'>
  readonly created_at: string
  readonly expires_at: string
  readonly expired: boolean
  /** The sender's role in the team now; null if the sender left the team or the sender's account is disabled. */
  readonly inviter_role: OrganizationRole | null
}

const INVITATION = `
  i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, i.expires_at <= clock_timestamp() as expired,
  m.role as inviter_role`

const FROM = `
  from platform.organization_invitations i
  left join (platform.organization_members m join platform.accounts a on a.id = m.account_id and a.disabled_at is null)
    on m.organization_id = i.organization_id and m.account_id = i.invited_by`

const OF_ORGANIZATION = platformStatement<Invitation>(
  'organizations.invitations',
  `select ${INVITATION} ${FROM} where i.organization_id = $1 order by i.created_at, i.id`,
)

/** Includes invitations that are no longer valid. */
export async function invitationsOf(queries: PlatformQueries, organization: Id<'organization'>): Promise<Invitation[]> {
  return queries.many(OF_ORGANIZATION, [organization])
}

const FIND = platformStatement<Invitation>(
  'organizations.find_invitation',
  `select ${INVITATION} ${FROM} where i.organization_id = $1 and i.id = $2`,
)

export async function findInvitation(
  queries: PlatformQueries,
  organization: Id<'organization'>,
  id: Id<'organizationInvitation'>,
): Promise<Invitation | null> {
  return queries.maybeOne(FIND, [organization, id])
}

const ORGANIZATION = platformStatement<{ organization_id: Id<'organization'> }>(
  'organizations.of_invitation',
  'select organization_id from platform.organization_invitations where id = $1',
)

export async function findInvitingOrganization(queries: PlatformQueries, id: Id<'organizationInvitation'>) {
  return (await queries.maybeOne(ORGANIZATION, [id]))?.organization_id ?? null
}

/** The invitation is found by the stored address of the account, never by an address in the request. */
const TO_ACCOUNT = `${FROM} join platform.accounts me on lower(me.email) = i.email`

const TO_ACCOUNT_FROM = platformStatement<Invitation>(
  'organizations.invitation_to_account',
  `select ${INVITATION} ${TO_ACCOUNT} where i.organization_id = $1 and me.id = $2`,
)

export async function findInvitationTo(
  queries: PlatformQueries,
  organization: Id<'organization'>,
  account: Id<'account'>,
): Promise<Invitation | null> {
  return queries.maybeOne(TO_ACCOUNT_FROM, [organization, account])
}

export type ReceivedInvitation = Invitation & {
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
}

/** `isValidInvitation` in SQL. */
const IS_VALID = `i.expires_at > clock_timestamp() and (m.role = 'owner' or m.role = 'admin' and i.role <> 'owner')`

/**
 * Only valid invitations, so that invalid ones do not take the places of older valid ones. Only the newest hundred: an address with
 * more invitations is probably a target of spam.
 */
const ALL_TO_ACCOUNT = platformStatement<ReceivedInvitation>(
  'organizations.invitations_to_account',
  `select ${INVITATION}, o.id as organization_id, o.name as organization_name
     ${TO_ACCOUNT} join platform.organizations o on o.id = i.organization_id
    where me.id = $1 and o.state = 'active' and ${IS_VALID}
    order by i.created_at desc, i.id limit 100`,
)

export async function invitationsTo(queries: PlatformQueries, account: Id<'account'>): Promise<ReceivedInvitation[]> {
  return queries.many(ALL_TO_ACCOUNT, [account])
}

export type NewInvitation = Pick<Invitation, 'id' | 'email' | 'role' | 'invited_by'> & {
  readonly organization: Id<'organization'>
}

/** The parameter gets the column's collation, so that only ASCII letters are lowercased, as in the unique index of accounts' addresses. */
const INSERT = platformStatement(
  'organizations.insert_invitation',
  `insert into platform.organization_invitations (id, organization_id, email, role, invited_by)
   values ($1, $2, lower($3 collate "C"), $4, $5)`,
)

export async function insertInvitation(tx: PlatformTx, invitation: NewInvitation): Promise<void> {
  const { id, organization, email, role, invited_by } = invitation
  await tx.run(INSERT, [id, organization, email, role, invited_by])
}

const SET_LINK = platformStatement(
  'organizations.set_invitation_link',
  'update platform.organization_invitations set link_hash = $2 where id = $1',
)

export async function setInvitationLink(tx: PlatformTx, id: Id<'organizationInvitation'>, hash: Buffer): Promise<void> {
  await tx.run(SET_LINK, [id, hash])
}

const ACCOUNT_NAME = platformStatement<{ name: string }>(
  'organizations.account_name',
  'select name from platform.accounts where id = $1',
)

export async function findAccountName(queries: PlatformQueries, account: Id<'account'>): Promise<string> {
  return (await queries.one(ACCOUNT_NAME, [account])).name
}

/** An invitation with the data that the page of its link shows. */
export type LinkedInvitation = ReceivedInvitation & {
  readonly organization_state: OrganizationState
  readonly inviter_name: string
  /** Whether an account has the invited address. */
  readonly has_account: boolean
}

const BY_LINK = platformStatement<LinkedInvitation>(
  'organizations.invitation_by_link',
  `select ${INVITATION}, o.id as organization_id, o.name as organization_name, o.state as organization_state,
          sender.name as inviter_name,
          exists (select from platform.accounts me where lower(me.email) = i.email) as has_account
     ${FROM} join platform.organizations o on o.id = i.organization_id
     join platform.accounts sender on sender.id = i.invited_by
    where i.link_hash = $1`,
)

export async function findInvitationByLink(queries: PlatformQueries, hash: Buffer): Promise<LinkedInvitation | null> {
  return queries.maybeOne(BY_LINK, [hash])
}

/** Lowercases only ASCII letters, like the database does with addresses. */
export function isAddressedTo({ email }: Pick<Invitation, 'email'>, address: string): boolean {
  return email === address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const DELETE = platformStatement(
  'organizations.delete_invitations',
  'delete from platform.organization_invitations where id = any($1)',
)

/**
 * Also deletes the queued mails of these invitations, because the mails contain the inviter's name and a link that would no longer work.
 */
export async function deleteInvitations(tx: PlatformTx, ids: readonly Id<'organizationInvitation'>[]): Promise<void> {
  await tx.run(DELETE, [ids])
  await deleteMailsAbout(tx, ids.map(invitationMailKey))
}

export const invitationMailKey = (id: Id<'organizationInvitation'>): string => `team_invitation ${id}`

const DELETE_AROUND = platformStatement<{ id: Id<'organizationInvitation'> }>(
  'organizations.delete_invitations_of_account',
  'delete from platform.organization_invitations where invited_by = $1 or email = lower($2 collate "C") returning id',
)

/** Deletes the invitations that the person sent, which are no longer valid, and the invitations to the person's address. */
export async function deleteInvitationsAround(tx: PlatformTx, account: Id<'account'>, email: string): Promise<void> {
  const deleted = await tx.many(DELETE_AROUND, [account, email])
  const keys = deleted.map(({ id }) => invitationMailKey(id))
  await deleteMailsAbout(tx, keys)
}

const PURGE = platformStatement(
  'organizations.purge_invitations',
  `delete from platform.organization_invitations where id in (
     select id from platform.organization_invitations
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

/** Deletes expired invitations, because they may contain addresses of people without an account. */
export async function purgeInvitations(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}
