import { isDeepStrictEqual } from 'node:util'
import { lockActiveUser, lockUser, type Moment } from '#access/people/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { DisclosureKey } from './company.ts'
import {
  type Company,
  type CompanyKind,
  type CompanyPage,
  type CompanyRole,
  isEditing,
  type PastRound,
  pastRoundErrors,
} from './company.ts'
import {
  type CommentChanges,
  companyOfComment,
  deleteFollow,
  endHeldRole,
  type Follow,
  findKind,
  heldRoles,
  insertComment,
  insertCompany,
  insertFollow,
  lockCompany,
  type Person,
  recordAccessChange,
  removeCommentRows,
  replacePastRounds,
  startRole,
  updateCommentRow,
  updateCompanyRow,
} from './store.ts'

const NOTHING_KNOWN: Omit<Company, 'id' | 'name' | 'page_url'> = {
  kind: 'company',
  slug: null,
  tagline: null,
  logo_url: null,
  card_image_url: null,
  city: null,
  state: null,
  country: null,
  industries: [],
  business_models: [],
  promotion_opt_in: true,
  questions_closed: false,
}

export type NewCompany = Partial<Company> & Pick<Company, 'id' | 'name' | 'page_url'>

export async function createCompany(tx: Tx, company: NewCompany, { occurredAt }: Moment): Promise<void> {
  await insertCompany(tx, { ...NOTHING_KNOWN, ...company }, occurredAt)
}

export type CompanyChanges = Partial<CompanyPage> & { readonly id: Id<'company'> }

/**
 * Changes only the given fields. Nothing is published to the ledger, because the record of an investment contains only the id
 * of its company.
 */
export async function updateCompany(tx: Tx, changes: CompanyChanges, { occurredAt }: Moment): Promise<void> {
  const before = await lockCompany(tx, changes.id)
  if (before === null) throw new UnknownReference('id', changes.id)
  const after = { ...before, ...changes }
  if (!isDeepStrictEqual(before, after)) await updateCompanyRow(tx, after, occurredAt)
}

export type PastRounds = { readonly company: Id<'company'>; readonly rounds: readonly PastRound[] }

/** Replaces the whole list of a company's past rounds. A founder corrects a report by sending a new one. */
export async function reportPastRounds(tx: Tx, { company, rounds }: PastRounds, { occurredAt }: Moment): Promise<void> {
  const errors = rounds.flatMap((round, at) => pastRoundErrors(round, `rounds[${at}]`, occurredAt))
  if (errors.length > 0) throw validationError(errors)
  if ((await lockCompany(tx, company)) === null) throw new UnknownReference('company', company)
  await replacePastRounds(tx, company, rounds)
}

/** Takes no lock, because a company is never deleted and never changes its kind. `field` is the request's field with the id. */
export async function requireCompany(
  queries: WorldQueries,
  field: string,
  id: Id<'company'>,
): Promise<{ readonly kind: CompanyKind }> {
  const kind = await findKind(queries, id)
  if (kind === null) throw new UnknownReference(field, id)
  return { kind }
}

export type RoleOfPerson = Person & { readonly role: CompanyRole }

/** Gives a person a role in addition to their other roles. If they already have the role, nothing changes. */
export async function setRole(tx: Tx, { role, ...person }: RoleOfPerson, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'user', person.user)
  await requireCompany(tx, 'company', person.company)
  const before = await heldRoles(tx, person)
  if (before.some((held) => held.role === role)) return
  const started = { role, started_at: occurredAt }
  await startRole(tx, person, started)
  // Only the first editing role gives access. A founder who also becomes admin gets no more access.
  if (isEditing([...before, started]) !== isEditing(before)) await recordAccessChange(tx, person)
}

/** Ends a role that a person has. The person may be deactivated. */
export async function endRole(tx: Tx, { role, ...person }: RoleOfPerson, { occurredAt }: Moment): Promise<void> {
  await lockUser(tx, 'user', person.user)
  await requireCompany(tx, 'company', person.company)
  const before = await heldRoles(tx, person)
  const ending = before.find((held) => held.role === role)
  if (ending === undefined) {
    throw validationError([
      { field: 'role', code: 'not_held', message: 'is not a role of this person at this company' },
    ])
  }
  if (occurredAt < ending.started_at) {
    const message = `started only at ${ending.started_at}`
    throw validationError([{ field: 'role', code: 'too_early', message }])
  }
  await endHeldRole(tx, person, { ...ending, ended_at: occurredAt })
  const after = before.filter((held) => held !== ending)
  if (isEditing(after) !== isEditing(before)) await recordAccessChange(tx, person)
}

/** Whether the user follows the company after the request, and whether the request changed this. */
export type FollowState = { readonly followed: boolean; readonly changed: boolean }

/** Following a company again changes nothing: the time of the first follow stays. */
export async function followCompany(tx: Tx, follow: Follow, { occurredAt }: Moment): Promise<FollowState> {
  await lockActiveUser(tx, 'user', follow.user)
  await requireCompany(tx, 'company', follow.company)
  return { followed: true, changed: await insertFollow(tx, follow, occurredAt) }
}

export async function unfollowCompany(tx: Tx, follow: Follow): Promise<FollowState> {
  await lockUser(tx, 'user', follow.user)
  await requireCompany(tx, 'company', follow.company)
  return { followed: false, changed: await deleteFollow(tx, follow) }
}

export type NewQuestion = {
  readonly id: Id<'comment'>
  readonly company: Id<'company'>
  readonly author: Id<'user'>
  readonly body: string
  readonly disclosure_key?: DisclosureKey | null
}

/** Posts a public question on a company's page. */
export async function askQuestion(tx: Tx, question: NewQuestion, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'author', question.author)
  await requireCompany(tx, 'company', question.company)
  await insertComment(tx, { disclosure_key: null, ...question, parent: null, posted_at: occurredAt })
}

export type NewComment = Omit<NewQuestion, 'company'> & { readonly parent: Id<'comment'> }

/** Posts an answer (below a question) or a comment (below an answer), on the page of its parent. */
export async function postComment(tx: Tx, comment: NewComment, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'author', comment.author)
  const company = await companyOfComment(tx, comment.parent)
  if (company === null) throw new UnknownReference('parent', comment.parent)
  await insertComment(tx, { disclosure_key: null, ...comment, company, posted_at: occurredAt })
}

/** Changes only the given fields. The author edits the text, the company highlights the comment, and readers like it. */
export async function updateComment(tx: Tx, changes: CommentChanges): Promise<void> {
  if (!(await updateCommentRow(tx, changes))) throw new UnknownReference('id', changes.id)
}

/** Takes a question, answer or comment off the page, with everything below it. Removing it again changes nothing. */
export async function removeComment(tx: Tx, id: Id<'comment'>, { occurredAt }: Moment): Promise<void> {
  if (!(await removeCommentRows(tx, id, occurredAt))) throw new UnknownReference('id', id)
}
