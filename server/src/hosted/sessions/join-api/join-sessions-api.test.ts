import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#access/installations/testing/site.ts'
import { advance } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { approveApplication } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeUser } from '#test/people.ts'
import { makeMembership } from '#test/syndicates.ts'
import { refusalOf } from '../../../../test/contract/sender.ts'
import { awaitApproval } from '../join-session.ts'
import { settlingJoinSessions } from '../session-jobs.ts'
import { aClub, aPartner, asUser, eventsOf, installOn, inTest, openJoinSite } from './testing/join-site.ts'

let site: Site
beforeAll(async () => {
  site = await openJoinSite()
})
afterAll(() => site.close())

const NOT_THEMED = { id: null, version: null, override_fingerprint: null }
const fieldsOf = ({ error }: { error: { details?: unknown } }) =>
  (error.details as { fields: { field: string; code: string }[] }).fields.map(({ field, code }) => `${field} ${code}`)

describe('POST /syndicates/{id}/join_sessions', () => {
  test('201: an open session for 30 days, with an unguessable link, without a user, and without an event', async () => {
    const { send, at, syndicate } = await aPartner(site)
    const body = { return_url: 'https://partner.example/welcome?plan=a', metadata: { theirs: ['a', 1] } }
    const { status, data } = await send('POST', at, body)
    expect(status).toBe(201)
    expect(data).toMatchObject({
      id: expect.stringMatching(/^js_/),
      type: 'join_session',
      attributes: {
        syndicate,
        status: 'open',
        ineligible_reason: null,
        embed: null,
        theme: NOT_THEMED,
        user: null,
        membership_id: null,
        ...body,
      },
    })
    expect(data.attributes['url']).toMatch(new RegExp(`^${site.url}/join/${data.id}\\.[A-Za-z0-9_-]{48}$`))
    const { created_at, expires_at } = data.attributes as { created_at: string; expires_at: string }
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(720 * 3_600_000)
    expect(await eventsOf(site, syndicate)).toEqual([])
  })

  test('no body is needed', async () => {
    const { send, at } = await aPartner(site)
    expect((await send('POST', at)).status).toBe(201)
  })

  test('Idempotency-Key: the same request again replays the first response; another body is 409', async () => {
    const { send, at } = await aPartner(site)
    const key = { 'idempotency-key': 'once' }
    const first = await send('POST', at, { expires_in_hours: 2 }, key)
    const again = await send('POST', at, { expires_in_hours: 2 }, key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.data).toEqual(first.data)
    expect(refusalOf(await send('POST', at, { expires_in_hours: 3 }, key))).toBe('409 idempotency_conflict')
  })

  test.each([
    ['http://partner.example/', 'return_url invalid_format'],
    ['https://user:pw@partner.example/', 'return_url invalid_format'],
    ['https://partner.example/#there', 'return_url invalid_format'],
    ['https://partner.example/?status=joined', 'return_url invalid_format'],
    ['https://partner.example/ü', 'return_url invalid_format'],
    ['javascript:alert(1)', 'return_url invalid_format'],
    ['/welcome', 'return_url invalid_format'],
    ['https://*/', 'return_url invalid_format'],
    ['https://a;sandbox/', 'return_url invalid_format'],
  ])('422 for a return_url that is not a plain https address: %s', async (return_url, problem) => {
    const { send, at } = await aPartner(site)
    const response = await send('POST', at, { return_url })
    expect(refusalOf(response)).toBe('422 validation_error')
    expect(fieldsOf(response)).toEqual([problem])
  })

  test('a return_url or an origin on this machine is allowed only in the sandbox', async () => {
    const return_url = 'http://127.0.0.1:4500/welcome'
    const [test, live] = [await aPartner(site), await aPartner(site, {}, { world: 'live' })]
    expect((await test.send('POST', test.at, { return_url })).status).toBe(201)
    expect(refusalOf(await live.send('POST', live.at, { return_url }))).toBe('422 validation_error')
    const embed = { origins: ['http://localhost:3000'] }
    expect((await test.send('POST', test.at, { embed })).status).toBe(201)
    expect(refusalOf(await live.send('POST', live.at, { embed }))).toBe('422 validation_error')
  })

  test.each([
    'https://partner.example/',
    'https://partner.example/path',
    'https://*.partner.example',
    'https://partner.example;script-src',
    "https://partner.example'",
    'https://partner.example https://evil.example',
    'http://partner.example',
    'https://partner.example:443',
    '*',
    'null',
  ])(
    '422 for an origin that is not in its plain form, or that could change the security policy: %s',
    async (origin) => {
      const { send, at } = await aPartner(site)
      const response = await send('POST', at, { embed: { origins: [origin] } })
      expect(refusalOf(response)).toBe('422 validation_error')
      expect(fieldsOf(response)).toEqual(['embed.origins[0] invalid_format'])
    },
  )

  test('a field with null is treated like an omitted field', async () => {
    const { send, at } = await aPartner(site)
    const nothing = { return_url: null, expires_in_hours: null, embed: null, metadata: null }
    const { status, data } = await send('POST', at, nothing)
    expect(status).toBe(201)
    expect(data.attributes).toMatchObject({ return_url: null, embed: null, metadata: {} })
    const { created_at, expires_at } = data.attributes as { created_at: string; expires_at: string }
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(720 * 3_600_000)
    const embedded = await send('POST', at, { embed: { origins: ['https://partner.example'], theme: null } })
    expect(embedded.data.attributes).toMatchObject({ theme: NOT_THEMED })
  })

  test('422 for unknown fields, and for hours out of range', async () => {
    const { send, at } = await aPartner(site)
    for (const body of [{ user: newId('user') }, { expires_in_hours: 0 }, { expires_in_hours: 2_161 }]) {
      expect(refusalOf(await send('POST', at, body))).toBe('422 validation_error')
    }
  })
})

