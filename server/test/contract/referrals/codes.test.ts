import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { clientCredentials, consent } from '../flow.ts'
import { refusalOf, type Send } from '../sender.ts'
import { type App, openStage, type Person, type Stage, type Team } from '../stage.ts'

/** "The app's own referral codes (create, rename, pause, read counts); held by the app's server key only." */

const QUOTA = 12
const SCOPES = ['read:referral_codes', 'write:referral_codes', 'read:profile']

let stage: Stage
let person: Person
/** One team for all apps, because sign-up and sign-in take longer than most tests. */
let team: Team
beforeAll(async () => {
  const environment = { PORTICO_LIMITS: 'off', PORTICO_REFERRAL_CODES_MAX: String(QUOTA) }
  stage = await openStage({ environment })
  person = await stage.person()
  team = await stage.team()
})
afterAll(() => stage.close())

type Partner = { readonly app: App; readonly send: Send; readonly read: Send }

async function partner(scopes = SCOPES): Promise<Partner> {
  const app = await stage.app({ scopes, approved: true, team })
  const as = async (scope?: string) => stage.api((await clientCredentials(stage, app.key, scope)).access_token)
  return { app, send: await as(), read: await as('read:referral_codes') }
}

let counted = 0
const aCode = () => `spring-${++counted}-${newId('request').slice(-8)}`
const PATH = '/referral_codes'

