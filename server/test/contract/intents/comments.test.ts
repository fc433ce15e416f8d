import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { askQuestion, postComment, removeComment, setRole, updateCompany } from '#market/companies/index.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import type { Send } from '../sender.ts'
import { approve, type IntentStage, openIntentStage, type Person, refusal, reviewPath, shownOn } from './stage.ts'

let stage: IntentStage
let ada: Person
let founder: Person
let company: Id<'company'>
beforeAll(async () => {
  stage = await openIntentStage({ environment: { PORTICO_LIMIT_PENDING_INTENT: 'off' } })
  ada = await stage.person('Ada Lovelace')
  founder = await stage.person('Fay Founder')
  company = await aCompany()
})
afterAll(() => stage?.close())

const aCompany = (listed = true) =>
  stage.arrange(async (tx) => {
    const made = await makeCompany(tx)
    if (listed) await makeOffering(tx, { company: made, listed })
    await setRole(tx, { company: made, user: founder.user, role: 'founder' }, occasionAt())
    return made
  })

const question = (more: object = {}, of: string = company) => ({
  action_name: 'comments.create',
  resource_type: 'company',
  resource_id: of,
  params: { target_type: 'company', target: of, body: 'How fast is <it>?\nAnd how loud?', ...more },
})

async function commentsBy({ user }: Person) {
  return stage.service.db.sql<{ parent_id: string | null; body: string; disclosure_key: string | null }>(
    'select parent_id, body, disclosure_key from test.comments where author_id = $1 order by id',
    [user],
  )
}

describe('comments.create', () => {
  test('creates a draft that only its own user sees and approves; the approval posts the comment', async () => {
    const api = await stage.as(ada)
    const { status, data } = await api('POST', '/intents', question({ disclosure_key: 'investor' }))
    expect(status).toBe(201)
    expect(data.attributes).toMatchObject({ resource_type: 'company', resource_id: company })
    expect(await commentsBy(ada)).toEqual([])
    const others = await stage.browser(founder)
    expect((await others.open(reviewPath(data.id))).status).toBe(403)
    const browser = await stage.browser(ada)
    const { text } = await browser.open(reviewPath(data.id))
    expect(text).toContain('How fast is &lt;it&gt;?<br>And how loud?')
    expect(text).toContain('that you are an investor')
    const answer = await others.submit(reviewPath(data.id), { decision: 'approve', shown: shownOn(text) })
    expect(answer.status).toBe(403)
    await approve(browser, data.id)
    expect(await commentsBy(ada)).toEqual([
      { parent_id: null, body: 'How fast is <it>?\nAnd how loud?', disclosure_key: 'investor' },
    ])
    const read = await api('GET', `/intents/${data.id}`)
    expect(read.data.attributes).toMatchObject({
      status: 'executed',
      execution_result: { company, comment: expect.stringMatching(/^cmt_/) },
    })
  })

  test('lets only the team answer a question, and lets every person who sees the page comment on an answer', async () => {
    const [posted, answered] = [newId('comment'), newId('comment')]
    await stage.arrange(async (tx) => {
      await askQuestion(tx, { id: posted, company, author: ada.user, body: 'Why?' }, occasionAt())
      await postComment(tx, { id: answered, parent: posted, author: founder.user, body: 'So.' }, occasionAt())
    })
    const below = (target: string) => question({ target_type: 'comment', target })
    const api = await stage.as(ada)
    const refused = await api('POST', '/intents', below(posted))
    expect([refusal(refused), refused.error.message]).toEqual([
      [422, 'validation_error'],
      'Only the team of Analytical Engines answers questions.',
    ])
    expect((await api('POST', '/intents', below(answered))).status).toBe(201)
    const { data } = await (await stage.as(founder))('POST', '/intents', below(posted))
    await approve(await stage.browser(founder), data.id)
    expect((await commentsBy(founder)).map(({ parent_id }) => parent_id)).toEqual([posted, posted])
  })

  test('accepts a question only from the team after a company closed its questions', async () => {
    const closed = await aCompany()
    await stage.arrange((tx) => updateCompany(tx, { id: closed, questions_closed: true }, occasionAt()))
    const answer = await (await stage.as(ada))('POST', '/intents', question({}, closed))
    expect([refusal(answer), answer.error.message]).toEqual([
      [422, 'validation_error'],
      'Analytical Engines has closed questions. Only its team can post on the page now.',
    ])
    expect((await (await stage.as(founder))('POST', '/intents', question({}, closed))).status).toBe(201)
  })

  test('answers 404 for an unknown company or one that the user does not see, 422 for a wrong target or an invalid field', async () => {
    const hidden = await aCompany(false)
    const api = await stage.as(ada)
    expect(refusal(await api('POST', '/intents', question({}, hidden)))).toEqual([404, 'not_found'])
    expect(refusal(await api('POST', '/intents', question({}, newId('company'))))).toEqual([404, 'not_found'])
    const other = await aCompany()
    const bad = [
      question({ target: other }),
      question({ target_type: 'comment', target: newId('comment') }),
      question({ target_type: 'comment', target: 'cmt_1' }),
      question({ body: ' ' }),
      // These texts have no visible character, or characters that change how people read the text.
      question({ body: '\u200b\u200b' }),
      question({ body: 'a \u0007 bell' }),
      question({ body: 'Do not \u202etsevni' }),
      question({ body: 'x'.repeat(10_001) }),
      question({ disclosure_key: 'friend' }),
    ]
    for (const body of bad) expect(refusal(await api('POST', '/intents', body))).toEqual([422, 'validation_error'])
  })

  test('accepts a token of the user’s own connection, and rejects a syndicate’s token, which has no user', async () => {
    const person = await stage.person()
    const own = await stage.installed(
      { user: person.user },
      ['write:comments', 'read:syndicates'],
      await stage.client(),
    )
    expect((await own('POST', '/intents', question())).status).toBe(201)
    expect((await own('GET', '/intents')).list).toHaveLength(1)
    const syndicate = await stage.syndicate({ full_access: ada })
    const installed = await stage.installed({ syndicate }, ['write:comments'], await stage.client())
    expect(refusal(await installed('POST', '/intents', question()))).toEqual([403, 'forbidden'])
  })

  test('answers 403 insufficient_scope to write:syndicates alone', async () => {
    const api = await stage.as(await stage.person(), ['write:syndicates'])
    const answer = await api('POST', '/intents', question())
    expect(refusal(answer)).toEqual([403, 'insufficient_scope'])
    expect(answer.headers.get('www-authenticate')).toContain('scope="write:comments"')
  })

  test('allows 20 proposals per user and day, of all apps together, also at the same time, and then answers 429 with the limit', async () => {
    const busy = await stage.person()
    const apps = [await stage.as(busy), await stage.as(busy, undefined, await stage.client())]
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => apps[at % 2]?.('POST', '/intents', question({ body: `Question ${at}` }))),
    )
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(20)
    const refused = answers.filter((answer) => answer?.status === 429)
    expect(refused).toHaveLength(4)
    expect(refused[0]?.error.message).toContain('20 per day')
    expect(refused[0]?.error.details).toMatchObject({ limit: 20, period: 86_400 })
    expect((await (await stage.as(await stage.person()))('POST', '/intents', question())).status).toBe(201)
  })
})

