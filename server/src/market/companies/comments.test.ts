import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import {
  askQuestion,
  type CommentChanges,
  type NewComment,
  type NewQuestion,
  postComment,
  removeComment,
  updateComment,
} from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const at = { occurredAt: worldTime('2026-03-01T12:00:00.123456Z') }
const inTest = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const ask = (question: NewQuestion) => inTest((tx) => askQuestion(tx, question, at))
const post = (comment: NewComment) => inTest((tx) => postComment(tx, comment, at))
const change = (changes: CommentChanges) => inTest((tx) => updateComment(tx, changes))

async function aQuestion(): Promise<NewQuestion> {
  const who = await inTest(async (tx) => ({ company: await makeCompany(tx), author: await makeUser(tx) }))
  const question = { id: newId('comment'), body: 'Why now?', ...who }
  await ask(question)
  return question
}

async function rowOf(id: Id<'comment'>): Promise<Record<string, unknown>> {
  const [row] = await db.sql<{ comment: Record<string, unknown> }>(
    'select to_jsonb(c) as comment from test.comments c where id = $1',
    [id],
  )
  return row?.comment ?? {}
}

describe('asking a question', () => {
  test('a question is added to the company’s page with the author’s disclosures', async () => {
    const { company, author } = await aQuestion()
    const id = newId('comment')
    await ask({ id, company, author, body: 'Why\nthen?', disclosure_key: 'promoter' })
    expect(await rowOf(id)).toEqual({
      id,
      company_id: company,
      parent_id: null,
      author_id: author,
      body: 'Why\nthen?',
      disclosure_key: 'promoter',
      highlighted: false,
      likes_count: 0,
      posted_at: '2026-03-01T12:00:00.123456+00:00',
      question_id: null,
      removed_at: null,
    })
  })

  test('a question is rejected for an id in use, an unknown company or author, and a deactivated author', async () => {
    const question = await aQuestion()
    const other = { ...question, id: newId('comment') }
    const [company, author] = [newId('company'), newId('user')]
    expect(await refusalOf(ask({ ...question, body: 'Again' }))).toBe('id already_exists')
    expect(await refusalOf(ask({ ...other, company }))).toBe(`unknown company ${company}`)
    expect(await refusalOf(ask({ ...other, author }))).toBe(`unknown author ${author}`)
    await inTest((tx) => deactivateUser(tx, question.author, at))
    expect(await refusalOf(ask(other))).toBe('author deactivated')
    expect([await rowOf(question.id), await rowOf(other.id)]).toMatchObject([{ body: 'Why now?' }, {}])
  })
})

describe('posting an answer or a comment', () => {
  test('an answer and a comment on it are added to the page of the question', async () => {
    const { id: parent, author, company } = await aQuestion()
    const [answer, comment] = [newId('comment'), newId('comment')]
    await post({ id: answer, parent, author, body: 'Because.' })
    await post({ id: comment, parent: answer, author, body: 'Thanks.', disclosure_key: 'investor' })
    expect(await rowOf(answer)).toMatchObject({ company_id: company, parent_id: parent, disclosure_key: null })
    expect(await rowOf(comment)).toMatchObject({ company_id: company, parent_id: answer, disclosure_key: 'investor' })
    const threads = [await rowOf(parent), await rowOf(answer), await rowOf(comment)].map((row) => row['question_id'])
    expect(threads).toEqual([null, parent, parent])
  })

  test('an answer is rejected if its parent is the answer itself, its id is in use, or its author is unknown or deactivated', async () => {
    const { id: parent, author } = await aQuestion()
    const [id, unknownUser] = [newId('comment'), newId('user')]
    expect(await refusalOf(post({ id, parent: id, author, body: 'x' }))).toBe(`unknown parent ${id}`)
    expect(await refusalOf(post({ id: parent, parent, author, body: 'x' }))).toBe('id already_exists')
    expect(await refusalOf(post({ id, parent, author: unknownUser, body: 'x' }))).toBe(`unknown author ${unknownUser}`)
    await inTest((tx) => deactivateUser(tx, author, at))
    expect(await refusalOf(post({ id, parent, author, body: 'x' }))).toBe('author deactivated')
    expect(await rowOf(id)).toEqual({})
  })
})

describe('changing a comment', () => {
  test('a change of a comment changes only the given fields', async () => {
    const { id } = await aQuestion()
    const before = await rowOf(id)
    await change({ id, likes_count: 3 })
    await change({ id, highlighted: true })
    expect(await rowOf(id)).toEqual({ ...before, likes_count: 3, highlighted: true })
    await change({ id, highlighted: false, body: 'Why not?' })
    expect(await rowOf(id)).toEqual({ ...before, likes_count: 3, body: 'Why not?' })
  })

  test('a change of an unknown comment is rejected', async () => {
    const id = newId('comment')
    expect(await refusalOf(change({ id, highlighted: true }))).toBe(`unknown id ${id}`)
  })
})

describe('removing a comment', () => {
  const remove = (id: Id<'comment'>, occurredAt = at.occurredAt) =>
    inTest((tx) => removeComment(tx, id, { occurredAt }))
  const removedAt = async (id: Id<'comment'>) => (await rowOf(id))['removed_at']

  test('removing a comment also removes its replies, but no other comment; a second removal does not change the time', async () => {
    const { id: question, author } = await aQuestion()
    const [answer, below, sibling] = [newId('comment'), newId('comment'), newId('comment')]
    await post({ id: answer, parent: question, author, body: 'Because.' })
    await post({ id: below, parent: answer, author, body: 'Thanks.' })
    await post({ id: sibling, parent: question, author, body: 'And so.' })
    await remove(answer)
    await remove(answer, worldTime('2026-04-01T12:00:00.000000Z'))
    const removed = '2026-03-01T12:00:00.123456+00:00'
    expect(await Promise.all([question, answer, below, sibling].map(removedAt))).toEqual([null, removed, removed, null])
  })

  test('a reply to a removed comment is rejected, and so is the removal of an unknown comment', async () => {
    const { id, author } = await aQuestion()
    await remove(id)
    expect(await refusalOf(post({ id: newId('comment'), parent: id, author, body: 'x' }))).toBe(`unknown parent ${id}`)
    const unknown = newId('comment')
    expect(await refusalOf(remove(unknown))).toBe(`unknown id ${unknown}`)
  })
})