describe('only installation tokens of the syndicate and user tokens of its managers may create join sessions', () => {
  test('201 for the user token of a manager with the permission operator', async () => {
    const { syndicate, manager } = await aClub(site)
    const send = await asUser(site, manager)
    expect((await send('POST', `/syndicates/${syndicate}/join_sessions`)).status).toBe(201)
  })

  test('write:syndicates is enough; read:syndicates is not', async () => {
    const writer = await aPartner(site, {}, { scopes: ['write:syndicates'] })
    expect((await writer.send('POST', writer.at)).status).toBe(201)
    const reader = await aPartner(site, {}, { scopes: ['read:syndicates'] })
    expect(refusalOf(await reader.send('POST', reader.at))).toBe('403 insufficient_scope')
  })

  test.each([
    ['published', true, '403 forbidden'],
    ['hidden', false, '404 not_found'],
  ])('other callers, for a %s syndicate (published: %s): %s', async (_, published, refusal) => {
    const { syndicate } = await aClub(site, { published })
    const at = `/syndicates/${syndicate}/join_sessions`
    const other = await aClub(site, { published })
    const stranger = await inTest(site, (tx) => makeUser(tx))
    const company = await inTest(site, (tx) => makeCompany(tx))
    const senders = [
      await asUser(site, stranger),
      await asUser(site, other.manager),
      (await installOn(site, { syndicate: other.syndicate })).send,
      (await installOn(site, { company })).send,
      (await installOn(site, { user: stranger })).send,
    ]
    for (const send of senders) expect(refusalOf(await send('POST', at))).toBe(refusal)
  })

  test('403 for a member, who may see the syndicate, and for a token of a manager’s own connection', async () => {
    const { syndicate, manager } = await aClub(site)
    const member = await inTest(site, async (tx) => {
      const user = await makeUser(tx)
      await makeMembership(tx, { syndicate, user, status: 'member' })
      return user
    })
    const at = `/syndicates/${syndicate}/join_sessions`
    const ofMember = await asUser(site, member)
    const connection = await installOn(site, { user: manager })
    expect(refusalOf(await ofMember('POST', at))).toBe('403 forbidden')
    expect(refusalOf(await connection.send('POST', at))).toBe('403 forbidden')
  })

  test('404 for a syndicate of the other world and for an unknown syndicate', async () => {
    const { syndicate } = await aClub(site, { published: true })
    const live = await aPartner(site, {}, { world: 'live' })
    expect(refusalOf(await live.send('POST', `/syndicates/${syndicate}/join_sessions`))).toBe('404 not_found')
    const nowhere = `/syndicates/${newId('syndicate')}/join_sessions`
    expect(refusalOf(await live.send('POST', nowhere))).toBe('404 not_found')
  })

  test('401 for a revoked token', async () => {
    const { send, at, installation } = await aPartner(site)
    await site.db.sql('update test.access_tokens set revoked_at = clock_timestamp() where installation_id = $1', [
      installation,
    ])
    expect(refusalOf(await send('POST', at))).toBe('401 invalid_token')
  })
})