describe('POST /referral_codes', () => {
  test('201 with the code as the app wrote it, active, and without counts before a week is published', async () => {
    const { send } = await partner()
    const code = `Spring-26-${newId('request').slice(-6)}`
    const made = await send('POST', PATH, { code, name: 'Spring newsletter' })
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      id: expect.stringMatching(/^rc_[0-9A-Za-z]{24}$/),
      type: 'referral_code',
      attributes: {
        ...{ code, name: 'Spring newsletter', status: 'active', counts: null },
        created_at: expect.stringMatching(/\.\d{6}Z$/),
        updated_at: made.data.attributes['created_at'],
      },
    })
    expect((await send('GET', `${PATH}/${made.data.id}`)).data).toEqual(made.data)
  })

  test('creates a code if none is given, and uses the code as its name', async () => {
    const { send } = await partner()
    const { status, data } = await send('POST', PATH)
    expect(status).toBe(201)
    expect(data.attributes['code']).toMatch(/^[b-z2-9]{10}$/)
    expect(data.attributes['name']).toBe(data.attributes['code'])
  })

  test.each([
    ['ab', 'too short'],
    ['a'.repeat(33), 'too long'],
    ['spring 26', 'a space'],
    ['spring_26', 'an underscore'],
    ['-spring', 'a hyphen in front'],
    ['spring--26', 'two hyphens'],
    ['frühling', 'a letter that is not ASCII'],
    ['a%20b', 'a percent sign'],
    ['support', 'reserved'],
    ['NULL', 'reserved, in upper or lower case'],
    ['Wefunder', 'the platform’s name'],
  ])('422 for %s: %s', async (code) => {
    const { send } = await partner()
    const { status, error } = await send('POST', PATH, { code })
    expect([status, error.type]).toEqual([422, 'validation_error'])
    expect(error.details).toMatchObject({ fields: [{ field: 'code' }] })
    expect((await send('GET', PATH)).list).toEqual([])
  })

  test.each([[''], ['a\nb'], ['x'.repeat(101)], [7]])('422 for the name %j, and for unknown fields', async (name) => {
    const { send } = await partner()
    expect(refusalOf(await send('POST', PATH, { code: aCode(), name }))).toBe('422 validation_error')
    expect(refusalOf(await send('POST', PATH, { code: aCode(), state: 'paused' }))).toBe('422 validation_error')
  })

  test('422 for a code that any app has, in upper or lower case, but not for a code of the other world', async () => {
    const [one, other] = [await partner(), await partner()]
    const code = aCode()
    await one.send('POST', PATH, { code })
    for (const { send } of [one, other]) {
      const { error } = await send('POST', PATH, { code: code.toUpperCase() })
      expect(error.details).toEqual({ fields: [{ field: 'code', code: 'taken', message: expect.any(String) }] })
    }
    const live = await stage.keyOf(other.app, { world: 'live' })
    const inLive = stage.api((await clientCredentials(stage, live)).access_token)
    const made = await inLive('POST', PATH, { code })
    expect(made.status).toBe(201)
    // "An id of one world is unknown in the other."
    expect(refusalOf(await other.send('GET', `${PATH}/${made.data.id}`))).toBe('404 not_found')
  })

  test('422 beyond the quota, which includes paused codes, and only one of several simultaneous requests gets the last place', async () => {
    const { send } = await partner()
    for (let each = 1; each < QUOTA; each += 1) await send('POST', PATH, { code: aCode() })
    const [paused] = (await send('GET', PATH)).list
    await send('PATCH', `${PATH}/${paused?.id}`, { status: 'paused' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', PATH, { code: aCode() })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422])
    const { error } = await send('POST', PATH)
    expect(error.details).toMatchObject({ fields: [{ code: 'quota_reached' }] })
    const { list, meta } = await send('GET', `${PATH}?per_page=100`)
    expect([list.length, meta['quota']]).toEqual([QUOTA, QUOTA])
  })

  test('exactly one of ten simultaneous requests for one code gets the code', async () => {
    const partners = [await partner(), await partner()]
    const code = aCode()
    const tries = partners.flatMap(({ send }) => Array.from({ length: 5 }, () => send('POST', PATH, { code })))
    const answers = (await Promise.all(tries)).map(({ status }) => status)
    expect(answers.filter((status) => status === 201)).toHaveLength(1)
    expect(answers.filter((status) => status === 422)).toHaveLength(9)
  })

  test('a code of a deleted app stays taken, so no other app gets it', async () => {
    const deleted = await stage.app({ scopes: SCOPES, team })
    const send = stage.api((await clientCredentials(stage, deleted.key)).access_token)
    const code = aCode()
    expect((await send('POST', PATH, { code })).status).toBe(201)
    expect(
      (await team.owner.portal('DELETE', `/portal/api/apps/${deleted.id}`, { name: 'Fieldbook CRM' })).status,
    ).toBe(204)
    expect(refusalOf(await (await partner()).send('POST', PATH, { code }))).toBe('422 validation_error')
  })

  test('a repeat with the same Idempotency-Key creates no second code', async () => {
    const { send } = await partner()
    const headers = { 'idempotency-key': 'again' }
    const [one, two] = [await send('POST', PATH, {}, headers), await send('POST', PATH, {}, headers)]
    expect([two.status, two.data, two.headers.get('idempotent-replayed')]).toEqual([201, one.data, 'true'])
  })
})

describe('callers', () => {
  test('with a user token, a publishable key or a token without the scope are rejected', async () => {
    const { app, send } = await partner([...SCOPES, 'read:companies'])
    const { data } = await send('POST', PATH, { code: aCode() })
    const user = stage.api((await consent(stage, app.key, person, { scope: 'read:profile' })).access_token)
    const publishable = stage.api(app.key.clientId)
    const bare = stage.api((await clientCredentials(stage, app.key, 'read:public')).access_token)
    for (const each of [user, publishable, bare]) {
      for (const [method, path, body] of [
        ['GET', PATH, undefined],
        ['POST', PATH, { code: aCode() }],
        ['GET', `${PATH}/${data.id}`, undefined],
        ['PATCH', `${PATH}/${data.id}`, { status: 'paused' }],
      ] as const) {
        const answer = await each(method, path, body)
        expect(refusalOf(answer), `${method} ${path}`).toBe('403 insufficient_scope')
      }
    }
    // The rejected PATCH requests did not pause the code.
    expect((await send('GET', `${PATH}/${data.id}`)).data.attributes['status']).toBe('active')
  })

  test('with read:referral_codes alone can read but not change', async () => {
    const { send, read } = await partner()
    const { data } = await send('POST', PATH, { code: aCode() })
    expect((await read('GET', `${PATH}/${data.id}`)).status).toBe(200)
    expect(refusalOf(await read('POST', PATH, { code: aCode() }))).toBe('403 insufficient_scope')
    expect(refusalOf(await read('PATCH', `${PATH}/${data.id}`, { name: 'x' }))).toBe('403 insufficient_scope')
  })

  test('whose app does not declare the scope get the advice to declare it', async () => {
    const { app } = await partner(['read:profile'])
    const send = stage.api((await clientCredentials(stage, app.key)).access_token)
    expect((await send('GET', PATH)).error.remediation).toContain('declares')
  })

  test('get 404 for another app’s code, as for an unknown code, and nothing changes', async () => {
    const [one, other] = [await partner(), await partner()]
    const { data } = await one.send('POST', PATH, { code: aCode(), name: 'Mine' })
    for (const id of [data.id, newId('referralCode')]) {
      expect(refusalOf(await other.send('GET', `${PATH}/${id}`))).toBe('404 not_found')
      expect(refusalOf(await other.send('PATCH', `${PATH}/${id}`, { name: 'Yours' }))).toBe('404 not_found')
    }
    expect((await one.send('GET', `${PATH}/${data.id}`)).data).toEqual(data)
    expect((await other.send('GET', PATH)).list).toEqual([])
  })
})

