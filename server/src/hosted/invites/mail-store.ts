import type { PartnerSide, Recipient } from '#hosted/sessions/index.ts'
import type { Id } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx, Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import {
  countedRows,
  type DueIn,
  msUntil,
  platformStatement,
  type QueueLength,
  secondsSince,
  statement,
} from '#system/postgres/statement.ts'
import { currentUses } from './store.ts'

const ONE_AT_A_TIME = statement(
  'invite_links.one_mailing_at_a_time',
  'select pg_advisory_xact_lock(hashtextextended($1, 4471209))',
)

/**
 * Every request that queues a mail first takes this lock of its app. So the second of two concurrent requests sees the mail of the
 * first.
 */
export async function lockMailing(tx: Tx, { app }: PartnerSide): Promise<void> {
  await tx.run(ONE_AT_A_TIME, [`invitations of ${app}`])
}

type About = { readonly offering: Id<'offering'>; readonly recipient: Recipient }

/** Links to the same recipient: by address, or by account. */
const LINKS_TO_RECIPIENT = `from invite_links l join installations n on n.id = l.installation_id
     where n.app_id = $1 and (lower(l.email) = lower($2::text collate "C") or l.user_id = $3)`

const WRITTEN_TO = statement<{ written: boolean }>(
  'invite_links.written_to',
  `select exists (
     select ${LINKS_TO_RECIPIENT} and l.offering_id = $4
        and (l.mail_due_at is not null or l.mailed_at > clock_timestamp() - interval '1 hour')) as written`,
)

/** Whether the app has mailed the person about this offering within the last hour, or has queued a mail. */
export async function isMailedOrQueued(tx: Tx, { app }: PartnerSide, { offering, recipient }: About): Promise<boolean> {
  return (await tx.one(WRITTEN_TO, [app, ...named(recipient), offering])).written
}

const HAS_DECLINED = statement<{ no: boolean }>(
  'invite_links.said_no',
  `select exists (select ${LINKS_TO_RECIPIENT} and l.declined_at is not null) as no`,
)

/** "A person can also say no, and is then not mailed again": by this app, about any offering. */
export async function hasDeclined(tx: Tx, { app }: PartnerSide, recipient: Recipient): Promise<boolean> {
  return (await tx.one(HAS_DECLINED, [app, ...named(recipient)])).no
}

function named(recipient: Recipient): readonly (string | null)[] {
  return 'email' in recipient ? [recipient.email, null] : [null, recipient.userId]
}

const QUEUE = statement(
  'invite_links.queue_mail',
  `update invite_links set mail_due_at = clock_timestamp(), mail_failed_at = null, mail_attempts = 0, mail_origin = $2, mail_kind = $3
    where id = $1`,
)

type MailKind = 'send' | 'resend'
/** `origin`: our own address, for the mail's link. */
type Queued = { readonly origin: string; readonly kind: MailKind }

/** The mail is queued when the transaction commits; a worker sends it and records it as sent. */
export async function queueMail(tx: Tx, id: Id<'inviteLink'>, { origin, kind }: Queued): Promise<void> {
  await tx.run(QUEUE, [id, origin, kind])
}

export type DueMail = {
  readonly id: Id<'inviteLink'>
  readonly attempt: number
  readonly origin: string
  readonly kind: MailKind
  /** Null if the recipient was erased or `WANTED` is false. */
  readonly to: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly message: string | null
  readonly app: string
  readonly organization: string
  readonly company: string
  readonly testingTheWaters: boolean
}

/** At most twelve attempts within half a day. The wait before the next attempt grows each time. */
const ATTEMPTS_MAX = 12
const WAIT_MINUTES = 10

/**
 * True if a queued mail should still be sent: the app is active and still installed on the company or syndicate, a syndicate still
 * runs the offering, the offering accepts investors now or later, and the person has neither invested by the link nor declined a
 * link of this app. Links to an address are compared only with links to the same address, and links to an account only with links
 * to the same account. Otherwise an app could learn to which account an address belongs, because a mail was not sent.
 */
const WANTED = `a.state = 'active' and o.status in ('open', 'upcoming')
            and exists (
              select from installations n
               where n.app_id = i.app_id and n.target_type = i.target_type and n.state = 'active'
                 and coalesce(n.company_id, n.syndicate_id) = coalesce(i.company_id, i.syndicate_id))
            and (i.syndicate_id is null or exists (
              select from syndicate_deals d where d.syndicate_id = i.syndicate_id and d.offering_id = t.offering_id))
            and not exists (select from ${currentUses('t.id')} used)
            and not exists (
              select from invite_links no join installations n on n.id = no.installation_id
               where n.app_id = i.app_id and no.declined_at is not null
                 and (lower(no.email) = lower(t.email) or no.user_id = t.user_id))`

/**
 * Leases due mails: their next try is set to a later time, so that no other worker sends them meanwhile. If the process dies during
 * an attempt, a worker takes the mail again at that time; if it was the last attempt, the mail is given up instead. The address of
 * an account is read only here, and only the mail contains it.
 */