describe('a posted comment', () => {
  test('is in GET /companies/{id}/questions under the id that the intent names', async () => {
    const shown = await aCompany()
    const api = await stage.as(ada, ['write:comments', 'read:public', 'read:syndicates'])
    const post = async (who: Person, body: object) => {
      const propose = who === ada ? api : await stage.as(who)
      const { data } = await propose('POST', '/intents', body)
      await approve(await stage.browser(who), data.id)
      const [row] = await stage.service.db.sql<{ comment: string }>(
        `select execution_result ->> 'comment' as comment from test.intents where id = $1`,
        [data.id],
      )
      return row?.comment ?? ''
    }
    const below = (target: string, body: string) => question({ target_type: 'comment', target, body }, shown)
    const posted = await post(ada, question({ body: 'How loud?', disclosure_key: 'promoter' }, shown))
    const answered = await post(founder, below(posted, 'As a mill.'))
    const thanked = await post(ada, below(answered, 'Thank you.'))
    const { list } = await api('GET', `/companies/${shown}/questions`)
    const byAda = { id: null, name: 'Ada Lovelace', team: false }
    const byFay = { id: founder.user, name: 'Fay Founder', role: 'founder', team: true }
    expect(list).toMatchObject([
      {
        id: posted,
        attributes: {
          question: 'How loud?',
          asked_by: { ...byAda, role: 'promoter' },
          answered_by_team: true,
          answers: [
            { id: answered, in_reply_to: posted, answer: 'As a mill.', answered_by: byFay },
            { id: thanked, in_reply_to: answered, answer: 'Thank you.', answered_by: byAda },
          ],
        },
      },
    ])
  })

  test('accepts no answer after it was removed', async () => {
    const posted = newId('comment')
    await stage.arrange(async (tx) => {
      await askQuestion(tx, { id: posted, company, author: ada.user, body: 'Gone?' }, occasionAt())
      await removeComment(tx, posted, occasionAt())
    })
    const body = question({ target_type: 'comment', target: posted })
    expect(refusal(await (await stage.as(founder))('POST', '/intents', body))).toEqual([422, 'validation_error'])
  })
})

