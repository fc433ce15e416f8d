import { type Static, Type } from 'typebox'
import { ERASED_PERSON } from '#events/index.ts'
import { listOf, type PageSizes, page as pageOf, pagePlaces, pageQuery, pageSize } from '#http/pagination.ts'
import { exactly, idOf, nullableType, oneOf } from '#http/schema-fields.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { WorldReads } from '#system/postgres/database.ts'
import { Count, digest, Text, Time, Url } from '#views/catalog/http.ts'
import {
  ANSWERS_MAX,
  type AnswerRow,
  answerRows,
  countQuestions,
  QUESTION_SORTS,
  type QuestionPlace,
  type QuestionRow,
  questionRows,
  type Search,
  type WantedQuestions,
} from './question-store.ts'
import type { ShownPage } from './shown-page.ts'

type ListRequest = {
  readonly page: ShownPage
  readonly query: Static<typeof QuestionQuery>
  readonly cursors: CursorSealer
  readonly cursorsAre: Behaviour['pageCursors']
}

/** A page of the questions on a company's page, each with its answers. */
export async function listQuestions(db: WorldReads, { page, query, cursors, cursorsAre }: ListRequest) {
  const { sort = 'relevance', past_raises = false, unanswered_by_team = false, per_page } = query
  const company = page.company.id
  const search = searchOf(query.q)
  const since = past_raises ? null : page.raisingSince
  const wanted: WantedQuestions = { company, since, unansweredByTeam: unanswered_by_team, search }
  const size = pageSize(per_page, CONTENT_PAGE_SIZES)
  // A cursor is valid only for the same company, order and search text.
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
  const described = {
    company,
    sort: search === null ? sort : ('search' as const),
    q: search?.q ?? null,
    unanswered_by_team,
    past_raises,
    questions_since: since,
    total,
  }
  return { data, meta: { ...meta, ...described } }
}

function placeOf(values: readonly CursorValue[] | null): QuestionPlace | null {
  if (values === null) return null
  const [k1, k2, k3, postedAt, id] = values
  return { keys: [Number(k1), Number(k2), Number(k3)], postedAt: String(postedAt), id: String(id) }
}

const WORD = /^[\p{L}\p{N}]+$/u
const PREFIX_WORDS_MAX = 2

/** "Quoted phrases, -word exclusion; 1–2-word queries also prefix-match." A blank search counts as none. */
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

/** "Default 20, max 50", for updates and questions. */
export const CONTENT_PAGE_SIZES: PageSizes = { default: 20, max: 50 }
const QUERY_BYTES_MAX = 200

export const QuestionQuery = Type.Object({
  sort: Type.Optional(
    oneOf(
      QUESTION_SORTS,
      '`relevance` (the default): highlighted, then answered by the team, then most liked. `recent`: newest. `upvoted`: most liked. `unanswered`: without a reply first.',
    ),
  ),
  past_raises: Type.Optional(
    Type.Boolean({
      description: 'True: questions of all raises, not only those that were asked since the current raise opened.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      description: `Full-text search, at most ${QUERY_BYTES_MAX} bytes; \`"a phrase"\` and \`-word\` work. The best match comes first, and \`sort\` is ignored.`,
      examples: ['revenue'],
    }),
  ),
  unanswered_by_team: Type.Optional(
    Type.Boolean({ description: 'True: only questions that the team has not answered.' }),
  ),
  ...pageQuery(CONTENT_PAGE_SIZES),
})

const Person = exactly(
  {
    id: nullableType(idOf('user'), 'Only for people who are on the company’s team now; null for other people.'),
    name: nullableType(Text, '`[deleted user]` for a person who left.'),
    role: nullableType(
      Type.String({ examples: ['founder'] }),
      '`founder` or `employee`, or the relation that the person disclosed: `investor`, `stockholder`, `promoter`, `financial_stakeholder`.',
    ),
    team: Type.Boolean({ description: 'Whether the person is, or was when they wrote, on the company’s team.' }),
  },
  'CompanyQuestionPerson',
)

const Answer = exactly(
  {
    id: idOf('comment'),
    in_reply_to: Type.Unsafe<string>({
      ...idOf('comment'),
      description: 'The question or answer that this replies to.',
    }),
    answer: Text,
    answered_at: Time,
    answered_by: Person,
    likes_count: Count,
  },
  'CompanyAnswer',
)

const QuestionSchema = exactly(
  {
    id: idOf('comment'),
    type: Type.Literal('company_question'),
    attributes: exactly({
      question: Text,
      asked_at: Time,
      asked_by: Person,
      likes_count: Count,
      highlighted: Type.Boolean({ description: 'Whether the company highlighted the question.' }),
      answered_by_team: Type.Boolean(),
      match: nullableType(
        oneOf(['question', 'answer']),
        'Whether the search found the question itself or an answer; null without a search.',
      ),
      answers: Type.Array(Answer, { description: `The first ${ANSWERS_MAX} replies, oldest first.` }),
      answers_count: Type.Integer({ minimum: 0, description: 'The number of all replies.' }),
      url: Url,
    }),
  },
  'CompanyQuestion',
)

export const QuestionList = listOf(QuestionSchema, {
  company: idOf('company'),
  sort: oneOf([...QUESTION_SORTS, 'search'], 'The sort that was used; `search` if q was given.'),
  q: nullableType(Text),
  unanswered_by_team: Type.Boolean(),
  past_raises: Type.Boolean(),
  questions_since: nullableType(
    Type.String({ format: 'date' }),
    'The day on which the current raise opened; null with past_raises and while no raise is open.',
  ),
  total: Type.Integer({ minimum: 0, description: 'The number of questions on all pages.' }),
})

type QuestionRecord = Static<typeof QuestionSchema>

function questionRecord(row: QuestionRow, answers: readonly AnswerRow[], url: string): QuestionRecord {
  return {
    id: row.id,
    type: 'company_question',
    attributes: {
      question: row.body,
      asked_at: row.posted_at,
      asked_by: personOf(row),
      likes_count: row.likes_count,
      highlighted: row.highlighted,
      answered_by_team: row.answered,
      match: row.match,
      answers: answers.map(answerRecord),
      answers_count: row.answers_count,
      url,
    },
  }
}

function answerRecord(row: AnswerRow): Static<typeof Answer> {
  return {
    id: row.id,
    in_reply_to: row.parent_id,
    answer: row.body,
    answered_at: row.posted_at,
    answered_by: personOf(row),
    likes_count: row.likes_count,
  }
}

type Author = Pick<QuestionRow, 'author_id' | 'author_name' | 'disclosure_key' | 'role' | 'on_team_now'>

/**
 * "No usr_ ids of people other than the company's team: they would link public names to records without identity." A
 * deactivated person is shown as `[deleted user]`, without an id.
 */
function personOf({ author_id, author_name, disclosure_key, role, on_team_now }: Author): Static<typeof Person> {
  return {
    id: on_team_now && author_name !== null ? author_id : null,
    name: author_name ?? ERASED_PERSON.name,
    role: role ?? disclosure_key,
    team: role !== null,
  }
}