const TAKE = statement<DueMail>(
  'invite_links.take_mails',
  `with taken as (
     update invite_links l
        set mail_attempts = least(mail_attempts + 1, ${ATTEMPTS_MAX}),
            mail_due_at = case when mail_attempts < ${ATTEMPTS_MAX}
                               then clock_timestamp() + (mail_attempts + 1) * interval '${WAIT_MINUTES} minutes' end,
            mail_failed_at = case when mail_attempts >= ${ATTEMPTS_MAX} then clock_timestamp() end
      where l.id = any (array(
        select id from invite_links where mail_due_at <= clock_timestamp()
         order by mail_due_at limit $1 for no key update skip locked))
     returning l.id, l.mail_attempts, l.mail_origin, l.mail_kind, l.email, l.user_id, l.first_name, l.last_name, l.message,
               l.offering_id, l.installation_id, l.mail_failed_at)
   select t.id, t.mail_attempts as attempt, t.mail_origin as origin, t.mail_kind as kind,
          case when ${WANTED} then
            coalesce(t.email, (select u.email from users u where u.id = t.user_id and u.deactivated_at is null))
          end as "to",
          t.first_name as "firstName", t.last_name as "lastName", t.message, a.name as app, g.name as organization, c.name as company,
          o.testing_the_waters as "testingTheWaters"
     from taken t
     join offerings o on o.id = t.offering_id
     join companies c on c.id = o.company_id
     join installations i on i.id = t.installation_id
     join platform.apps a on a.id = i.app_id
     join platform.organizations g on g.id = a.organization_id
    where t.mail_failed_at is null`,
)

const NEXT = statement<DueIn>(
  'invite_links.next_mail',
  `select ${msUntil('select min(mail_due_at) from invite_links')} as due_in_ms`,
)

/** How long until the next invitation is mailed. */
export async function nextInvitationInMs({ reads }: Pick<WorldDatabase, 'reads'>): Promise<number | null> {
  return (await reads.one(NEXT)).due_in_ms
}

export async function takeMails(queries: WorldQueries, limit: number): Promise<readonly DueMail[]> {
  return queries.many(TAKE, [limit])
}

type Taken = Pick<DueMail, 'id' | 'attempt' | 'kind'>

const SENT = statement(
  'invite_links.mail_sent',
  `with sent as (
     update invite_links
        set mailed_at = clock_timestamp(), mail_due_at = case when mail_attempts = $2 then null else mail_due_at end
      where id = $1 and per_person)
   insert into invite_link_events (invite_link_id, event) values ($1, $3)`,
)

/** Records the mail as sent. Removes it from the queue, unless it was queued again meanwhile. */
export async function markMailed(queries: WorldQueries, { id, attempt, kind }: Taken): Promise<void> {
  await queries.run(SENT, [id, attempt, kind])
}

const DROPPED = statement(
  'invite_links.mail_dropped',
  'update invite_links set mail_due_at = null where id = $1 and mail_attempts = $2',
)

export async function dropMail(queries: WorldQueries, { id, attempt }: Taken): Promise<void> {
  await queries.run(DROPPED, [id, attempt])
}

const GIVEN_UP = statement(
  'invite_links.mail_given_up',
  `update invite_links set mail_due_at = null, mail_failed_at = clock_timestamp() where id = $1 and mail_attempts = $2`,
)

export const isLastTry = (attempt: number) => attempt >= ATTEMPTS_MAX

/** Stops retrying. Operators see the invitation and can queue its mail again. */
export async function giveUpMail(queries: WorldQueries, { id, attempt }: Taken): Promise<void> {
  await queries.run(GIVEN_UP, [id, attempt])
}

/** An invitation whose mail was given up. A canceled or declined invitation is left out, because it is not mailed any more. */
const FAILED = 'mail_failed_at is not null and canceled_at is null and declined_at is null'

const LENGTH = statement<{ waiting: number; oldest_seconds: number; set_aside: number }>(
  'invite_links.mail_queue',
  `select ${countedRows('invite_links where mail_due_at <= clock_timestamp()')} as waiting,
          ${secondsSince('select min(mail_due_at) from invite_links where mail_due_at <= clock_timestamp()')}
            as oldest_seconds,
          ${countedRows(`invite_links where ${FAILED}`)} as set_aside`,
)

/** Invitations whose mail is due, and those whose mail was given up. */
export async function invitationQueue(db: WorldDatabase): Promise<QueueLength & { readonly setAside: number }> {
  const { waiting, oldest_seconds: oldestSeconds, set_aside: setAside } = await db.reads.one(LENGTH)
  return { waiting, oldestSeconds, setAside }
}

export type UnsentInvitation = {
  readonly id: Id<'inviteLink'>
  readonly app_id: Id<'app'>
  readonly mail_failed_at: string
  readonly mail_attempts: number
}

const LIST_FAILED = inEach((world) =>
  platformStatement<UnsentInvitation>(
    `invite_links.list_unsent_${world}`,
    `select l.id, i.app_id, l.mail_failed_at, l.mail_attempts
       from ${world}.invite_links l join ${world}.installations i on i.id = l.installation_id
      where ${FAILED} and l.id > $1 order by l.id limit $2`,
  ),
)

/** Invitations whose mail was given up, without their recipients. */
export async function listUnsentInvitations(queries: PlatformQueries, world: World, after: string, limit: number) {
  return queries.many(LIST_FAILED[world], [after, limit])
}

const RETRY = inEach((world) =>
  platformStatement<{ subject: string }>(
    `invite_links.retry_mail_${world}`,
    `update ${world}.invite_links set mail_due_at = clock_timestamp(), mail_attempts = 0, mail_failed_at = null
      where id = $1 and ${FAILED} returning coalesce(user_id, id) as subject`,
  ),
)

/** Queues the mail again. Returns the invited user, or the link if it is for an address; null if no mail of this link was given up. */
export async function retryInvitation(tx: PlatformTx, world: World, id: string): Promise<string | null> {
  return (await tx.maybeOne(RETRY[world], [id]))?.subject ?? null
}
