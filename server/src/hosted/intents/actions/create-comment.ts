import { lockActiveUser } from '#access/people/index.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, newId, parseId } from '#kernel/ids.ts'
import { askQuestion, type DisclosureKey, postComment } from '#market/companies/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { notPossible } from '../proposer.ts'
import { beginningOf, excerptOf, type Prospect } from '../review-facts.ts'
import { type ActionRequest, type Around, action } from './action.ts'
import type { ActionParams } from './params.ts'
import { findPage, findTarget, type PageSeen, type TargetComment } from './store.ts'

type CommentParams = ActionParams<'comments.create'>
type CommentRequest = ActionRequest<'company', CommentParams>

/** "Posts question (or team answer) as the requester upon own approval." */
export const createComment = action({
  name: 'comments.create',
  resourceType: 'company',
  deciders: 'proposer',
  look: async (queries, request, around) => {
    const { page, target } = await checkComment(queries, request, around)
    return { shown: shownOf(request.params, page, target) }
  },
  lock: async (tx, request) => {
    await lockActiveUser(tx, 'author', authorOf(request))
  },
  perform: async (tx, request, { occasion }) => {
    const { body, disclosure_key = null } = request.params
    const comment = { id: newId('comment'), author: authorOf(request), body, disclosure_key }
    const parent = targetOf(request)
    if (parent === null) await askQuestion(tx, { ...comment, company: request.resourceId }, occasion)
    else await postComment(tx, { ...comment, parent }, occasion)
    return { comment: comment.id, company: request.resourceId }
  },
})

function authorOf({ userId }: CommentRequest): Id<'user'> {
  if (userId === null) throw new Error('a proposed comment needs a user as its author')
  return userId
}

/** The comment that the new comment replies to. Null for a question. */
function targetOf({ resourceId, params: { target_type, target } }: CommentRequest): Id<'comment'> | null {
  const field = 'params.target'
  if (target_type === 'company') {
    if (target === resourceId) return null
    throw notPossible({
      field,
      code: 'another_company',
      message: 'A question must be about the company in resource_id.',
    })
  }
  const comment = parseId('comment', target)
  if (comment === null)
    throw notPossible({
      field,
      code: 'invalid_format',
      message: 'This is not the id of a comment. Send the id of a comment on this page.',
    })
  return comment
}

/**
 * "Anyone who can see the page may ask unless company closed questions; only team answers." A person who sees the page may also
 * comment below an answer or a comment. While questions are closed, only the team may write.
 */
async function checkComment(queries: WorldQueries, request: CommentRequest, { seesCompany }: Around) {
  const [author, company] = [authorOf(request), request.resourceId]
  const page = (await seesCompany(queries, author, company)) ? await findPage(queries, company, author) : null
  if (page === null) throw notFound(`${company} is not shown to ${author}`)
  const comment = targetOf(request)
  const target = comment === null ? null : await findTarget(queries, company, comment)
  if (comment !== null && target === null) {
    throw notPossible({
      field: 'params.target',
      code: 'unknown',
      message: 'This comment is not on the company’s page.',
    })
  }
  if (!page.on_team) rejectOutsider(page, target)
  return { page, target }
}

function rejectOutsider({ company, questions_closed }: PageSeen, target: TargetComment | null): void {
  if (questions_closed) {
    const message = `${company} has closed questions. Only its team can post on the page now.`
    throw notPossible({ field: 'resource_id', code: 'questions_closed', message })
  }
  if (target?.is_question !== true) return
  const message = `Only the team of ${company} answers questions.`
  throw notPossible({ field: 'params.target', code: 'team_only', message })
}

function shownOf(params: CommentParams, page: PageSeen, target: TargetComment | null): Prospect {
  const what = target === null ? 'question' : target.is_question ? 'answer' : 'comment'
  return {
    question: `Post ${what === 'answer' ? 'an' : 'a'} ${what} on the page of ${page.company}`,
    summary: `Your ${what} is posted on the page of ${page.company}, under your name, for all people who see the page.`,
    facts: [
      ['Company', page.company],
      ['Posted as', page.author ?? ''],
      ...(target === null ? [] : [['In reply to', beginningOf(target.body)] as const]),
      [`Your ${what}`, params.body],
      ...(params.disclosure_key === undefined ? [] : [['You disclose', DISCLOSED[params.disclosure_key]] as const]),
    ],
    final: 'Other people can read it at once. What they have read cannot be taken back.',
    version: target === null ? [] : [['The text it replies to', excerptOf(target.body)]],
  }
}

const DISCLOSED: Readonly<Record<DisclosureKey, string>> = {
  investor: 'that you are an investor',
  stockholder: 'that you hold stock of the company',
  promoter: 'that you promote the company',
  financial_stakeholder: 'that you have a financial stake in the company',
}