describe('GET and DELETE /syndicates/{id}/join_sessions/{id}, by the app that created the session', () => {
  test('404 for another app on the same syndicate, and for the same app under another syndicate', async () => {
    const mine = await aPartner(site)
    const { data } = await mine.send('POST', mine.at)
    const other = await installOn(site, { syndicate: mine.syndicate })
    const elsewhere = await aClub(site)
    const sameApp = await installOn(site, { syndicate: elsewhere.syndicate }, { client: mine.client })
    for (const method of ['GET', 'DELETE'] as const) {
      expect(refusalOf(await other.send(method, `${mine.at}/${data.id}`))).toBe('404 not_found')
      const there = `/syndicates/${elsewhere.syndicate}/join_sessions/${data.id}`
      expect(refusalOf(await sameApp.send(method, there))).toBe('404 not_found')
    }
    expect((await mine.send('GET', `${mine.at}/${data.id}`)).data).toEqual(data)
  })

  test('read:syndicates is enough to read a session, but not to cancel it', async () => {
    const { send, at, syndicate, client } = await aPartner(site, {}, { scopes: ['write:syndicates'] })
    const { data } = await send('POST', at)
    await site.db.sql(
      `update test.installations set state = 'revoked', revoked_at = test.world_now(),
      revoked_by_role = 'manager' where syndicate_id = $1`,
      [syndicate],
    )
    const reader = await installOn(site, { syndicate }, { client, scopes: ['read:syndicates'] })
    expect((await reader.send('GET', `${at}/${data.id}`)).status).toBe(200)
    expect(refusalOf(await reader.send('DELETE', `${at}/${data.id}`))).toBe('403 insufficient_scope')
  })

  test('canceling records an event, with user null if no person continued; canceling again changes nothing', async () => {
    const { send, at, syndicate } = await aPartner(site)
    const { data } = await send('POST', at)
    const canceled = await send('DELETE', `${at}/${data.id}`)
    expect(canceled.data.attributes).toMatchObject({ status: 'canceled', url: null, user: null })
    expect((await send('DELETE', `${at}/${data.id}`)).data).toEqual(canceled.data)
    const events = await eventsOf(site, syndicate)
    expect(events.map(({ name }) => name)).toEqual(['join_session.canceled'])
    expect(events[0]?.data).toEqual({
      id: data.id,
      syndicate,
      status: 'canceled',
      user: null,
      ineligible_reason: null,
      theme: NOT_THEMED,
    })
  })

  test('canceling withdraws the application if no manager has decided yet', async () => {
    const { send, at, syndicate } = await aPartner(site)
    const { data } = await send('POST', at)
    const userId = await inTest(site, (tx) => makeUser(tx, { name: 'Ada Lovelace' }))
    const id = data.id as Parameters<typeof awaitApproval>[1]['id']
    await inTest(site, (tx) => awaitApproval(tx, { id, userId }, occasionAt()))
    const waiting = await send('GET', `${at}/${id}`)
    expect(waiting.data.attributes).toMatchObject({
      status: 'pending_approval',
      user: { id: userId, name: 'Ada Lovelace' },
      membership_id: expect.stringMatching(/^mem_/),
    })
    expect((await send('DELETE', `${at}/${id}`)).data.attributes['status']).toBe('canceled')
    expect((await eventsOf(site, syndicate)).map(({ name }) => name)).toEqual([
      'syndicate_member.applied',
      'join_session.pending_approval',
      'syndicate_member.declined',
      'join_session.canceled',
    ])
  })

  test('422 session_not_cancelable after the person became a member; nothing changes', async () => {
    const { send, at, manager } = await aPartner(site)
    const { data } = await send('POST', at)
    const userId = await inTest(site, (tx) => makeUser(tx))
    const id = data.id as Parameters<typeof awaitApproval>[1]['id']
    await inTest(site, (tx) => awaitApproval(tx, { id, userId }, occasionAt()))
    const { membership_id: membership } = (await send('GET', `${at}/${id}`)).data.attributes
    const membershipId = membership as Parameters<typeof approveApplication>[1]['id']
    const on = occasionAt()
    await inTest(site, (tx) => {
      const decide = () => approveApplication(tx, { id: membershipId, approvedBy: manager }, on)
      return settlingJoinSessions(tx, { membershipId, decide }, on)
    })
    const rejected = await send('DELETE', `${at}/${id}`)
    expect(refusalOf(rejected)).toBe('422 session_not_cancelable')
    expect(rejected.error.details).toEqual({ status: 'joined' })
    expect((await send('GET', `${at}/${id}`)).data.attributes).toMatchObject({ status: 'joined', url: null })
  })

  test('a session past its time in world time is expired, even before a worker has run', async () => {
    const { send, at } = await aPartner(site)
    const { data } = await send('POST', at, { expires_in_hours: 1 })
    await advance(site.db, '1 hour')
    expect((await send('GET', `${at}/${data.id}`)).data.attributes).toMatchObject({ status: 'expired', url: null })
    expect(refusalOf(await send('DELETE', `${at}/${data.id}`))).toBe('422 session_not_cancelable')
  })
})

