import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import { askQuestion, DISCLOSURE_KEYS, postComment, removeComment, updateComment } from '#modules/companies/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { Nullable, Paragraphs } from './fields.ts'
import { Ref, Word } from './profile-fields.ts'

const TEXT = Paragraphs(10_000)

const WRITTEN = {
  id: Ref('comment'),
  author: Ref('user'),
  body: TEXT,
  disclosure_key: Type.Optional(Nullable(Word(DISCLOSURE_KEYS))),
}

const LIKES_MAX = 2 ** 31 - 1

const QUESTION = 'cmt_0ExampleNounQuestion0000' as Id<'comment'>
const ANSWER = 'cmt_0ExampleNounAnswer000000' as Id<'comment'>

export const commentFacts: readonly FactType[] = [
  factType({
    type: 'question.asked',
    summary: 'A person asked a question on a company’s page.',
    data: Type.Object({ company: Ref('company'), ...WRITTEN }, { additionalProperties: false }),
    example: {
      id: QUESTION,
      company: 'co_0ExampleNounCompany00000' as Id<'company'>,
      author: 'usr_0ExampleNounInvestor0000' as Id<'user'>,
      body: 'How many digits does the store hold?',
      disclosure_key: 'investor',
    },
    apply: (tx, data, { occasion }) => askQuestion(tx, data, occasion),
  }),
  factType({
    type: 'comment.posted',
    summary: 'A person answered a question (the parent is the question) or commented on an answer.',
    data: Type.Object({ parent: Ref('comment'), ...WRITTEN }, { additionalProperties: false }),
    example: {
      id: ANSWER,
      parent: QUESTION,
      author: 'usr_0ExampleNounFounder00000' as Id<'user'>,
      body: 'Fifty, and there are a thousand of them.',
    },
    apply: (tx, data, { occasion }) => postComment(tx, data, occasion),
  }),
  factType({
    type: 'comment.updated',
    summary: 'A question, answer or comment was edited, highlighted by the company, or liked: the fields given.',
    data: Type.Object(
      {
        id: Ref('comment'),
        body: Type.Optional(TEXT),
        highlighted: Type.Optional(Type.Boolean()),
        likes_count: Type.Optional(Type.Integer({ minimum: 0, maximum: LIKES_MAX })),
      },
      { additionalProperties: false },
    ),
    example: { id: QUESTION, highlighted: true, likes_count: 3 },
    apply: (tx, data) => updateComment(tx, data),
  }),
  factType({
    type: 'comment.removed',
    summary: 'A question, answer or comment was taken off the page, with everything below it.',
    data: Type.Object({ id: Ref('comment') }, { additionalProperties: false }),
    example: { id: ANSWER },
    apply: (tx, { id }, { occasion }) => removeComment(tx, id, occasion),
  }),
]
