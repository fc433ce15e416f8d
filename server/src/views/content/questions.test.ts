import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { askQuestion, endRole, postComment, removeComment, setRole, updateComment } from '#market/companies/index.ts'
import { inviteUser } from '#market/offerings/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import {
  type ApiResponse,
  type CatalogStage,
  type Fields,
  idsOf,
  ORIGIN,
  openCatalogStage,
  refusal,
} from '#views/catalog/testing/catalog-stage.ts'
import { contentRoutes } from './http.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage({ more: contentRoutes })
})
afterAll(() => stage.close())

const OLD = { 'wefunder-version': '2026-10-01' }

type Page = { readonly company: Id<'company'>; readonly founder: Id<'user'>; readonly ada: Id<'user'> }

async function aPage(): Promise<Page> {
  const company = await stage.company({ page_url: '/c/tidal' })
  await stage.offering({ company })
  const [founder, ada] = [await stage.user({ name: 'Fay Founder' }), await stage.user({ name: 'Ada Lovelace' })]
  await stage.arrange((tx) =>
    setRole(tx, { company, user: founder, role: 'founder' }, occasionAt('2026-01-01T00:00:00.000000Z')),
  )
  return { company, founder, ada }
}

let second = 0
const nextTime = () => {
  const at = new Date(Date.UTC(2026, 2, 1) + second++ * 1_000)
  return { occurredAt: worldTime(at.toISOString().replace('Z', '000Z')) }
}

async function ask(
  { company, ada }: Page,
  body = 'Why now?',
  more: object = {},
  at = nextTime(),
): Promise<Id<'comment'>> {
  const id = newId('comment')
  await stage.arrange((tx) => askQuestion(tx, { id, company, author: ada, body, ...more }, at))
  return id
}

async function reply(parent: Id<'comment'>, author: Id<'user'>, body = 'Because.'): Promise<Id<'comment'>> {
  const id = newId('comment')
  await stage.arrange((tx) => postComment(tx, { id, parent, author, body }, nextTime()))
  return id
}

const list = ({ company }: Page, query = '', headers = {}) =>
  stage.everybody(`/companies/${company}/questions${query}`, headers)
const answersOf = (answer: ApiResponse, at = 0) => answer.list[at]?.attributes['answers'] as readonly Fields[]

