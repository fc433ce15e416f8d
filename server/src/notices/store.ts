import { APP_NOTICES, type ProgramName, type ProgramTier, type RequestKind, type Stopped } from '#access/apps/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, PlatformQueries, PlatformTx, Tx } from '#system/postgres/database.ts'
import {
  countedRows,
  type DueIn,
  msUntil,
  platformStatement,
  type QueueLength,
  secondsSince,
  statement,
} from '#system/postgres/statement.ts'
import { ENDPOINT_NOTICES } from '#webhooks/index.ts'

/** Runs in the world's transaction, so the notice and the change it reports commit together. */
const INSERT = statement(
  'notices.insert',
  `insert into platform.notices (id, organization_id, app_id, world, kind, subject, details, created_at)
   select $1, organization_id, id, $3, $4, $5, $6, world_now() from platform.apps where id = $2`,
)

export type NewNotice = Omit<Notice, 'app_name' | 'created_at'>

export async function insertNotice(tx: Tx, { id, app, world, kind, subject, details }: NewNotice): Promise<void> {
  await tx.run(INSERT, [id, app, world, kind, subject, JSON.stringify(details)])
}

/** Runs in a transaction of the platform, so the notice is dated by real time. */
const INSERT_ON_PLATFORM = platformStatement(
  'notices.insert_on_platform',
  `insert into platform.notices (id, organization_id, app_id, world, kind, subject, details)
   select $1, organization_id, id, $3, $4, $5, $6 from platform.apps where id = $2`,
)

export async function insertNoticeOnPlatform(tx: PlatformTx, notice: NewNotice): Promise<void> {
  const { id, app, world, kind, subject, details } = notice
  await tx.run(INSERT_ON_PLATFORM, [id, app, world, kind, subject, JSON.stringify(details)])
}

type NoticeRow = Omit<Notice, 'details'> & {
  /** JSON text. */
  readonly details: string
}

const COLUMNS = 'n.id, n.app_id as app, a.name as app_name, n.world, n.kind, n.subject, n.details, n.created_at'

const PAGE = platformStatement<NoticeRow>(
  'notices.page',
  `select ${COLUMNS} from platform.notices n join platform.apps a on a.id = n.app_id
    where n.organization_id = $1 and a.deleted_at is null and ($2::text is null or n.id < $2) order by n.id desc limit $3`,
)

export type NoticePage = { readonly before: string | null; readonly limit: number }

/** Newest first. */
export async function listNotices(
  queries: PlatformQueries,
  organization: Id<'organization'>,
  { before, limit }: NoticePage,
): Promise<Notice[]> {
  return (await queries.many(PAGE, [organization, before, limit])).map(noticeOf)
}

function noticeOf(row: NoticeRow): Notice {
  return { ...row, details: JSON.parse(row.details) }
}

/** Runs in the transaction that writes the mails, so that each notice is mailed once. */
const TAKE = platformStatement<NoticeRow>(
  'notices.take_mails',
  `update platform.notices n set mailed_at = clock_timestamp(), mail_due_at = null
     from platform.apps a
    where a.id = n.app_id and n.id = any (array(
      select id from platform.notices where mail_due_at <= clock_timestamp()
       order by mail_due_at limit $1 for no key update skip locked))
   returning n.id, n.app_id as app, a.name as app_name, n.world, n.kind, n.subject, n.details, n.created_at`,
)

const NEXT = platformStatement<DueIn>(
  'notices.next_mail',
  `select ${msUntil('select min(mail_due_at) from platform.notices')} as due_in_ms`,
)

/** How long until the next notice is mailed. */
export async function nextNoticeInMs({ reads }: Pick<PlatformDatabase, 'reads'>): Promise<number | null> {
  return (await reads.one(NEXT)).due_in_ms
}

const DUE = 'platform.notices where mail_due_at <= clock_timestamp()'
const LENGTH = platformStatement<{ waiting: number; oldest_seconds: number }>(
  'notices.queue_length',
  `select ${countedRows(DUE)} as waiting, ${secondsSince(`select min(mail_due_at) from ${DUE}`)} as oldest_seconds`,
)

/** How many notices have a mail that is due, and how long the oldest of these mails has been due. */
export async function noticeQueue(queries: PlatformQueries): Promise<QueueLength> {
  const { waiting, oldest_seconds: oldestSeconds } = await queries.one(LENGTH)
  return { waiting, oldestSeconds }
}

export async function takeMails(tx: PlatformTx, limit: number): Promise<Notice[]> {
  return (await tx.many(TAKE, [limit])).map(noticeOf)
}

type TeamMember = { readonly account: Id<'account'>; readonly email: string }

const RECIPIENTS = platformStatement<TeamMember>(
  'notices.recipients',
  `select p.id as account, p.email from platform.notices n
     join platform.organization_members m on m.organization_id = n.organization_id
     join platform.accounts p on p.id = m.account_id and p.disabled_at is null
    where n.id = $1 order by p.id`,
)

/** The current members of the team, without those whose accounts are disabled. */
export async function findRecipients(tx: PlatformTx, notice: Id<'notice'>): Promise<readonly TeamMember[]> {
  return tx.many(RECIPIENTS, [notice])
}

export const NOTICE_KINDS = [...ENDPOINT_NOTICES, 'webhook_endpoint.secret_expiring', ...APP_NOTICES] as const
type NoticeKind = (typeof NOTICE_KINDS)[number]

/** The further fields of a notice; each kind has some of them. */
export type NoticeDetails = {
  /** The URL of a webhook endpoint. */
  readonly url?: string
  /** World time. */
  readonly failing_since?: string | null
  readonly reason?: string | null
  /** The version of the usage conditions that was published. */
  readonly version?: string
  /** When a replaced secret ends, in real time. */
  readonly expires_at?: string
  /** The name of a key. */
  readonly name?: string
  readonly scopes?: readonly string[]
  readonly by?: 'team' | 'platform'
  readonly stopped?: Stopped
  /** What the team had requested. */
  readonly request?: RequestKind
  readonly program?: ProgramName | null
  readonly tier?: ProgramTier | null
}

/** An operational event about one of a team's apps. */
export type Notice = {
  readonly id: Id<'notice'>
  readonly app: Id<'app'>
  readonly app_name: string
  /** Null if the notice concerns both worlds. */
  readonly world: World | null
  readonly kind: NoticeKind
  /** The id of the record that the notice is about. */
  readonly subject: string
  readonly details: NoticeDetails
  /**
   * World time (like `failing_since`) for a notice about a failing or disabled endpoint, otherwise real time. Mails are
   * scheduled by real time.
   */
  readonly created_at: string
}
