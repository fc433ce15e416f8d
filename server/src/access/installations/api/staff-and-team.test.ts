import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { laterIds } from '#test/later-ids.ts'
import { type ApiResponse, type ApiStage, openApiStage, type Partner, type Person } from '../testing/api-stage.ts'

let stage: ApiStage
let partner: Partner
let founder: Person
beforeAll(async () => {
  stage = await openApiStage()
  partner = await stage.partner()
  founder = await stage.person()
})
afterAll(() => stage.close())

const refusal = ({ status, error }: ApiResponse) => [status, error?.type]

async function installed(on: Partner = partner, by: Person = founder) {
  const send = await stage.as(on, by)
  await laterIds()
  const body = { target_type: 'company', target_id: await stage.company({ founder: by }) }
  return send('POST', '/installations', body)
}
const auditOf = (app: string, installation: string) =>
  stage.db.sql<{ actor: string; action: string; details: object }>(
    `select actor, action, details from platform.audit_entries where subject = $1 and details ->> 'installation' = $2`,
    [app, installation],
  )

describe('/platform/installations/{id}', () => {
  test('an operator key of the installation’s world may GET and DELETE; revoked_by is the platform’s name, and the history has an entry', async () => {
    const { data, token } = await installed()
    const staff = stage.operator()
    const path = `/platform/installations/${data.id}`
    expect((await staff('GET', path)).data).toEqual(data)
    const response = await staff('DELETE', path)
    expect([response.status, response.data]).toMatchObject([
      200,
      { status: 'revoked', revoked_by: { role: 'wefunder' } },
    ])
    expect(await accepted(stage.db, [token.access_token])).toBe(0)
    expect((await staff('DELETE', path)).data).toEqual(response.data)
    expect(await auditOf(partner.app, data.id)).toEqual([
      {
        actor: expect.stringMatching(/^opk_/),
        action: 'installation.revoked',
        details: { installation: data.id, mode: 'test' },
      },
    ])
  })

  test('DELETE also revokes a user’s connection', async () => {
    const user = await stage.person()
    const send = await stage.as(partner, user)
    const [own] = (await send('GET', '/installations')).list
    const response = await stage.operator()('DELETE', `/platform/installations/${own?.id}`)
    expect(response.data).toMatchObject({ target: { type: 'user' }, revoked_by: { role: 'wefunder' } })
    expect(refusal(await send('GET', '/installations'))).toEqual([401, 'invalid_token'])
  })

  test('404 in the other world and for an unknown id; 403 for an app’s token, 401 for an unknown key', async () => {
    const { data } = await installed()
    const path = `/platform/installations/${data.id}`
    for (const method of ['GET', 'DELETE']) {
      expect(refusal(await stage.operator('live')(method, path))).toEqual([404, 'not_found'])
      const unknown = `/platform/installations/${newId('installation')}`
      expect(refusal(await stage.operator()(method, unknown))).toEqual([404, 'not_found'])
      expect(refusal(await (await stage.as(partner, founder))(method, path))).toEqual([403, 'forbidden'])
      expect(refusal(await stage.bearer('ok_test_nobody')(method, path))).toEqual([401, 'invalid_token'])
    }
  })
})