describe('GET /syndicates/{id}/join_sessions', () => {
  test('200: the app’s sessions for this syndicate, newest first; no session of another app or syndicate', async () => {
    const { send, at, syndicate, client } = await aPartner(site)
    const made: string[] = []
    for (let n = 0; n < 3; n += 1) made.unshift((await send('POST', at)).data.id)
    const other = await installOn(site, { syndicate })
    await other.send('POST', at)
    const { list, meta } = await send('GET', at)
    expect([...list.map(({ id }) => id)].sort()).toEqual([...made].sort())
    expect(list.map(({ id }) => id)).toEqual(
      list
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    expect(list[0]).toEqual((await send('GET', `${at}/${list[0]?.id}`)).data)
    expect(meta).toEqual({ has_more: false, page_count: 3, next_cursor: null })
    expect((await other.send('GET', at)).list).toHaveLength(1)
    const elsewhere = await aClub(site)
    const sameApp = await installOn(site, { syndicate: elsewhere.syndicate }, { client })
    expect((await sameApp.send('GET', `/syndicates/${elsewhere.syndicate}/join_sessions`)).list).toEqual([])
    expect((await sameApp.send('GET', at)).status).toBe(404)
  })

  test('403 without a scope that may read join sessions', async () => {
    const { at, syndicate } = await aPartner(site)
    const { send } = await installOn(site, { syndicate }, { scopes: ['read:profile'] })
    expect(refusalOf(await send('GET', at))).toBe('403 insufficient_scope')
  })
})
