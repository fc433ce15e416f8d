import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { DisclosureKey } from '#market/companies/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export const QUESTION_SORTS = ['relevance', 'recent', 'upvoted', 'unanswered'] as const
export type QuestionSort = (typeof QUESTION_SORTS)[number]

/** The author of a question or reply. Other modules own the tables that this file reads. */
type Author = {
  readonly author_id: Id<'user'>
  /** Null for an author who has left. */
  readonly author_name: string | null
  readonly disclosure_key: DisclosureKey | null
  /** Their role at the company, now or when they wrote; null for other people. */
  readonly role: 'founder' | 'employee' | null
  readonly on_team_now: boolean
}

export type QuestionRow = Author & {
  readonly id: Id<'comment'>
  readonly body: string
  readonly posted_at: WorldTime
  readonly likes_count: number
  readonly highlighted: boolean
  readonly answered: boolean
  readonly match: 'question' | 'answer' | null
  readonly answers_count: number
  readonly k1: number
  readonly k2: number
  readonly k3: number
}

export type AnswerRow = Author & {
  readonly id: Id<'comment'>
  readonly question_id: Id<'comment'>
  readonly parent_id: Id<'comment'>
  readonly body: string
  readonly posted_at: WorldTime
  readonly likes_count: number
}

/** The roles of the author at the company, now or when they wrote the comment. */
const rolesOf = (comment: string) => `company_people p where p.company_id = ${comment}.company_id
  and p.user_id = ${comment}.author_id
  and (p.ended_at is null or (p.started_at <= ${comment}.posted_at and ${comment}.posted_at <= p.ended_at))`

const authorOf = (comment: string) => `${comment}.author_id, u.name as author_name, ${comment}.disclosure_key,
  (select case when bool_or(p.role = 'founder') then 'founder' else 'employee' end
     from ${rolesOf(comment)} having count(*) > 0) as role,
  (select coalesce(bool_or(p.ended_at is null), false) from ${rolesOf(comment)}) as on_team_now`

const liveReplies = (of: string) => `comments a where a.question_id = ${of}.id and a.removed_at is null`

const COLUMNS = 'id, company_id, author_id, body, disclosure_key, highlighted, likes_count, posted_at'
const QUESTION_COLUMNS = `${COLUMNS}, replied, answered, match, rank`

/** $1 company, $2 earliest time, $3 only questions that the team has not answered. */
const wantedText = (hit: { readonly columns: string; readonly from: string }) => `
  asked as (
    select c.id, c.company_id, c.author_id, c.body, c.disclosure_key, c.highlighted, c.likes_count, c.posted_at,
           exists (select from ${liveReplies('c')}) as replied,
           exists (select from ${liveReplies('c')} and exists (select from ${rolesOf('a')})) as answered,
           ${hit.columns}
      from comments c ${hit.from}
     where c.company_id = $1 and c.parent_id is null and c.removed_at is null and c.posted_at >= $2::timestamptz),
  wanted as (select ${QUESTION_COLUMNS} from asked where not ($3::boolean and answered))`

const EVERY = wantedText({ columns: 'null::text as match, 0 as rank', from: '' })

/**
 * $4 is the search text, $5 the same words as prefixes, or null. A thread matches by its question or by any reply, and
 * is ranked by its best match. `match` is `question` if the question matches.
 */
const FOUND = `
  search as (
    select case when $5::text is null then websearch_to_tsquery('english', $4::text)
                else websearch_to_tsquery('english', $4::text) || to_tsquery('simple', $5::text) end as query),
  hits as (
    select coalesce(h.question_id, h.id) as question_id, bool_or(h.parent_id is null) as on_question,
           max(ts_rank(to_tsvector('english', h.body), (select query from search))) as rank
      from comments h
     where h.company_id = $1 and h.removed_at is null
       and to_tsvector('english', h.body) @@ (select query from search)
     group by 1),
  ${wantedText({
    columns: `case when hits.on_question then 'question' else 'answer' end as match,
           (hits.rank * 1000000)::int as rank`,
    from: 'join hits on hits.question_id = c.id',
  })}`

type Keys = readonly [string, string, string]

/** The values that each order compares before the time of posting, all descending. */
const KEYS: Readonly<Record<QuestionSort, Keys>> = {
  relevance: ['highlighted::int', 'answered::int', 'likes_count'],
  recent: ['0', '0', '0'],
  upvoted: ['likes_count', '0', '0'],
  unanswered: ['(not replied)::int', '0', '0'],
}

