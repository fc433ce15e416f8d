import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const QUEUE = statement(
  'invite_links.queue_mail',
  'update invite_links set mail_due_at = clock_timestamp(), mail_attempts = 0, mail_origin = $2 where id = $1',
)

/** With the rest of the transaction or not at all; a worker sends it. Queued twice before that, it is sent once. */
export async function queueMail(tx: Tx, id: Id<'inviteLink'>, origin: string): Promise<void> {
  await tx.run(QUEUE, [id, origin])
}

export type DueMail = {
  readonly id: Id<'inviteLink'>
  readonly attempt: number
  readonly origin: string
  /** Null where there is no longer anybody to write to. */
  readonly to: string | null
  readonly firstName: string | null
  readonly message: string | null
  readonly app: string
  readonly organization: string
  readonly company: string
  readonly testingTheWaters: boolean
}

/** Twelve tries over half a day, each waiting longer than the one before it. */
const ATTEMPTS_MAX = 12
const WAIT_MINUTES = 10

/**
 * Taken by moving its next try ahead, so that nobody else sends it meanwhile, and whoever dies over it is followed by the
 * next try. The address of an account is read here and goes nowhere but into the mail.
 */
const TAKE = statement<DueMail>(
  'invite_links.take_mails',
  `with taken as (
     update invite_links l
        set mail_attempts = mail_attempts + 1,
            mail_due_at = case when mail_attempts + 1 < ${ATTEMPTS_MAX}
                               then clock_timestamp() + (mail_attempts + 1) * interval '${WAIT_MINUTES} minutes' end
      where l.id = any (array(
        select id from invite_links where mail_due_at <= clock_timestamp()
         order by mail_due_at limit $1 for no key update skip locked))
     returning l.id, l.mail_attempts, l.mail_origin, l.email, l.user_id, l.first_name, l.message, l.offering_id, l.installation_id)
   select t.id, t.mail_attempts as attempt, t.mail_origin as origin,
          coalesce(t.email, (select u.email from users u where u.id = t.user_id and u.deactivated_at is null)) as "to",
          t.first_name as "firstName", t.message, a.name as app, g.name as organization, c.name as company,
          o.testing_the_waters as "testingTheWaters"
     from taken t
     join offerings o on o.id = t.offering_id
     join companies c on c.id = o.company_id
     join installations i on i.id = t.installation_id
     join platform.apps a on a.id = i.app_id
     join platform.organizations g on g.id = a.organization_id`,
)

export async function takeMails(queries: WorldQueries, limit: number): Promise<readonly DueMail[]> {
  return queries.many(TAKE, [limit])
}

const SENT = statement(
  'invite_links.mail_sent',
  'update invite_links set mail_due_at = null where id = $1 and mail_attempts = $2',
)

/** Unless it was queued anew while this one was on its way. */
export async function markMailed(
  queries: WorldQueries,
  { id, attempt }: Pick<DueMail, 'id' | 'attempt'>,
): Promise<void> {
  await queries.run(SENT, [id, attempt])
}