describe('GET /referral_codes', () => {
  test('lists the app’s own codes page by page, and answers 400 for a changed cursor or another app’s cursor', async () => {
    const [{ send }, other] = [await partner(), await partner()]
    const made: string[] = []
    for (let each = 0; each < 5; each += 1) made.unshift((await send('POST', PATH, { code: aCode() })).data.id)
    const seen: string[] = []
    let cursor = ''
    for (let more = true; more; ) {
      const { list, meta } = await send('GET', `${PATH}?per_page=2${cursor}`)
      seen.push(...list.map(({ id }) => id))
      more = meta['has_more'] === true
      if (more) cursor = `&cursor=${meta['next_cursor']}`
    }
    // Ids of one millisecond have no order.
    expect(seen.toSorted()).toEqual(made.toSorted())
    expect(refusalOf(await other.send('GET', `${PATH}?per_page=2${cursor}`))).toBe('400 invalid_request')
    expect(refusalOf(await send('GET', `${PATH}?per_page=2${cursor}A`))).toBe('400 invalid_request')
  })
})

describe('PATCH /referral_codes/{id}', () => {
  test('renames, pauses and resumes, and a repeat changes nothing', async () => {
    const { send } = await partner()
    const { data } = await send('POST', PATH, { code: aCode(), name: 'Before' })
    const at = `${PATH}/${data.id}`
    const renamed = await send('PATCH', at, { name: 'After' })
    expect(renamed.data.attributes).toMatchObject({ name: 'After', status: 'active' })
    const paused = await send('PATCH', at, { status: 'paused' })
    expect(paused.data.attributes).toMatchObject({ name: 'After', status: 'paused' })
    expect((await send('PATCH', at, { status: 'paused' })).data).toEqual(paused.data)
    expect((await send('PATCH', at, {})).data).toEqual(paused.data)
    const resumed = await send('PATCH', at, { status: 'active' })
    expect(resumed.data.attributes).toMatchObject({ status: 'active', code: data.attributes['code'] })
    const spans = await stage.service.db.sql<{ open: boolean }>(
      'select ended_at is null as open from test.referral_code_spans where code_id = $1 order by began_at',
      [data.id],
    )
    expect(spans.map(({ open }) => open)).toEqual([false, true])
  })

  test('answers 422 for another code, an unknown status, or an invalid name, and changes nothing', async () => {
    const { send } = await partner()
    const { data } = await send('POST', PATH, { code: aCode() })
    for (const body of [{ code: aCode() }, { status: 'deleted' }, { name: '' }, { name: null }]) {
      expect(refusalOf(await send('PATCH', `${PATH}/${data.id}`, body))).toBe('422 validation_error')
    }
    expect((await send('GET', `${PATH}/${data.id}`)).data).toEqual(data)
  })
})