/** The parameters for the start of the page begin with number `first`. */
const pageText = (wanted: string, [k1, k2, k3]: Keys, first: number) => `
  with ${wanted},
  keyed as (select ${QUESTION_COLUMNS}, ${k1} as k1, ${k2} as k2, ${k3} as k3 from wanted),
  page as (
    select ${QUESTION_COLUMNS}, k1, k2, k3 from keyed
     where (k1, k2, k3, posted_at, id)
           < ($${first}::int, $${first + 1}::int, $${first + 2}::int, $${first + 3}::timestamptz,
              $${first + 4}::text collate "C")
     order by k1 desc, k2 desc, k3 desc, posted_at desc, id desc limit $${first + 5} offset $${first + 6})
  select page.id, page.body, page.posted_at, page.likes_count, page.highlighted, page.answered, page.match,
         (select count(*)::int from ${liveReplies('page')}) as answers_count, page.k1, page.k2, page.k3,
         ${authorOf('page')}
    from page join users u on u.id = page.author_id
   order by page.k1 desc, page.k2 desc, page.k3 desc, page.posted_at desc, page.id desc`

const pageOf = (sort: QuestionSort) =>
  statement<QuestionRow>(`content.questions_${sort}`, pageText(EVERY, KEYS[sort], 4))

const PAGES: Readonly<Record<QuestionSort, ReturnType<typeof pageOf>>> = {
  relevance: pageOf('relevance'),
  recent: pageOf('recent'),
  upvoted: pageOf('upvoted'),
  unanswered: pageOf('unanswered'),
}

const SEARCH_PAGE = statement<QuestionRow>('content.questions_search', pageText(FOUND, ['rank', '0', '0'], 6))

const TOTAL = statement<{ total: number }>(
  'content.questions_total',
  `with ${EVERY} select count(*)::int as total from wanted`,
)
const TOTAL_FOUND = statement<{ total: number }>(
  'content.questions_found',
  `with ${FOUND} select count(*)::int as total from wanted`,
)

export type QuestionPlace = {
  readonly keys: readonly [number, number, number]
  readonly postedAt: string
  readonly id: string
}

const INT_MAX = 2 ** 31 - 1
/** The start of the list. `~` sorts after every id, because every id begins with a letter. */
const START: QuestionPlace = { keys: [INT_MAX, INT_MAX, INT_MAX], postedAt: 'infinity', id: '~' }

export type Search = { readonly q: string; readonly prefixes: string | null }

export type WantedQuestions = {
  readonly company: Id<'company'>
  /** The day from which questions are listed; null for all raises. */
  readonly since: string | null
  readonly unansweredByTeam: boolean
  readonly search: Search | null
}

const filters = ({ company, since, unansweredByTeam }: WantedQuestions) => [
  company,
  since === null ? '-infinity' : `${since}T00:00:00Z`,
  unansweredByTeam,
]

type WantedPage = {
  readonly sort: QuestionSort
  readonly after: QuestionPlace | null
  readonly skip: number
  readonly limit: number
}

export async function questionRows(
  queries: WorldQueries,
  wanted: WantedQuestions,
  { sort, after, skip, limit }: WantedPage,
): Promise<QuestionRow[]> {
  const { keys, postedAt, id } = after ?? START
  const place = [...keys, postedAt, id, limit, skip]
  const { search } = wanted
  if (search === null) return queries.many(PAGES[sort], [...filters(wanted), ...place])
  return queries.many(SEARCH_PAGE, [...filters(wanted), search.q, search.prefixes, ...place])
}

export async function countQuestions(queries: WorldQueries, wanted: WantedQuestions): Promise<number> {
  const { search } = wanted
  const row =
    search === null
      ? await queries.one(TOTAL, filters(wanted))
      : await queries.one(TOTAL_FOUND, [...filters(wanted), search.q, search.prefixes])
  return row.total
}

/** How many replies are shown with a question; `answers_count` counts all of them. */
export const ANSWERS_MAX = 100

const ANSWERS = statement<AnswerRow>(
  'content.answers',
  `select a.id, a.question_id, a.parent_id, a.body, a.posted_at, a.likes_count, ${authorOf('a')}
     from unnest($1::text[]) as q (id)
     cross join lateral (
       select id, company_id, question_id, parent_id, author_id, body, disclosure_key, likes_count, posted_at
         from comments where question_id = q.id and removed_at is null order by posted_at, id limit $2) a
     join users u on u.id = a.author_id
    order by a.posted_at, a.id`,
)

/** The replies to these questions, oldest first. */
export async function answerRows(queries: WorldQueries, questions: readonly Id<'comment'>[]): Promise<AnswerRow[]> {
  return queries.many(ANSWERS, [[...questions], ANSWERS_MAX])
}
