import { type Static, Type } from 'typebox'
import { listOf, type PageSizes, pageQuery } from '#http/pagination.ts'
import { Count, exactly, idOf, nullable, oneOf, Text, Time, Url } from '#modules/catalog/http.ts'
import { NOBODY } from '#modules/events/index.ts'
import { ANSWERS_MAX, type AnswerRow, QUESTION_SORTS, type QuestionRow } from './question-store.ts'

/** "Default 20, max 50", for updates and questions. */
export const CONTENT_PAGE_SIZES: PageSizes = { default: 20, max: 50 }
export const QUERY_BYTES_MAX = 200

export const QuestionQuery = Type.Object({
  sort: Type.Optional(
    oneOf(
      QUESTION_SORTS,
      'Highlighted, then answered by the team, then most liked (the default); the newest; most liked; without a reply first.',
    ),
  ),
  past_raises: Type.Optional(
    Type.Boolean({ description: 'True: questions of all raises, not only those since the current one opened.' }),
  ),
  q: Type.Optional(
    Type.String({
      description: `Full-text search, at most ${QUERY_BYTES_MAX} bytes; \`"a phrase"\` and \`-word\` work. Replaces the sort by the rank of the match.`,
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
    id: nullable(idOf('user'), 'Only of the company’s team; null for everybody else.'),
    name: nullable(Text, '`[deleted user]` for a person who left.'),
    role: nullable(
      Type.String({ examples: ['founder'] }),
      '`founder` or `employee`, or what the person disclosed: `investor`, `stockholder`, `promoter`, `financial_stakeholder`.',
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
      description: 'The question, or the answer below which this was posted.',
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
      highlighted: Type.Boolean({ description: 'By the company’s team.' }),
      answered_by_team: Type.Boolean(),
      match: nullable(oneOf(['question', 'answer']), 'Where a search found it; null without a search.'),
      answers: Type.Array(Answer, { description: `The first ${ANSWERS_MAX} replies, the oldest first.` }),
      answers_count: Type.Integer({ minimum: 0, description: 'All replies.' }),
      url: Url,
    }),
  },
  'CompanyQuestion',
)

export const QuestionList = listOf(QuestionSchema, {
  company: idOf('company'),
  sort: oneOf([...QUESTION_SORTS, 'search'], 'What was applied; `search` when q was given.'),
  q: nullable(Text),
  unanswered_by_team: Type.Boolean(),
  past_raises: Type.Boolean(),
  questions_since: nullable(
    Type.String({ format: 'date' }),
    'The day on which the current raise opened; null with past_raises and while nothing is open.',
  ),
  total: Type.Integer({ minimum: 0, description: 'Over all pages.' }),
})

type QuestionRecord = Static<typeof QuestionSchema>

export function questionRecord(row: QuestionRow, answers: readonly AnswerRow[], url: string): QuestionRecord {
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
 * "No usr_ ids of people other than the company's team: they would link public names to records without identity." A person who
 * left is neither named nor numbered.
 */
function personOf({ author_id, author_name, disclosure_key, role, on_team_now }: Author): Static<typeof Person> {
  return {
    id: on_team_now && author_name !== null ? author_id : null,
    name: author_name ?? NOBODY.name,
    role: role ?? disclosure_key,
    team: role !== null,
  }
}
