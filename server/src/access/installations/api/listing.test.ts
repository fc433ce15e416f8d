import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aClientToken, aConnection, advance } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { endRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { laterIds } from '#test/later-ids.ts'
import {
  type ApiResponse,
  type ApiStage,
  openApiStage,
  type Partner,
  type Person,
  type Send,
} from '../testing/api-stage.ts'

let stage: ApiStage
beforeAll(async () => {
  stage = await openApiStage()
})
afterAll(() => stage.close())

const refusal = ({ status, error }: ApiResponse) => [status, error?.type]
const ids = ({ list }: ApiResponse) => list.map(({ id }) => id)

async function installed(by: Send, target: string) {
  const target_type = target.startsWith('syn_') ? 'syndicate' : 'company'
  const { data } = await by('POST', '/installations', { target_type, target_id: target })
  return data
}

/** An app, a founder, and `send`, which calls the API with a token that the app has for the founder. */
async function scene() {
  const partner = await stage.partner()
  const founder = await stage.person()
  const send = await stage.as(partner, founder)
  return { partner, founder, send }
}

const connectionOf = async (partner: Partner, { user }: Person) => {
  const rows = await stage.db.sql<{ id: string }>(
    `select id from test.installations where app_id = $1 and user_id = $2 and state = 'active'`,
    [partner.app, user],
  )
  return rows[0]?.id
}

describe('GET /installations/eligible', () => {
  test('returns the companies that the caller edits and the syndicates that they manage, with tier and installation', async () => {
    const { founder, send } = await scene()
    const zinc = await stage.company({ editor: founder }, 'Zinc')
    const amber = await stage.company({ founder, editor: founder }, 'Amber')
    const angels = await stage.syndicate(founder, { name: 'Angels' })
    await stage.company({ employee: founder })
    const data = await installed(send, amber)
    // An installation of another app must not count as an installation of this app.
    await installed(await stage.as(await stage.partner(), founder), zinc)
    const { status, list, meta } = await send('GET', '/installations/eligible')
    expect(status).toBe(200)
    expect(list).toEqual([
      { type: 'company', id: amber, name: 'Amber', tier: 'founder', installed: true, installation: data },
      { type: 'company', id: zinc, name: 'Zinc', tier: 'editor', installed: false, installation: null },
      { type: 'syndicate', id: angels, name: 'Angels', tier: 'manager', installed: false, installation: null },
    ])
    expect(meta).toEqual({ has_more: false, page_count: 3, next_cursor: null })
    expect(ids(await send('GET', '/installations/eligible?target_type=syndicate'))).toEqual([angels])
    expect(ids(await send('GET', '/installations/eligible?target_type=company'))).toEqual([amber, zinc])
    await send('DELETE', `/installations/${data.id}`)
    const [first] = (await send('GET', '/installations/eligible')).list
    expect(first).toMatchObject({ id: amber, installed: false, installation: null })
  })

  test('for an unapproved app, a person outside its team gets no targets, and a member of its team gets their own targets', async () => {
    const unapproved = await stage.partner({ approved: false })
    const [founder, teammate] = [await stage.person(), await stage.teammate(unapproved)]
    const company = await stage.company({ founder, editor: teammate })
    const outsider = await stage.as(unapproved, founder)
    expect((await outsider('GET', '/installations/eligible')).list).toEqual([])
    const ours = await stage.as(unapproved, teammate)
    expect(ids(await ours('GET', '/installations/eligible'))).toEqual([company])
    await stage.db.sql('update platform.apps set approved_at = now() where id = $1', [unapproved.app])
    expect(ids(await outsider('GET', '/installations/eligible'))).toEqual([company])
  })

  test('returns nothing to a person without a role; 400 for an unknown target type', async () => {
    const { send } = await scene()
    expect((await send('GET', '/installations/eligible')).list).toEqual([])
    expect(refusal(await send('GET', '/installations/eligible?target_type=user'))).toEqual([400, 'invalid_request'])
  })

  test('403 without the scope, and for tokens without a user', async () => {
    const { partner, founder, send } = await scene()
    const bare = await stage.as(partner, founder, ['read:profile'])
    expect(refusal(await bare('GET', '/installations/eligible'))).toEqual([403, 'insufficient_scope'])
    const { token } = await send('POST', '/installations', {
      target_type: 'company',
      target_id: await stage.company({ founder }),
    })
    const path = '/installations/eligible'
    expect(refusal(await stage.bearer(token.access_token)('GET', path))).toEqual([403, 'forbidden'])
    const client = await aClientToken(stage.db, partner)
    expect(refusal(await stage.bearer(client.accessToken)('GET', path))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await stage.bearer(partner.keyId)('GET', path))).toEqual([403, 'insufficient_scope'])
  })
})