describe('reading intents', () => {
  const ids = async (api: Send) => (await api('GET', '/intents')).list.map(({ id }) => id)

  test('write:comments alone reads the comment intents of the app and the user, one by one and as a list', async () => {
    const author = await stage.person()
    const api = await stage.as(author, ['write:comments'])
    const { data } = await api('POST', '/intents', question())
    expect((await api('GET', `/intents/${data.id}`)).data).toEqual(data)
    const own = await stage.installed({ user: author.user }, ['write:comments'], await stage.client())
    expect(refusal(await own('GET', `/intents/${data.id}`))).toEqual([404, 'not_found'])
    expect([await ids(api), await ids(own)]).toEqual([[data.id], []])
    await approve(await stage.browser(author), data.id)
    expect((await api('GET', `/intents/${data.id}`)).data.attributes['status']).toBe('executed')
  })

  test('write:comments does not read intents that were proposed with write:syndicates, which reads both kinds', async () => {
    const manager = await stage.person()
    const syndicate = await stage.syndicate({ full_access: manager })
    const fundraise_id = await stage.deal(syndicate)
    const both = await stage.as(manager)
    const about = { resource_type: 'syndicate', resource_id: syndicate, params: { fundraise_id } }
    const closing = (await both('POST', '/intents', { action_name: 'syndicates.close_deal', ...about })).data.id
    const comment = (await both('POST', '/intents', question())).data.id
    const [comments, syndicates] = [
      await stage.as(manager, ['write:comments'], await stage.client()),
      await stage.as(manager, ['write:syndicates']),
    ]
    expect(await ids(comments)).toEqual([])
    expect((await ids(syndicates)).toSorted()).toEqual([closing, comment].toSorted())
    const narrow = await stage.as(manager, ['write:comments'])
    expect(await ids(narrow)).toEqual([comment])
    expect((await narrow('GET', '/intents?resource_type=syndicate')).list).toEqual([])
    expect(refusal(await narrow('GET', `/intents/${closing}`))).toEqual([404, 'not_found'])
    expect((await narrow('GET', `/intents/${comment}`)).status).toBe(200)
  })

  test('other users get 404, tokens with neither scope 403, revoked tokens 401', async () => {
    const token = await stage.token(await stage.person(), ['write:comments'])
    const api = stage.api(token)
    const { data } = await api('POST', '/intents', question())
    const path = `/intents/${data.id}`
    for (const other of [await stage.as(ada, ['write:comments']), await stage.as(founder)]) {
      expect(refusal(await other('GET', path))).toEqual([404, 'not_found'])
      expect(await ids(other)).not.toContain(data.id)
    }
    const profile = await stage.as(await stage.person(), ['read:profile'])
    for (const at of [path, '/intents']) {
      expect(refusal(await profile('GET', at))).toEqual([403, 'insufficient_scope'])
    }
    await stage.service.db.sql('update test.access_tokens set revoked_at = clock_timestamp() where hash = $1', [
      digestOf(token),
    ])
    for (const at of [path, '/intents']) expect(refusal(await api('GET', at))).toEqual([401, 'invalid_token'])
  })

  test('an installation on a syndicate reads its own intents with write:syndicates, and another syndicate’s installation does not', async () => {
    const manager = await stage.person()
    const [syndicate, another] = [
      await stage.syndicate({ full_access: manager }),
      await stage.syndicate({ full_access: manager }),
    ]
    const fundraise_id = await stage.deal(syndicate)
    const installed = await stage.installed({ syndicate })
    const about = { resource_type: 'syndicate', resource_id: syndicate, params: { fundraise_id } }
    const { data } = await installed('POST', '/intents', { action_name: 'syndicates.close_deal', ...about })
    expect((await installed('GET', `/intents/${data.id}`)).status).toBe(200)
    const others = [await stage.installed({ syndicate: another }), await stage.as(manager)]
    for (const other of others) {
      expect(refusal(await other('GET', `/intents/${data.id}`))).toEqual([404, 'not_found'])
      expect(await ids(other)).toEqual([])
    }
  })
})
