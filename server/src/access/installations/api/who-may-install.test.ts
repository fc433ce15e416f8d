import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { endRole } from '#market/companies/index.ts'
import { endManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeMembership } from '#test/syndicates.ts'
import {
  type ApiResponse,
  type ApiStage,
  openApiStage,
  type Partner,
  type Person,
  type Send,
} from '../testing/api-stage.ts'

let stage: ApiStage
let partner: Partner
let founder: Person
let send: Send
beforeAll(async () => {
  stage = await openApiStage()
  partner = await stage.partner()
  founder = await stage.person()
  send = await stage.as(partner, founder)
})
afterAll(() => stage.close())

const install = (by: Send, target_id: string, more: object = {}) =>
  by('POST', '/installations', {
    target_type: target_id.startsWith('syn_') ? 'syndicate' : 'company',
    target_id,
    ...more,
  })
const refusal = ({ status, error }: ApiResponse) => [status, error?.type]
const fieldsOf = ({ error }: ApiResponse) => error.details?.['fields']

describe('an installation is rejected', () => {
  test('403 for an employee, who may see the company', async () => {
    const employee = await stage.person()
    const company = await stage.company({ employee })
    const response = await install(await stage.as(partner, employee), company)
    expect(refusal(response)).toEqual([403, 'forbidden'])
    expect(response.error.remediation).toContain('founder, admin or editor')
  })

  test('403 for a person whose role has ended', async () => {
    const editor = await stage.person()
    const company = await stage.company({ editor })
    await stage.arrange((tx) => endRole(tx, { company, user: editor.user, role: 'editor' }, occasionAt()))
    expect(refusal(await install(await stage.as(partner, editor), company))).toEqual([403, 'forbidden'])
  })

  test('for a stranger: 403 if the company has a public offering, otherwise 404 as for an unknown company', async () => {
    const [hidden, seen] = [await stage.company(), await stage.company()]
    await stage.arrange((tx) => makeOffering(tx, { company: seen, listed: true }))
    expect(refusal(await install(send, seen))).toEqual([403, 'forbidden'])
    const [unknown, never] = [await install(send, hidden), await install(send, newId('company'))]
    expect([refusal(unknown), refusal(never)]).toEqual(Array(2).fill([404, 'not_found']))
    expect({ ...unknown.error, request_id: '' }).toEqual({ ...never.error, request_id: '' })
  })

  test('403 for an investor of the company, even if its offering is hidden from others', async () => {
    const [investor, other] = [await stage.person(), await stage.person()]
    const company = await stage.company({ founder })
    const offering = await stage.arrange((tx) => makeOffering(tx, { company, listed: false }))
    await stage.arrange((tx) => makeInvestment(tx, { offering, investor: investor.user }))
    expect(refusal(await install(await stage.as(partner, investor), company))).toEqual([403, 'forbidden'])
    expect(refusal(await install(await stage.as(partner, other), company))).toEqual([404, 'not_found'])
  })

  test('for another syndicate’s manager: 403 if the target is published or the manager is a member of the target, otherwise 404', async () => {
    const stranger = await stage.person()
    await stage.syndicate(stranger)
    const by = await stage.as(partner, stranger)
    const [hidden, published] = [await stage.syndicate(founder), await stage.syndicate(founder, { published: true })]
    expect(refusal(await install(by, published))).toEqual([403, 'forbidden'])
    expect(refusal(await install(by, hidden))).toEqual([404, 'not_found'])
    await stage.arrange((tx) => makeMembership(tx, { syndicate: hidden, user: stranger.user }))
    expect(refusal(await install(by, hidden))).toEqual([403, 'forbidden'])
  })

  test('403 for a former manager of the syndicate', async () => {
    const manager = await stage.person()
    const syndicate = await stage.syndicate(manager, { published: true })
    await stage.arrange((tx) => endManager(tx, { syndicateId: syndicate, userId: manager.user }))
    expect(refusal(await install(await stage.as(partner, manager), syndicate))).toEqual([403, 'forbidden'])
  })

  test('403 for a person outside the team of an unapproved app, but not for its own team', async () => {
    const unapproved = await stage.partner({ approved: false })
    const company = await stage.company({ founder })
    const response = await install(await stage.as(unapproved, founder), company)
    expect(refusal(response)).toEqual([403, 'forbidden'])
    expect(response.error.message).toContain('has not approved this app')
    const teammate = await stage.teammate(unapproved)
    const ours = await stage.company({ founder: teammate })
    expect((await install(await stage.as(unapproved, teammate), ours)).status).toBe(201)
  })

  test('403 for a member of another organization’s team, if the app is not approved', async () => {
    const unapproved = await stage.partner({ approved: false })
    const teammate = await stage.teammate(partner)
    const company = await stage.company({ founder: teammate })
    expect(refusal(await install(await stage.as(unapproved, teammate), company))).toEqual([403, 'forbidden'])
  })

  test('404 for a company of the other world', async () => {
    const company = await stage.company({ founder })
    const live = await stage.partner({ world: 'live' })
    const by = await stage.as(live, await stage.person('live'))
    expect(refusal(await install(by, company))).toEqual([404, 'not_found'])
  })

  test('401 for a token of a suspended or disabled app', async () => {
    for (const state of ['suspended', 'disabled'] as const) {
      const app = await stage.partner()
      const by = await stage.as(app, founder)
      const company = await stage.company({ founder })
      await stage.db.sql('update platform.app_keys set state = $2 where app_id = $1', [app.app, state])
      expect(refusal(await install(by, company))).toEqual([401, 'invalid_token'])
    }
  })

  test('403 insufficient_scope without the scope, with the next step', async () => {
    const response = await install(await stage.as(partner, founder, ['read:installations']), newId('company'))
    expect(refusal(response)).toEqual([403, 'insufficient_scope'])
    expect(response.headers.get('www-authenticate')).toContain('scope="write:installations"')
  })

  test('403 for a publishable key, a client-credentials token and an installation token', async () => {
    const company = await stage.company({ founder })
    const { token } = await install(send, await stage.company({ founder }))
    const client = await aClientToken(stage.db, partner)
    const codes = [partner.keyId, client.accessToken, token.access_token].map(async (bearer) =>
      refusal(await install(stage.bearer(bearer), company)),
    )
    expect(await Promise.all(codes)).toEqual([
      [403, 'insufficient_scope'],
      [403, 'insufficient_scope'],
      [403, 'forbidden'],
    ])
  })
})

describe('the body of the request', () => {
  test.each([
    [
      'target_type user, because a user connects by consent',
      { target_type: 'user', target_id: newId('user') },
      'target_type',
    ],
    ['no target', { target_type: 'company' }, 'target_id'],
    ['no target type', { target_id: newId('company') }, 'target_type'],
    ['scopes that are not a list', { target_type: 'company', target_id: newId('company'), scopes: 'read:x' }, 'scopes'],
    ['an unknown field', { target_type: 'company', target_id: newId('company'), colour: 'red' }, 'colour'],
  ])('422 for %s', async (_, body, field) => {
    const response = await send('POST', '/installations', body)
    expect(refusal(response)).toEqual([422, 'validation_error'])
    expect(fieldsOf(response)).toMatchObject([{ field }])
  })

  test('404 for an id of another type and for a malformed id', async () => {
    for (const target_id of [newId('syndicate'), 'co_1', 'x']) {
      const response = await send('POST', '/installations', { target_type: 'company', target_id })
      expect(refusal(response)).toEqual([404, 'not_found'])
    }
  })
})
