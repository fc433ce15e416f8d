import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Permission } from './syndicate.ts'

export type NewInvitation = {
  /** The id of the invitation's row in the directory. An existing invitation keeps its own id. */
  readonly id: Id<'membership'>
  readonly syndicateId: Id<'syndicate'>
  readonly email: string
  readonly name: string | null
  /** The account at this address, if there is one. */
  readonly userId: Id<'user'> | null
  readonly permission: Permission | null
  readonly invitedBy: Id<'user'>
  readonly occurredAt: WorldTime
}

/**
 * SQL: true unless the account has a membership with one of these states, because such a membership answers the invitation.
 */
const isUnanswered = (syndicate: string, account: string) => `
  not exists (select from memberships m
               where m.syndicate_id = ${syndicate} and m.user_id = ${account}
                 and m.status in ('member', 'pending', 'approved', 'payment_failed'))`

const INSERT = statement(
  'invitations.insert',
  `insert into syndicate_invitations (syndicate_id, email, name, user_id, permission, invited_by, invited_at,
                                      last_invited_at, id, open)
   values ($1, $2, $3, $4, $5, $6, $7, $7, $8, ${isUnanswered('$1', '$4')})
   on conflict (syndicate_id, email_key) do nothing`,
)

/** Returns false if this address was invited before. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<boolean> {
  return (await tx.run(INSERT, [...valuesOf(invitation), invitation.id])) === 1
}

export type Reinvitation = {
  readonly email: string
  readonly name: string | null
  readonly user_id: Id<'user'> | null
  readonly last_invited_at: WorldTime
}

/**
 * Also reopens an invitation that was withdrawn, or that was closed by a membership or an application that has ended
 * since.
 */
const REPEAT = statement<Reinvitation>(
  'invitations.repeat',
  `update syndicate_invitations i
      set times = times + 1, name = coalesce($3, name, $8), user_id = coalesce($4, user_id),
          permission = coalesce($5, permission), invited_by = $6,
          last_invited_at = greatest($7::timestamptz, last_invited_at + interval '1 microsecond'),
          open = ${isUnanswered('i.syndicate_id', 'coalesce($4, i.user_id)')}, withdrawn_at = null
    where syndicate_id = $1 and email_key = lower($2::text collate "C")
   returning email, name, user_id, last_invited_at`,
)

/** Returns null if this address was never invited. */
export async function repeatInvitation(
  tx: Tx,
  { accountName, ...invitation }: Omit<NewInvitation, 'id'> & { readonly accountName: string | null },
): Promise<Reinvitation | null> {
  return tx.maybeOne(REPEAT, [...valuesOf(invitation), accountName])
}

function valuesOf(invitation: Omit<NewInvitation, 'id'>) {
  const { syndicateId, email, name, userId, permission, invitedBy, occurredAt } = invitation
  return [syndicateId, email, name, userId, permission, invitedBy, occurredAt]
}

export type InvitationHere = {
  readonly id: Id<'membership'>
  readonly open: boolean
  /**
   * Seconds until the invitation may be sent again; zero or less means now. The second sending needs no wait. Each
   * later sending must wait until a minute after the last one.
   */
  readonly wait_seconds: number
  /** The time from which the invitation may be sent again, in Unix seconds. */
  readonly again_at: number
}

const LOCK = statement<InvitationHere>(
  'invitations.lock',
  `select id, open, wait.seconds as wait_seconds,
          ceil(extract(epoch from clock_timestamp()))::int + wait.seconds as again_at
     from syndicate_invitations
     cross join lateral (
       select case when times = 1 then 0
                   else ceil(extract(epoch from last_invited_at + interval '1 minute' - world_now()))::int
              end as seconds) wait
    where syndicate_id = $1 and email_key = lower($2::text collate "C") for no key update of syndicate_invitations`,
)

/** Returns null if this address was never invited. Another request that locks the same invitation waits. */
export async function lockInvitation(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  email: string,
): Promise<InvitationHere | null> {
  return tx.maybeOne(LOCK, [syndicateId, email])
}

export type Invitation = { readonly email: string; readonly last_invited_at: WorldTime }

const BY_EMAIL = statement<Invitation>(
  'invitations.by_email',
  `select email, last_invited_at from syndicate_invitations
    where syndicate_id = $1 and email_key = lower($2::text collate "C") and withdrawn_at is null`,
)

/** Returns null for an address that was never invited, or whose invitation was withdrawn. */
export async function findInvitation(tx: Tx, syndicateId: Id<'syndicate'>, email: string): Promise<Invitation | null> {
  return tx.maybeOne(BY_EMAIL, [syndicateId, email])
}

