import type { Id } from '#kernel/ids.ts'
import type { PartnerSide, Recipient } from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const ONE_AT_A_TIME = statement(
  'invite_links.one_mailing_at_a_time',
  'select pg_advisory_xact_lock(hashtextextended($1, 4471209))',
)

/** Of two requests of an app that would both write to somebody, the second sees the first one's. Before every other lock. */
export async function holdMailing(tx: Tx, { app }: PartnerSide): Promise<void> {
  await tx.run(ONE_AT_A_TIME, [`invitations of ${app}`])
}

type About = { readonly offering: Id<'offering'>; readonly recipient: Recipient }

/** Of links to the person by the same name they are known by here: an address, or an account. */
const THEIRS = `from invite_links l join installations n on n.id = l.installation_id
     where n.app_id = $1 and (lower(l.email) = lower($2::text collate "C") or l.user_id = $3)`

const WRITTEN_TO = statement<{ written: boolean }>(
  'invite_links.written_to',
  `select exists (
     select ${THEIRS} and l.offering_id = $4
        and (l.mail_due_at is not null or l.mailed_at > clock_timestamp() - interval '1 hour')) as written`,
)

/** Whether the app has written to them about this offering within the hour, or is about to. */
export async function isWrittenTo(tx: Tx, { app }: PartnerSide, { offering, recipient }: About): Promise<boolean> {
  return (await tx.one(WRITTEN_TO, [app, ...named(recipient), offering])).written
}

const SAID_NO = statement<{ no: boolean }>(
  'invite_links.said_no',
  `select exists (select ${THEIRS} and l.declined_at is not null) as no`,
)

/** "A person can also say no, and is then not mailed again": by this app, for whichever offering. */
export async function hasSaidNo(tx: Tx, { app }: PartnerSide, recipient: Recipient): Promise<boolean> {
  return (await tx.one(SAID_NO, [app, ...named(recipient)])).no
}

function named(recipient: Recipient): readonly (string | null)[] {
  return 'email' in recipient ? [recipient.email, null] : [null, recipient.userId]
}