describe('GET /installations', () => {
  test('the app’s team sees every installation of the app in the token’s world, including users’ connections', async () => {
    const { partner, founder, send } = await scene()
    const [on, under] = [await installed(send, await stage.company({ founder })), await connectionOf(partner, founder)]
    for (const role of ['owner', 'admin', 'developer'] as const) {
      const teammate = await stage.teammate(partner, role)
      const own = await stage.as(partner, teammate, ['read:installations'])
      const seen = ids(await own('GET', '/installations'))
      expect(seen).toEqual(expect.arrayContaining([on.id, under, await connectionOf(partner, teammate)]))
    }
  })

  test('people outside the team see the installations that they made or could revoke now', async () => {
    const { partner, founder, send } = await scene()
    const [editor, stranger] = [await stage.person(), await stage.person()]
    const [company, syndicate] = [await stage.company({ founder, editor }), await stage.syndicate(founder)]
    const [onCompany, onSyndicate] = [await installed(send, company), await installed(send, syndicate)]
    const [own, editors] = [await connectionOf(partner, founder), await stage.as(partner, editor)]
    const seenBy = async (by: Send) => new Set(ids(await by('GET', '/installations')))
    expect(await seenBy(send)).toEqual(new Set([onSyndicate.id, onCompany.id, own]))
    expect(await seenBy(editors)).toEqual(new Set([await connectionOf(partner, editor), onCompany.id]))
    const strangers = await stage.as(partner, stranger)
    expect(ids(await strangers('GET', '/installations'))).toEqual([await connectionOf(partner, stranger)])
    // After their roles have ended, the person who made the installation still sees it. The person who could only revoke it does not.
    for (const [person, role] of [
      [founder, 'founder'],
      [editor, 'editor'],
    ] as const) {
      await stage.arrange((tx) => endRole(tx, { company, user: person.user, role }, occasionAt()))
    }
    expect(ids(await send('GET', '/installations'))).toContain(onCompany.id)
    expect(ids(await editors('GET', '/installations'))).not.toContain(onCompany.id)
  })

  test('shows no installation of another app; an installation of the other world is 404', async () => {
    const { founder, send } = await scene()
    const company = await stage.company({ founder })
    const data = await installed(send, company)
    const other = await stage.partner()
    const teammate = await stage.teammate(other)
    expect(ids(await (await stage.as(other, founder))('GET', '/installations'))).not.toContain(data.id)
    expect(ids(await (await stage.as(other, teammate))('GET', '/installations'))).not.toContain(data.id)
    const live = await stage.partner({ world: 'live' })
    const lives = await stage.as(live, await stage.person('live'))
    expect(refusal(await lives('GET', `/installations/${data.id}`))).toEqual([404, 'not_found'])
  })

  test('has pages with a sealed cursor, the newest first, and counts the rows of the page', async () => {
    const { founder, send } = await scene()
    const made: string[] = []
    for (let i = 0; i < 4; i++) {
      await laterIds()
      made.push((await installed(send, await stage.company({ founder }))).id)
    }
    const first = await send('GET', '/installations?per_page=2')
    expect(ids(first)).toEqual([made[3], made[2]])
    expect(first.meta).toEqual({ has_more: true, page_count: 2, next_cursor: expect.any(String), count: 2 })
    // An installation that is made meanwhile does not shift the pages.
    await laterIds()
    await installed(send, await stage.company({ founder }))
    const cursor = String(first.meta['next_cursor'])
    const second = await send('GET', `/installations?per_page=2&cursor=${cursor}`)
    expect(ids(second)).toEqual([made[1], made[0]])
    const last = await send('GET', `/installations?per_page=2&cursor=${second.meta['next_cursor']}`)
    expect([last.list.length, last.meta['has_more'], last.meta['next_cursor']]).toEqual([1, false, null])
    const spoilt = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`
    expect(refusal(await send('GET', `/installations?cursor=${spoilt}`))).toEqual([400, 'invalid_request'])
    expect(refusal(await send('GET', '/installations?per_page=two'))).toEqual([400, 'invalid_request'])
  })

  test('revoked installations stay listed for 30 days of the world’s time', async () => {
    const { partner, founder, send } = await scene()
    const data = await installed(send, await stage.company({ founder }))
    const { data: revoked } = await send('DELETE', `/installations/${data.id}`)
    expect((await send('GET', '/installations')).list).toContainEqual(revoked)
    await advance(stage.db, '29 days')
    const later = await stage.as(partner, founder)
    expect(ids(await later('GET', '/installations'))).toContain(data.id)
    expect((await later('GET', `/installations/${data.id}`)).data).toEqual(revoked)
    await advance(stage.db, '2 days')
    const last = await stage.as(partner, founder)
    expect(ids(await last('GET', '/installations'))).not.toContain(data.id)
    expect(refusal(await last('GET', `/installations/${data.id}`))).toEqual([404, 'not_found'])
    // A repeated revocation is not an error.
    expect((await last('DELETE', `/installations/${data.id}`)).data).toEqual(revoked)
    const stranger = await stage.as(partner, await stage.person())
    expect(refusal(await stranger('DELETE', `/installations/${data.id}`))).toEqual([404, 'not_found'])
    expect((await stage.operator()('GET', `/platform/installations/${data.id}`)).data).toEqual(revoked)
  })

  test('403 for every credential without the scope: user token, publishable key, client-credentials token', async () => {
    const { partner, founder } = await scene()
    const client = await aClientToken(stage.db, partner)
    const bare = await stage.as(partner, founder, ['read:profile'])
    for (const by of [bare, stage.bearer(partner.keyId), stage.bearer(client.accessToken)]) {
      expect(refusal(await by('GET', '/installations'))).toEqual([403, 'insufficient_scope'])
    }
    expect(refusal(await stage.bearer('at_test_nobody')('GET', '/installations'))).toEqual([401, 'invalid_token'])
  })
})

describe('GET /installations/{id}', () => {
  test('200 for a person whose list has the installation; 404 for every other person and for an unknown id', async () => {
    const { partner, founder, send } = await scene()
    const data = await installed(send, await stage.company({ founder }))
    expect((await send('GET', `/installations/${data.id}`)).data).toEqual(data)
    const teammate = await stage.as(partner, await stage.teammate(partner), ['read:installations'])
    expect((await teammate('GET', `/installations/${data.id}`)).data).toEqual(data)
    const stranger = await stage.as(partner, await stage.person(), ['read:installations'])
    const [unknown, never] = [
      await stranger('GET', `/installations/${data.id}`),
      await stranger('GET', `/installations/${newId('installation')}`),
    ]
    expect([refusal(unknown), refusal(never)]).toEqual(Array(2).fill([404, 'not_found']))
    expect({ ...unknown.error, request_id: '' }).toEqual({ ...never.error, request_id: '' })
    expect(refusal(await send('GET', '/installations/inst_1'))).toEqual([404, 'not_found'])
    const another = await stage.as(await stage.partner(), founder)
    expect(refusal(await another('GET', `/installations/${data.id}`))).toEqual([404, 'not_found'])
  })

  test('200 for the person’s own superseded connection, which is shown as revoked', async () => {
    const { partner, founder } = await scene()
    const old = await connectionOf(partner, founder)
    await aConnection(stage.db, partner, { user: founder.user, scopes: ['read:profile', 'write:installations'] })
    const again = await stage.as(partner, founder, ['read:profile', 'write:installations'])
    expect((await again('GET', `/installations/${old}`)).data).toMatchObject({
      status: 'revoked',
      target: { type: 'user', id: founder.user, name: null },
      tier: 'user',
      revoked_by: { role: 'user' },
    })
  })
})