/** The union reads by two indexes. With an `or` or a join, PostgreSQL reads every invitation of the syndicate (measured). */
const OF_PERSON = statement<Invitation>(
  'invitations.of_person',
  `select email, last_invited_at
     from (select email, last_invited_at, 1 as rank from syndicate_invitations
            where syndicate_id = $1 and email_key = (select lower(u.email) from users u where u.id = $2)
              and withdrawn_at is null
           union all
           select email, last_invited_at, 2 from syndicate_invitations
            where user_id = $2 and syndicate_id = $1 and withdrawn_at is null
          ) as mine
    order by rank, last_invited_at desc
    limit 1`,
)

/** The invitation to the person's current address, otherwise the latest invitation to an earlier address of the person. */
export async function findInvitationOf(
  queries: WorldQueries,
  syndicateId: Id<'syndicate'>,
  userId: Id<'user'>,
): Promise<Invitation | null> {
  return queries.maybeOne(OF_PERSON, [syndicateId, userId])
}

/** Finds the person's invitations by account and by address, each by its own index. */
const ANSWER = statement(
  'invitations.answer',
  `update syndicate_invitations set open = false
    where open and syndicate_id = $1
      and email_key in (
        select lower(u.email) from users u where u.id = $2
         union all
        select lower($3::text collate "C")
         union all
        select email_key from syndicate_invitations where user_id = $2 and syndicate_id = $1)`,
)

/** Closes all invitations of a person who joined or applied, to any of their addresses. */
export async function answerInvitations(
  tx: Tx,
  membership: { syndicate_id: Id<'syndicate'>; user_id: Id<'user'>; invited_email: string | null },
): Promise<void> {
  await tx.run(ANSWER, [membership.syndicate_id, membership.user_id, membership.invited_email])
}

const WITHDRAW = statement(
  'invitations.withdraw',
  `update syndicate_invitations set open = false, withdrawn_at = $3
    where syndicate_id = $1 and id = $2 and open`,
)

/** Returns false if the invitation is not open: the person joined or applied, or another manager withdrew it at the same time. */
export async function withdrawInvitation(
  tx: Tx,
  invitation: { readonly syndicateId: Id<'syndicate'>; readonly id: Id<'membership'>; readonly at: WorldTime },
): Promise<boolean> {
  return (await tx.run(WITHDRAW, [invitation.syndicateId, invitation.id, invitation.at])) === 1
}

export type InvitationMail = {
  readonly email: string
  readonly times: number
  readonly syndicate: string
  readonly inviter: string | null
}

/** An invitation is mailed at most once an hour, in real time, so that resending cannot flood a mailbox. */
const TAKE_MAIL = statement<InvitationMail>(
  'invitations.take_mail',
  `update syndicate_invitations i set mailed_at = clock_timestamp()
     from syndicates s, users u
    where i.syndicate_id = $1 and i.id = $2 and s.id = i.syndicate_id and u.id = i.invited_by
      and i.open and i.mail_declined_at is null
      and (i.mailed_at is null or i.mailed_at < clock_timestamp() - interval '1 hour')
   returning i.email, i.times, s.name as syndicate, u.name as inviter`,
)

/** Returns null if the invitation was mailed within the hour, was answered or withdrawn, or its recipient wants no more mail. */
export async function takeInvitationMail(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  id: Id<'membership'>,
): Promise<InvitationMail | null> {
  return tx.maybeOne(TAKE_MAIL, [syndicateId, id])
}

/** An invitation as its recipient sees it. */
export type OpenInvitation = {
  readonly id: Id<'membership'>
  readonly email: string
  readonly syndicateId: Id<'syndicate'>
  readonly syndicate: string
  readonly tagline: string | null
  readonly inviter: string | null
  readonly mailDeclined: boolean
}

const OPEN = statement<OpenInvitation>(
  'invitations.open',
  `select i.id, i.email, s.id as "syndicateId", s.name as syndicate, s.tagline, u.name as inviter,
          i.mail_declined_at is not null as "mailDeclined"
     from syndicate_invitations i
     join syndicates s on s.id = i.syndicate_id
     join users u on u.id = i.invited_by
    where i.id = $1 and i.open`,
)

/** Returns null if the invitation was answered or withdrawn. */
export async function findOpenInvitation(queries: WorldQueries, id: Id<'membership'>): Promise<OpenInvitation | null> {
  return queries.maybeOne(OPEN, [id])
}

const DECLINE_MAIL = statement(
  'invitations.decline_mail',
  `update syndicate_invitations set mail_declined_at = coalesce(mail_declined_at, clock_timestamp())
    where id = $1 and open`,
)

export async function declineInvitationMail(tx: Tx, id: Id<'membership'>): Promise<void> {
  await tx.run(DECLINE_MAIL, [id])
}