describe('/portal/api/apps/{id}/installations', () => {
  const path = (app: string, more = '') => `/portal/api/apps/${app}/installations${more}`

  test('the team lists the installations of a world page by page, including users’ connections', async () => {
    const app = await stage.partner()
    const { data } = await installed(app)
    const team = await stage.signedIn(await stage.teammate(app))
    const { status, list, meta } = await team('GET', path(app.app, '?mode=test&per_page=1'))
    expect([status, list]).toEqual([200, [data]])
    expect(meta).toEqual({ has_more: true, page_count: 1, next_cursor: expect.any(String), count: 1 })
    const next = await team('GET', path(app.app, `?mode=test&per_page=1&cursor=${meta['next_cursor']}`))
    expect(next.list).toMatchObject([{ target: { type: 'user', id: founder.user } }])
    expect((await team('GET', path(app.app))).list).toEqual([])
    expect((await team('GET', path(app.app, '?mode=live'))).meta['count']).toBe(0)
    expect(refusal(await team('GET', path(app.app, '?mode=other')))).toEqual([400, 'invalid_request'])
  })

  test('400 for the cursor of another list: of the other world, of another app, or of the API', async () => {
    const member = await stage.teammate(partner)
    const other = await stage.partner({ organization: partner.organization })
    for (let count = 0; count < 2; count++) await installed()
    const team = await stage.signedIn(member)
    const { meta } = await team('GET', path(partner.app, '?mode=test&per_page=1'))
    const cursor = `cursor=${meta['next_cursor']}`
    expect((await team('GET', path(partner.app, `?mode=test&${cursor}`))).status).toBe(200)
    const api = await stage.as(partner, member)
    const own = (await api('GET', '/installations?per_page=1')).meta['next_cursor']
    const rejected = [
      await team('GET', path(partner.app, `?mode=live&${cursor}`)),
      await team('GET', path(partner.app, `?${cursor}`)),
      await team('GET', path(other.app, `?mode=test&${cursor}`)),
      await api('GET', `/installations?${cursor}`),
      await team('GET', path(partner.app, `?mode=test&cursor=${own}`)),
    ]
    expect(rejected.map(refusal)).toEqual(rejected.map(() => [400, 'invalid_request']))
    expect((await api('GET', `/installations?cursor=${own}`)).status).toBe(200)
  })

  test('DELETE revokes with the role partner in either world; the app’s history has an entry', async () => {
    for (const world of ['test', 'live'] as const) {
      const app = await stage.partner({ world })
      const { data, token } = await installed(app, await stage.person(world))
      const member = await stage.teammate(app)
      const team = await stage.signedIn(member)
      const response = await team('DELETE', path(app.app, `/${data.id}`))
      expect([response.status, response.data]).toMatchObject([
        200,
        { status: 'revoked', revoked_by: { role: 'partner' } },
      ])
      expect(await accepted(stage.db, [token.access_token])).toBe(0)
      expect((await team('DELETE', path(app.app, `/${data.id}`))).data).toEqual(response.data)
      expect(await auditOf(app.app, data.id)).toEqual([
        { actor: member.account, action: 'installation.revoked', details: { installation: data.id, mode: world } },
      ])
    }
  })

  test('404 for people outside the team, for another app’s installation, and for an unknown id', async () => {
    const { data } = await installed()
    const stranger = await stage.signedIn(founder)
    expect(refusal(await stranger('GET', path(partner.app, '?mode=test')))).toEqual([404, 'not_found'])
    expect(refusal(await stranger('DELETE', path(partner.app, `/${data.id}`)))).toEqual([404, 'not_found'])
    const other = await stage.partner()
    const team = await stage.signedIn(await stage.teammate(other))
    expect(refusal(await team('DELETE', path(other.app, `/${data.id}`)))).toEqual([404, 'not_found'])
    expect(refusal(await team('DELETE', path(other.app, `/${newId('installation')}`)))).toEqual([404, 'not_found'])
    expect(refusal(await team('GET', path(partner.app)))).toEqual([404, 'not_found'])
  })

  test('401 for a bearer token, which is not a sign-in', async () => {
    const send = await stage.as(partner, founder)
    expect(refusal(await send('GET', path(partner.app)))).toEqual([401, 'invalid_token'])
  })

  test('401 for a browser that is not signed in, and the installation stays', async () => {
    const { data } = await installed()
    const signedOut = stage.signedOut()
    expect(refusal(await signedOut('GET', path(partner.app, '?mode=test')))).toEqual([401, 'invalid_token'])
    expect(refusal(await signedOut('DELETE', path(partner.app, `/${data.id}`)))).toEqual([401, 'invalid_token'])
    expect((await stage.operator()('GET', `/platform/installations/${data.id}`)).data).toEqual(data)
  })
})
