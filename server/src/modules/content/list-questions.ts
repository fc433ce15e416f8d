import type { Static } from 'typebox'
import { pagePlaces } from '#http/page-places.ts'
import { page as pageOf, pageSize } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import { digest } from '#modules/catalog/http.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { CONTENT_PAGE_SIZES, QUERY_BYTES_MAX, type QuestionQuery, questionRecord } from './question-record.ts'
import {
  answerRows,
  countQuestions,
  type QuestionPlace,
  questionRows,
  type Search,
  type WantedQuestions,
} from './question-store.ts'
import type { ShownPage } from './shown-page.ts'

type Asked = {
  readonly page: ShownPage
  readonly query: Static<typeof QuestionQuery>
  readonly cursors: CursorSealer
  readonly cursorsAre: Behaviour['pageCursors']
}

/** A page of the questions on a company's page, each with its answers. */
export async function listQuestions(db: WorldDatabase, { page, query, cursors, cursorsAre }: Asked) {
  const { sort = 'relevance', past_raises = false, unanswered_by_team = false, per_page } = query
  const company = page.company.id
  const search = searchOf(query.q)
  const since = past_raises ? null : page.raisingSince
  const wanted: WantedQuestions = { company, since, unansweredByTeam: unanswered_by_team, search }
  const size = pageSize(per_page, CONTENT_PAGE_SIZES)
  // A cursor is a place in one order of one company's questions; the rank depends on the search as well.
  const order = search === null ? sort : `search/${digest(search.q)}`
  const places = pagePlaces(cursors, cursorsAre, { kind: `questions/${db.world}/${company}/${order}`, version: 1 })
  const { after, skip } = places.open(query.cursor)
  const [rows, total] = await Promise.all([
    questionRows(db.reads, wanted, { sort, after: placeOf(after), skip, limit: size + 1 }),
    countQuestions(db.reads, wanted),
  ])
  const answers = await answerRows(
    db.reads,
    rows.slice(0, size).map(({ id }) => id),
  )
  const byQuestion = Map.groupBy(answers, ({ question_id }) => question_id)
  const { data, meta } = pageOf({
    rows,
    size,
    item: (row) => questionRecord(row, byQuestion.get(row.id) ?? [], page.url),
    next: ({ k1, k2, k3, posted_at, id }) => places.next([k1, k2, k3, posted_at, id], skip + size),
  })
  const told = {
    company,
    sort: search === null ? sort : ('search' as const),
    q: search?.q ?? null,
    unanswered_by_team,
    past_raises,
    questions_since: since,
    total,
  }
  return { data, meta: { ...meta, ...told } }
}

function placeOf(values: readonly CursorValue[] | null): QuestionPlace | null {
  if (values === null) return null
  const [k1, k2, k3, postedAt, id] = values
  return { keys: [Number(k1), Number(k2), Number(k3)], postedAt: String(postedAt), id: String(id) }
}

const WORD = /^[\p{L}\p{N}]+$/u
const PREFIX_WORDS_MAX = 2

/** "Quoted phrases, -word exclusion; 1–2-word queries also prefix-match." A blank search is none. */
function searchOf(q: string | undefined): Search | null {
  if (q === undefined || q.trim() === '') return null
  if (Buffer.byteLength(q) > QUERY_BYTES_MAX) {
    throw new ApiError('invalid_request', {
      public: `q has more than ${QUERY_BYTES_MAX} bytes.`,
      remediation: 'Search for fewer words.',
    })
  }
  const words = q.trim().split(/\s+/)
  const plain = words.length <= PREFIX_WORDS_MAX && words.every((word) => WORD.test(word))
  return { q, prefixes: plain ? words.map((word) => `${word}:*`).join(' & ') : null }
}
