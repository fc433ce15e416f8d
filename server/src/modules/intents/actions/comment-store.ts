import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type PageSeen = {
  readonly company: string
  readonly questions_closed: boolean
  readonly author: string | null
  /** Whether the author is one of the company's team. */
  readonly on_team: boolean
}

/** The rows belong to others, and are only read. */
const PAGE = statement<PageSeen>(
  'intents.company_page',
  `select c.name as company, c.questions_closed, u.name as author,
          exists (select from company_people p
                   where p.company_id = c.id and p.user_id = u.id and p.ended_at is null) as on_team
     from companies c cross join users u where c.id = $1 and u.id = $2`,
)

export async function findPage(
  queries: WorldQueries,
  company: Id<'company'>,
  author: Id<'user'>,
): Promise<PageSeen | null> {
  return queries.maybeOne(PAGE, [company, author])
}

export type TargetComment = { readonly is_question: boolean; readonly body: string }

const TARGET = statement<TargetComment>(
  'intents.target_comment',
  `select parent_id is null as is_question, body from comments
    where id = $2 and company_id = $1 and removed_at is null`,
)

/** Null for a comment that is not on this company's page. */
export async function findTarget(
  queries: WorldQueries,
  company: Id<'company'>,
  comment: Id<'comment'>,
): Promise<TargetComment | null> {
  return queries.maybeOne(TARGET, [company, comment])
}