describe('GET /companies/{id}/questions', () => {
  test('200: the question with every reply in its thread; only members of the team have ids', async () => {
    const page = await aPage()
    const question = await ask(page, 'Why <now>?', { disclosure_key: 'investor' })
    const answer = await reply(question, page.founder)
    const comment = await reply(answer, page.ada, 'Thanks.')
    await stage.arrange((tx) => updateComment(tx, { id: question, likes_count: 4, highlighted: true }))
    const { status, list: rows, meta, text } = await list(page)
    expect(status).toBe(200)
    const founder = { id: page.founder, name: 'Fay Founder', role: 'founder', team: true }
    const ada = { id: null, name: 'Ada Lovelace', team: false }
    const replied = { answered_at: expect.stringMatching(/^2026-03-01T/), likes_count: 0 }
    expect(rows).toEqual([
      {
        id: question,
        type: 'company_question',
        attributes: {
          question: 'Why <now>?',
          asked_at: expect.stringMatching(/^2026-03-01T/),
          asked_by: { ...ada, role: 'investor' },
          likes_count: 4,
          highlighted: true,
          answered_by_team: true,
          match: null,
          answers: [
            { id: answer, in_reply_to: question, answer: 'Because.', answered_by: founder, ...replied },
            { id: comment, in_reply_to: answer, answer: 'Thanks.', answered_by: { ...ada, role: null }, ...replied },
          ],
          answers_count: 2,
          url: `${ORIGIN}/c/tidal`,
        },
      },
    ])
    expect(meta).toEqual({
      company: page.company,
      sort: 'relevance',
      q: null,
      unanswered_by_team: false,
      past_raises: false,
      questions_since: '2026-01-02',
      total: 1,
      has_more: false,
      page_count: 1,
      next_cursor: null,
    })
    expect(text).not.toContain(page.ada)
  })

  test('before 2026-11-01: the cursor is a number, and replies do not say to which comment they reply', async () => {
    const page = await aPage()
    const [older, newer] = [await ask(page), await ask(page)]
    await reply(older, page.founder)
    const first = await list(page, '?per_page=1', OLD)
    expect([idsOf(first), first.meta['next_cursor'], first.meta['total']]).toEqual([[older], 1, 2])
    expect(first.list[0]?.attributes).not.toHaveProperty('answers_count')
    expect(answersOf(first)[0]).not.toHaveProperty('in_reply_to')
    expect(idsOf(await list(page, '?per_page=1&cursor=1', OLD))).toEqual([newer])
  })

  test('an editor is an `employee`; after the editor left the team, their answers have the role but no id', async () => {
    const page = await aPage()
    const editor = await stage.user({ name: 'Eve' })
    const role = { company: page.company, user: editor, role: 'editor' as const }
    await stage.arrange((tx) => setRole(tx, role, occasionAt('2026-01-01T00:00:00.000000Z')))
    const question = await ask(page)
    await reply(question, editor)
    const answeredBy = async () => answersOf(await list(page))[0]?.['answered_by']
    expect(await answeredBy()).toEqual({ id: editor, name: 'Eve', role: 'employee', team: true })
    await stage.arrange((tx) => endRole(tx, role, occasionAt('2026-04-01T00:00:00.000000Z')))
    expect(await answeredBy()).toEqual({ id: null, name: 'Eve', role: 'employee', team: true })
    // A reply that the editor posts after leaving the team is not an answer of the team.
    const late = newId('comment')
    const at = { occurredAt: worldTime('2026-05-01T00:00:00.000000Z') }
    const other = await ask(page, 'Another?')
    await stage.arrange((tx) => postComment(tx, { id: late, parent: other, author: editor, body: 'So.' }, at))
    const found = (await list(page)).list.find(({ id }) => String(id) === other)
    expect(found?.attributes).toMatchObject({
      answered_by_team: false,
      answers: [{ answered_by: { id: null, team: false } }],
    })
  })

  test('deactivated people are not named, whether on the team or not; their texts stay', async () => {
    const page = await aPage()
    await reply(await ask(page), page.founder)
    await stage.arrange((tx) => forgetUser(tx, page.ada, occasionAt('2026-05-01T00:00:00.000000Z')))
    await stage.arrange((tx) => forgetUser(tx, page.founder, occasionAt('2026-05-01T00:00:00.000000Z')))
    const answer = await list(page)
    expect(answer.text).not.toMatch(/Ada|Fay|usr_/)
    expect(answer.list[0]?.attributes).toMatchObject({
      question: 'Why now?',
      asked_by: { id: null, name: '[deleted user]', team: false },
      answers: [{ answer: 'Because.', answered_by: { id: null, name: '[deleted user]' } }],
    })
  })

  test('removed questions and answers are not listed, counted or found', async () => {
    const page = await aPage()
    const [kept, gone] = [await ask(page, 'Which turbine?'), await ask(page, 'Which turbine, then?')]
    const answer = await reply(kept, page.founder, 'The turbine of steel.')
    await stage.arrange((tx) => removeComment(tx, gone, occasionAt('2026-05-01T00:00:00.000000Z')))
    await stage.arrange((tx) => removeComment(tx, answer, occasionAt('2026-05-01T00:00:00.000000Z')))
    for (const query of ['', '?q=turbine', '?unanswered_by_team=true']) {
      const found = await list(page, query)
      expect([idsOf(found), found.meta['total'], answersOf(found)]).toEqual([[kept], 1, []])
    }
    expect(idsOf(await list(page, '?q=steel'))).toEqual([])
  })

  test('sorts: relevance, recent, upvoted, unanswered; any other sort is 400', async () => {
    const page = await aPage()
    const [liked, answered, highlighted, replied, plain] = [
      await ask(page, 'liked'),
      await ask(page, 'answered'),
      await ask(page, 'highlighted'),
      await ask(page, 'replied'),
      await ask(page, 'plain'),
    ]
    await reply(answered, page.founder)
    await reply(replied, page.ada)
    await stage.arrange(async (tx) => {
      await updateComment(tx, { id: liked, likes_count: 9 })
      await updateComment(tx, { id: highlighted, highlighted: true })
    })
    const sorted = async (sort: string) => idsOf(await list(page, `?sort=${sort}`))
    expect(await sorted('relevance')).toEqual([highlighted, answered, liked, plain, replied])
    expect(await sorted('recent')).toEqual([plain, replied, highlighted, answered, liked])
    expect(await sorted('upvoted')).toEqual([liked, plain, replied, highlighted, answered])
    expect(await sorted('unanswered')).toEqual([plain, highlighted, liked, replied, answered])
    const wrong = await list(page, '?sort=loudest')
    expect(refusal(wrong)).toEqual([400, 'invalid_request'])
    expect(wrong.text).toContain('unanswered')
    // The team has not answered these questions, although another person replied to one of them.
    const open = await list(page, '?unanswered_by_team=true&sort=recent')
    expect([idsOf(open), open.meta['total']]).toEqual([[plain, replied, highlighted, liked], 4])
  })

  test('pages have 20 questions, at most 50, in every order; no question is listed twice or missed while new ones are asked', async () => {
    const page = await aPage()
    const at = { occurredAt: worldTime('2026-03-02T00:00:00.000000Z') }
    const ids: string[] = []
    for (let count = 0; count < 53; count++) ids.push(await ask(page, 'How many turbines?', {}, at))
    expect([(await list(page)).list.length, (await list(page, '?per_page=80')).list.length]).toEqual([20, 50])
    const early = { occurredAt: worldTime('2026-02-01T00:00:00.000000Z') }
    const readAll = async (query: string, cursor = ''): Promise<string[]> => {
      const { list: rows, meta } = await list(page, `?per_page=15&${query}${cursor}`)
      if (cursor === '') await ask(page, 'Not that.', {}, early)
      const next = `&cursor=${encodeURIComponent(String(meta['next_cursor']))}`
      return [...rows.map(({ id }) => id), ...(meta['has_more'] === true ? await readAll(query, next) : [])]
    }
    for (const query of ['sort=relevance', 'sort=recent', 'sort=upvoted', 'sort=unanswered', 'q=turbine']) {
      const seen = await readAll(query)
      expect(seen.length).toBe(new Set(seen).size)
      expect(ids.filter((id) => !seen.includes(id))).toEqual([])
    }
    const { meta } = await list(page, '?per_page=1&sort=recent')
    const cursor = encodeURIComponent(String(meta['next_cursor']))
    for (const query of ['sort=upvoted', 'q=turbine']) {
      expect(refusal(await list(page, `?${query}&cursor=${cursor}`))).toEqual([400, 'invalid_request'])
    }
  })

  test('lists questions since the current raise opened, or all with past_raises; a private raise is not revealed', async () => {
    const page = await aPage()
    const old = await ask(page, 'Long ago', {}, { occurredAt: worldTime('2025-06-01T00:00:00.000000Z') })
    const recent = await ask(page)
    expect(idsOf(await list(page))).toEqual([recent])
    const all = await list(page, '?past_raises=true')
    expect([idsOf(all), all.meta['questions_since'], all.meta['past_raises']]).toEqual([[recent, old], null, true])
    // A funded company has no current raise, so all its questions are listed.
    const funded = { ...page, company: await stage.company() }
    await stage.offering({ company: funded.company, status: 'closed' })
    const secret = await stage.offering({ company: funded.company, exemption: 'reg_d_506b', listed: false })
    const question = await ask(funded, 'Then?', {}, { occurredAt: worldTime('2025-06-01T00:00:00.000000Z') })
    const public_ = await list(funded)
    expect([idsOf(public_), public_.meta['questions_since']]).toEqual([[question], null])
    const invited = await stage.user()
    await stage.arrange((tx) => inviteUser(tx, { id: secret, user: invited }, occasionAt()))
    const own = await (await stage.as(invited))(`/companies/${funded.company}/questions`)
    expect([idsOf(own), own.meta['questions_since']]).toEqual([[], '2026-01-02'])
  })

  test('q finds words, stems, prefixes and phrases in questions and answers, can exclude words, and replaces the sort', async () => {
    const page = await aPage()
    const batteries = await ask(page, 'Which batteries do you use?')
    const warranty = await ask(page, 'Is there a warranty?')
    await reply(warranty, page.founder, 'Five years on every battery pack.')
    const found = async (q: string) => {
      const answer = await list(page, `?q=${encodeURIComponent(q)}`)
      return answer.list.map(({ id, attributes }) => [id, attributes['match']])
    }
    expect((await found('battery')).toSorted()).toEqual(
      [
        [batteries, 'question'],
        [warranty, 'answer'],
      ].toSorted(),
    )
    expect(await found('warran')).toEqual([[warranty, 'question']])
    expect(await found('"battery pack"')).toEqual([[warranty, 'answer']])
    expect(await found('battery -pack')).toEqual([[batteries, 'question']])
    expect(await found('nothing like it')).toEqual([])
    for (const odd of ["'; drop table comments; --", '& | ! ( ) :*', 'the', '""', '-', 'a\\', '🚀']) {
      expect((await list(page, `?q=${encodeURIComponent(odd)}`)).status).toBe(200)
    }
    const { meta } = await list(page, '?q=battery&sort=recent')
    expect([meta['sort'], meta['q'], meta['total']]).toEqual(['search', 'battery', 2])
    expect((await list(page, '?q=%20')).meta).toMatchObject({ sort: 'relevance', q: null })
  })

  test('400 for q with more than 200 bytes', async () => {
    const page = await aPage()
    expect((await list(page, `?q=${'é'.repeat(100)}`)).status).toBe(200)
    expect(refusal(await list(page, `?q=${'é'.repeat(101)}`))).toEqual([400, 'invalid_request'])
  })

  test('shows the first 100 of very many replies and counts all of them', async () => {
    const page = await aPage()
    const question = await ask(page)
    await stage.db.sql(
      `insert into test.comments (id, company_id, parent_id, author_id, body, posted_at)
       select 'cmt_' || lpad(n::text, 24, '0'), $1, $2, $3, 'Reply ' || n, '2026-03-01T12:00:00Z'::timestamptz + n * interval '1 second'
         from generate_series(1, 105) n`,
      [page.company, question, page.ada],
    )
    const answer = await list(page)
    expect(answer.list[0]?.attributes['answers_count']).toBe(105)
    expect([answersOf(answer).length, answersOf(answer)[99]?.['answer']]).toEqual([100, 'Reply 100'])
  })

  test('304 while nothing has changed', async () => {
    const page = await aPage()
    await ask(page)
    await ask(page)
    const tag = (await list(page, '?per_page=1')).headers.get('etag') ?? ''
    expect((await list(page, '?per_page=1', { 'if-none-match': tag })).status).toBe(304)
    await ask(page)
    expect((await list(page, '?per_page=1', { 'if-none-match': tag })).status).toBe(200)
  })
})
