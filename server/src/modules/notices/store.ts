import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, Tx } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'
import type { Notice } from './notice.ts'

/** In a world's transaction, which may write to the platform's tables: what is told and what it tells of are one. */
const INSERT = statement(
  'notices.insert',
  `insert into platform.notices (id, organization_id, app_id, world, kind, subject, details, created_at)
   select $1, organization_id, id, $3, $4, $5, $6, world_now() from platform.apps where id = $2`,
)

export type NewNotice = Omit<Notice, 'app_name' | 'created_at'>

export async function insertNotice(tx: Tx, { id, app, world, kind, subject, details }: NewNotice): Promise<void> {
  await tx.run(INSERT, [id, app, world, kind, subject, JSON.stringify(details)])
}

export type NoticeRow = Omit<Notice, 'details'> & {
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

export function noticeOf(row: NoticeRow): Notice {
  return { ...row, details: JSON.parse(row.details) }
}
