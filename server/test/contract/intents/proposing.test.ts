import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeUser } from '#test/people.ts'
import { makeMembership } from '#test/syndicates.ts'
import type { Send } from '../sender.ts'
import { type IntentStage, openIntentStage, type Person, refusal } from './stage.ts'

let stage: IntentStage
let ada: Person
let grace: Person
let syndicate: Id<'syndicate'>
let deal: Id<'offering'>
let api: Send
beforeAll(async () => {
  stage = await openIntentStage()
  ada = await stage.person('Ada Lovelace')
  grace = await stage.person('Grace Hopper')
  syndicate = await stage.syndicate({ full_access: ada, operator: grace })
  deal = await stage.deal(syndicate)
  api = await stage.as(ada)
})
afterAll(() => stage?.close())

const closing = (more: object = {}) => ({
  action_name: 'syndicates.close_deal',
  resource_type: 'syndicate',
  resource_id: syndicate,
  params: { fundraise_id: deal },
  ...more,
})
const count = async () =>
  (await stage.service.db.sql<{ n: number }>('select count(*)::int as n from test.intents'))[0]?.n

describe('POST /intents', () => {
  test('201 with a pending intent, its summary and the page where a person decides, and no effect yet', async () => {
    const { status, data } = await api('POST', '/intents', closing({ requested_by_agent: 'Closing bot' }))
    expect(status).toBe(201)
    expect(data).toMatchObject({
      type: 'intent',
      attributes: {
        ...{ action: 'syndicates.close_deal', status: 'pending', resource_type: 'syndicate', resource_id: syndicate },
        impact_summary:
          'Engine No. 1 of Analytical Engines stops taking investments, and the committed funds wait to be disbursed.',
        review_url: `${stage.service.url}/intents/${data.id}/review`,
        ...{ requested_by_agent: 'Closing bot', approved_at: null, executed_at: null, rejection_reason: null },
      },
    })
    expect(data.attributes).not.toHaveProperty('execution_result')
    expect(await stage.events('offering.closing', deal)).toBe(0)
  })

  test('the intent expires seven days after its creation, by the world’s clock', async () => {
    const { data } = await api('POST', '/intents', closing())
    const { created_at, updated_at, expires_at } = data.attributes as Record<string, string>
    const week = 'select $1::timestamptz - $2::timestamptz = $3::interval as exactly'
    expect(await stage.service.db.sql(week, [expires_at, created_at, '7 days'])).toEqual([{ exactly: true }])
    expect(updated_at).toBe(created_at)
  })

  test('the same operation under an idempotency_key is 200 with the same intent, with its fields in any order', async () => {
    const first = await api('POST', '/intents', closing({ idempotency_key: 'k1' }))
    const before = await count()
    const { params, ...rest } = closing({ idempotency_key: 'k1' })
    const again = await api('POST', '/intents', { params, ...rest })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.data.id).toBe(first.data.id)
    expect(await count()).toBe(before)
  })

  test('other content under the key is 409 idempotency_conflict, and no intent is created', async () => {
    await api('POST', '/intents', closing({ idempotency_key: 'k2' }))
    const before = await count()
    const other = await stage.deal(syndicate)
    const answers = [
      await api('POST', '/intents', closing({ idempotency_key: 'k2', params: { fundraise_id: other } })),
      await api('POST', '/intents', {
        ...closing({ idempotency_key: 'k2', action_name: 'syndicates.publish' }),
        params: {},
      }),
    ]
    expect(answers.map(refusal)).toEqual([
      [409, 'idempotency_conflict'],
      [409, 'idempotency_conflict'],
    ])
    expect(await count()).toBe(before)
  })

  test('a key belongs to the app and the user, so the same key of another user is another intent', async () => {
    const mine = await api('POST', '/intents', closing({ idempotency_key: 'k3' }))
    const theirs = await (await stage.as(grace))('POST', '/intents', closing({ idempotency_key: 'k3' }))
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(theirs.data.id).not.toBe(mine.data.id)
  })

  test('ten simultaneous requests under one key create one intent, which all ten get', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api('POST', '/intents', closing({ idempotency_key: 'k4' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })

  test('an expired intent may be proposed again under its key', async () => {
    const first = await api('POST', '/intents', closing({ idempotency_key: 'k5' }))
    await stage.pass('8 days')
    const again = await (await stage.as(ada))('POST', '/intents', closing({ idempotency_key: 'k5' }))
    expect(again.status).toBe(201)
    expect(again.data.id).not.toBe(first.data.id)
    expect(await stage.stateOf(first.data.id)).toBe('expired')
    api = await stage.as(ada)
  })

  test('422 for an unknown action, a wrong resource, and bad params, and the error names the field', async () => {
    const bad = [
      [closing({ action_name: 'syndicates.burn' }), 'action_name'],
      [closing({ resource_type: 'company' }), 'resource_type'],
      [closing({ resource_id: 'syn_1' }), 'resource_id'],
      [closing({ params: {} }), 'params.fundraise_id'],
      [closing({ params: { fundraise_id: 99 } }), 'params.fundraise_id'],
      [closing({ params: { fundraise_id: deal, also: 1 } }), 'params.also'],
      [closing({ idempotency_key: '' }), 'idempotency_key'],
      [closing({ requested_by_agent: '\u200b' }), 'requested_by_agent'],
      [closing({ requested_by_agent: 'Bot\nApproved' }), 'requested_by_agent'],
      [closing({ requested_by_agent: 'tob \u202egnisolC' }), 'requested_by_agent'],
      [closing({ surprise: true }), 'surprise'],
    ] as const
    const before = await count()
    for (const [body, field] of bad) {
      const answer = await api('POST', '/intents', body)
      expect([field, ...refusal(answer)]).toEqual([field, 422, 'validation_error'])
      expect(answer.error.details).toMatchObject({ fields: [{ field }] })
    }
    expect(await count()).toBe(before)
  })

  test('422 with the reason if the action is impossible: another syndicate’s deal, a deal that is not open', async () => {
    const elsewhere = await stage.deal(await stage.syndicate({ full_access: ada }))
    const closed = await stage.deal(syndicate, { status: 'closing' })
    const other = await api('POST', '/intents', closing({ params: { fundraise_id: elsewhere } }))
    const late = await api('POST', '/intents', closing({ params: { fundraise_id: closed } }))
    expect([other, late].map(refusal)).toEqual([
      [422, 'validation_error'],
      [422, 'validation_error'],
    ])
    expect(other.error.message).toBe('This is not a deal of the syndicate.')
    expect(late.error.message).toContain('The deal is closing')
  })

  test('403 insufficient_scope with only the scope of another action, and the error names the required scope', async () => {
    const commenting = await stage.as(await stage.person(), ['write:comments'])
    const answer = await commenting('POST', '/intents', closing())
    expect(refusal(answer)).toEqual([403, 'insufficient_scope'])
    expect(answer.headers.get('www-authenticate')).toContain('scope="write:syndicates"')
  })

  test('a stranger and the manager of another syndicate get 404, a plain member 403', async () => {
    const stranger = await stage.as(await stage.person())
    const other = await stage.person()
    await stage.syndicate({ full_access: other })
    const plain = await stage.person()
    await stage.arrange((tx) => makeMembership(tx, { syndicate, user: plain.user, status: 'member' }))
    expect(refusal(await stranger('POST', '/intents', closing()))).toEqual([404, 'not_found'])
    expect(refusal(await (await stage.as(other))('POST', '/intents', closing()))).toEqual([404, 'not_found'])
    expect(refusal(await (await stage.as(plain))('POST', '/intents', closing()))).toEqual([403, 'forbidden'])
  })

  test('an operator may propose, an installation only on its own syndicate, and a company’s installation never', async () => {
    expect((await (await stage.as(grace))('POST', '/intents', closing())).status).toBe(201)
    const here = await stage.installed({ syndicate })
    expect((await here('POST', '/intents', closing())).status).toBe(201)
    const elsewhere = await stage.installed({ syndicate: await stage.syndicate({ full_access: ada }) })
    expect(refusal(await elsewhere('POST', '/intents', closing()))).toEqual([404, 'not_found'])
    const company = await stage.arrange(async (tx) => {
      const made = await makeCompany(tx)
      await setRole(tx, { company: made, user: ada.user, role: 'founder' }, occasionAt())
      return made
    })
    const onCompany = await stage.installed({ company })
    expect(refusal(await onCompany('POST', '/intents', closing()))).toEqual([403, 'forbidden'])
  })

  test('the syndicate and the intent do not exist in the other world', async () => {
    const live = await stage.client('live')
    const somebody = await stage.as(await stage.person('Ada Lovelace', 'live'), undefined, live)
    expect(refusal(await somebody('POST', '/intents', closing()))).toEqual([404, 'not_found'])
    const { data } = await api('POST', '/intents', closing())
    expect(refusal(await somebody('GET', `/intents/${data.id}`))).toEqual([404, 'not_found'])
  })

  test('an older version uses the word Club, which every version accepts', async () => {
    const older = { 'wefunder-version': '2026-10-01' }
    const { status, data } = await api('POST', '/intents', closing({ resource_type: 'Club' }), older)
    expect([status, data.attributes['resource_type']]).toEqual([201, 'Club'])
    const newest = await api('GET', `/intents/${data.id}`)
    expect(newest.data.attributes['resource_type']).toBe('syndicate')
    const listed = await api('GET', '/intents?resource_type=Club&per_page=1', undefined, older)
    expect(listed.list[0]?.attributes['resource_type']).toBe('Club')
    expect((await api('POST', '/intents', closing({ resource_type: 'Club' }))).status).toBe(201)
  })
})

describe('POST /intents/preview', () => {
  test('200 with the reviewer’s text and the required scope, also without that scope, and no intent is created', async () => {
    const exploring = await stage.as(ada, ['read:explore'])
    const before = await count()
    const { status, data } = await exploring('POST', '/intents/preview', closing())
    expect(status).toBe(200)
    expect(data).toEqual({
      type: 'intent_preview',
      attributes: {
        ...{ action: 'syndicates.close_deal', resource_type: 'syndicate', resource_id: syndicate },
        params: { fundraise_id: deal },
        impact_summary: expect.stringContaining('stops taking investments'),
        scope: 'write:syndicates',
      },
    })
    expect(await count()).toBe(before)
    api = await stage.as(ada)
  })

  test('the names of members are shown only to callers who may read them', async () => {
    const member = await stage.arrange(async (tx) => {
      const user = await makeUser(tx, { name: 'Mary Member' })
      return makeMembership(tx, { syndicate, user, status: 'member' })
    })
    const removal = closing({ action_name: 'syndicates.remove_member', params: { member_id: member } })
    const summary = async (scopes: string[]) =>
      (await (await stage.as(ada, scopes))('POST', '/intents/preview', removal)).data.attributes['impact_summary']
    expect(await summary(['read:explore'])).toBe('The member is no longer a member of Engine Backers.')
    for (const scopes of [['read:explore', 'read:syndicates'], ['write:syndicates']]) {
      expect(await summary(scopes)).toBe('Mary Member is no longer a member of Engine Backers.')
    }
    api = await stage.as(ada)
  })

  test('the same rejections as proposing the intent, and 422 for an idempotency_key', async () => {
    const stranger = await stage.as(await stage.person())
    expect(refusal(await stranger('POST', '/intents/preview', closing()))).toEqual([404, 'not_found'])
    const bad = closing({ params: { fundraise_id: 99 } })
    expect(refusal(await api('POST', '/intents/preview', bad))).toEqual([422, 'validation_error'])
    const keyed = closing({ idempotency_key: 'x' })
    expect(refusal(await api('POST', '/intents/preview', keyed))).toEqual([422, 'validation_error'])
  })
})

describe('GET /intents and GET /intents/{id}', () => {
  test('return the intents of this app for this user, filtered, page by page', async () => {
    const lone = await stage.person()
    const own = await stage.syndicate({ full_access: lone })
    const [first, second] = [await stage.deal(own), await stage.deal(own)]
    const mine = await stage.as(lone)
    const made = [first, second].map((fundraise_id) => closing({ resource_id: own, params: { fundraise_id } }))
    const ids: string[] = []
    for (const body of made) ids.unshift((await mine('POST', '/intents', body)).data.id)
    const all = await mine('GET', '/intents')
    expect(all.list.map(({ id }) => id).sort()).toEqual(ids.toSorted())
    const page = await mine('GET', '/intents?per_page=1')
    const cursor = encodeURIComponent(String(page.meta['next_cursor']))
    const rest = await mine('GET', `/intents?per_page=1&cursor=${cursor}`)
    expect([...page.list, ...rest.list].map(({ id }) => id)).toEqual(all.list.map(({ id }) => id))
    expect((await mine('GET', '/intents?status=executed')).list).toEqual([])
    expect((await mine('GET', `/intents?status=pending&resource_type=syndicate&resource_id=${own}`)).list).toHaveLength(
      2,
    )
    expect((await mine('GET', `/intents?resource_id=${syndicate}`)).list).toEqual([])
    expect(refusal(await mine('GET', '/intents?status=burnt'))).toEqual([400, 'invalid_request'])
  })

  test('answer a newer token of the same app and user, and answer 404 to another user, app or installation', async () => {
    const { data } = await api('POST', '/intents', closing())
    expect((await (await stage.as(ada))('GET', `/intents/${data.id}`)).data).toEqual(data)
    const others = [
      await stage.as(grace),
      await stage.as(ada, undefined, await stage.client()),
      await stage.installed({ syndicate }, undefined, await stage.client()),
    ]
    for (const other of others) {
      expect(refusal(await other('GET', `/intents/${data.id}`))).toEqual([404, 'not_found'])
      expect((await other('GET', '/intents')).list.map(({ id }) => id)).not.toContain(data.id)
    }
  })
})

describe.each([
  ['close', 'open', 'close_deal_intent', 'syndicates.close_deal'],
  ['finalize', 'closing', 'finalize_deal_intent', 'syndicates.finalize_deal'],
] as const)('POST /syndicates/{id}/deals/{id}/%s', (verb, status, name, action) => {
  test('200 with the deal and its pending intent, and a repeat returns the same intent', async () => {
    const one = await stage.deal(syndicate, { status })
    const path = `/syndicates/${syndicate}/deals/${one}/${verb}`
    const [first, again] = [await api('POST', path), await api('POST', path)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(first.data).toMatchObject({ id: one, type: 'syndicate_deal' })
    const { id } = first.meta[name] as { id: string }
    expect(first.meta).toEqual({
      [name]: { id, status: 'pending', review_url: `${stage.service.url}/intents/${id}/review` },
    })
    expect(again.meta).toEqual(first.meta)
    expect((await api('GET', `/intents/${id}`)).data.attributes).toMatchObject({ action })
  })

  test('ten simultaneous requests create one intent', async () => {
    const path = `/syndicates/${syndicate}/deals/${await stage.deal(syndicate, { status })}/${verb}`
    const answers = await Promise.all(Array.from({ length: 10 }, () => api('POST', path)))
    expect(new Set(answers.map(({ meta }) => (meta[name] as { id: string }).id)).size).toBe(1)
  })

  test('422 for another syndicate’s deal or the wrong state, and 404 to a stranger', async () => {
    const elsewhere = await stage.deal(await stage.syndicate({ full_access: ada }))
    const wrong = await stage.deal(syndicate, { status: 'upcoming' })
    for (const one of [elsewhere, wrong]) {
      expect(refusal(await api('POST', `/syndicates/${syndicate}/deals/${one}/${verb}`))).toEqual([
        422,
        'validation_error',
      ])
    }
    const stranger = await stage.as(await stage.person())
    const path = `/syndicates/${syndicate}/deals/${deal}/${verb}`
    expect(refusal(await stranger('POST', path))).toEqual([404, 'not_found'])
  })
})
