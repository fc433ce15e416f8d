import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEvents, wholeData } from '#events/index.ts'
import {
  type ApiResponse,
  type ApiStage,
  GRANTED,
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
const eventsOf = async (id: string) => {
  const rows = await stage.db.sql<{ id: string }>('select id from test.events where installation_id = $1', [id])
  const events = await findEvents(stage.db.databases.test.reads, rows.map((row) => row.id) as never)
  return events.map((event) => ({ event: event.name, data: wholeData(event) }))
}

describe('POST /installations', () => {
  test('201 with the record, a token and meta; the event has the same data', async () => {
    const company = await stage.company({ founder }, 'Brightkiln')
    const { status, data, token, meta } = await install(send, company)
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.stringMatching(/^inst_[0-9A-Za-z]{24}$/),
      status: 'active',
      target: { type: 'company', id: company, name: 'Brightkiln' },
      tier: 'founder',
      scopes: GRANTED,
      installed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      installed_by: { role: 'founder' },
    })
    expect(token).toEqual({
      access_token: expect.stringMatching(/^at_test_/),
      token_type: 'Bearer',
      expires_in: 7200,
      scope: GRANTED.join(' '),
      installation: data.id,
      created_at: expect.any(Number),
    })
    expect(meta).toEqual({})
    expect(await eventsOf(data.id)).toEqual([
      { event: 'installation.created', data: { ...data, occurred_at: data['installed_at'] } },
    ])
  })

  test('the token works at once, within its scopes, and only for its own installation', async () => {
    const [one, other] = [await stage.company({ founder }), await stage.company({ founder })]
    const { data, token } = await install(send, one, { scopes: ['read:installations'] })
    const elsewhere = await install(send, other)
    const mine = stage.bearer(token.access_token)
    expect((await mine('GET', `/installations/${data.id}`)).data).toEqual(data)
    expect((await mine('GET', '/installations')).list).toEqual([data])
    expect(refusal(await mine('GET', `/installations/${elsewhere.data.id}`))).toEqual([404, 'not_found'])
    const rejected = await mine('DELETE', `/installations/${data.id}`)
    expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
    expect(rejected.error.remediation).toContain('write:installations')
  })

  test('201 for a syndicate’s manager; the tier is always manager', async () => {
    const syndicate = await stage.syndicate(founder, { name: 'Lakeshore Angels' })
    const { status, data } = await install(send, syndicate)
    expect(status).toBe(201)
    expect(data).toMatchObject({
      target: { type: 'syndicate', id: syndicate, name: 'Lakeshore Angels' },
      tier: 'manager',
      installed_by: { role: 'manager' },
    })
  })

  test('the time of the app’s first installation is recorded, so that the app cannot be deleted', async () => {
    const [row] = await stage.db.sql<{ noted: boolean }>(
      'select first_installed_at is not null as noted from platform.apps where id = $1',
      [partner.app],
    )
    expect(row?.noted).toBe(true)
  })

  test('a repeated request with the same Idempotency-Key creates no second installation and returns the same token', async () => {
    const company = await stage.company({ founder })
    const body = { target_type: 'company', target_id: company }
    const once = await send('POST', '/installations', body, { 'idempotency-key': company })
    const again = await send('POST', '/installations', body, { 'idempotency-key': company })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect([again.data, again.token]).toEqual([once.data, once.token])
  })
})

describe('the granted scopes', () => {
  test('are those that are both requested and declared, in the catalogue’s order; other names are dropped silently', async () => {
    const company = await stage.company({ founder })
    const { data, token } = await install(send, company, {
      scopes: ['write:syndicates', 'read:companies', 'read:webhooks', 'read:nonsense', 'read:referral_codes'],
    })
    expect(data.scopes).toEqual(['read:companies', 'write:syndicates'])
    expect(token.scope).toBe('read:companies write:syndicates')
  })

  test.each([
    ['only scopes that the app does not declare', ['read:webhooks'], 'read:webhooks is not declared by the app'],
    ['only unknown scopes', ['read:nonsense'], 'read:nonsense is not a scope'],
  ])('422 nothing_grantable if the request names %s', async (_, scopes, words) => {
    const company = await stage.company({ founder })
    const response = await install(send, company, { scopes })
    expect(refusal(response)).toEqual([422, 'nothing_grantable'])
    expect(response.error.message).toContain(words)
    expect(response.error).toMatchObject({ details: { scopes } })
    expect((await install(send, company)).status).toBe(201)
  })

  test('201 for an empty list: no scope is granted', async () => {
    const { status, data, token } = await install(send, await stage.company({ founder }), { scopes: [] })
    expect([status, data.scopes, token.scope]).toEqual([201, [], ''])
    expect((await stage.bearer(token.access_token)('GET', `/installations/${data.id}`)).status).toBe(403)
  })

  test('422 if the app declares no scope that an editor can grant', async () => {
    const poor = await stage.partner({ scopes: ['write:installations', 'read:referral_codes'] })
    const editor = await stage.person()
    const response = await install(await stage.as(poor, editor), await stage.company({ editor }))
    expect(refusal(response)).toEqual([422, 'nothing_grantable'])
  })

  test('lack the write scopes that an editor requested', async () => {
    const editor = await stage.person()
    const company = await stage.company({ editor })
    const { status, data, token } = await install(await stage.as(partner, editor), company, {
      scopes: ['read:companies', 'write:syndicates', 'write:installations'],
    })
    expect(status).toBe(201)
    expect(data).toMatchObject({ tier: 'editor', scopes: ['read:companies'], installed_by: { role: 'founder' } })
    expect(token.scope).toBe('read:companies')
  })

  test('include a retired name that the app declares', async () => {
    const old = await stage.partner({ scopes: ['write:installations', 'read:offerings'] })
    const { data, token } = await install(await stage.as(old, founder), await stage.company({ founder }), {
      scopes: ['read:offerings'],
    })
    expect([data.scopes, token.scope]).toEqual([['read:offerings'], 'read:offerings'])
  })

  test('include an alias under its own name, if the app declares only its replacement', async () => {
    const { data, token } = await install(send, await stage.company({ founder }), { scopes: ['read:offerings'] })
    expect([data.scopes, token.scope]).toEqual([['read:offerings'], 'read:offerings'])
  })

  test('include read:public only in the token’s scope and only if requested; it is not stored or counted', async () => {
    const scopes = ['read:public', 'read:companies']
    const { data, token } = await install(send, await stage.company({ founder }), { scopes })
    expect([data.scopes, token.scope]).toEqual([['read:companies'], 'read:public read:companies'])
    const alone = await install(send, await stage.company({ founder }), { scopes: ['read:public'] })
    expect([alone.status, alone.data.scopes, alone.token.scope]).toEqual([201, [], 'read:public'])
    const plain = await install(send, await stage.company({ founder }), { scopes: ['read:companies'] })
    expect(plain.token.scope).toBe('read:companies')
  })

  test('include read:attribution:full only if a founder lists the scope and the app has the scope through its program', async () => {
    const full = 'read:attribution:full'
    const gated = await stage.partner({ scopes: ['write:installations', 'read:companies', full] })
    const by = await stage.as(gated, founder)
    const scopesOf = async (more: object) =>
      (await install(by, await stage.company({ founder }), more)).data.scopes.includes(full)
    expect(await scopesOf({ scopes: ['read:companies', full] })).toBe(true)
    expect(await scopesOf({})).toBe(false)
    expect(await scopesOf({ scopes: ['read:companies', full], tier: 'admin' })).toBe(false)
    const { data } = await install(send, await stage.company({ founder }), { scopes: ['read:companies', full] })
    expect(data.scopes).not.toContain(full)
  })
})

describe('investor PII per install', () => {
  const PII = 'read:investors:pii'
  const scopes = ['read:companies', PII]

  test('if the app is not approved for PII, a person outside its team grants all requested scopes except investor PII', async () => {
    const { data, token } = await install(send, await stage.company({ founder }), { scopes })
    expect([data.scopes, token.scope]).toEqual([['read:companies'], 'read:companies'])
  })

  test.each(['owner', 'admin', 'developer'] as const)(
    'a team’s %s grants investor PII without review',
    async (role) => {
      const teammate = await stage.teammate(partner, role)
      const { data } = await install(await stage.as(partner, teammate), await stage.company({ editor: teammate }), {
        scopes,
      })
      expect(data.scopes).toEqual(scopes)
      // A person with a role at the target and a role on the team acts for the target.
      expect(data['installed_by']).toEqual({ role: 'founder' })
    },
  )

  test('the installation records the basis of the PII grant: `team` for an installer on the team, even if the app is approved; else `approval`', async () => {
    const app = await stage.partner({ piiApproved: true })
    const teammate = await stage.teammate(app)
    const restsOn = async (person: Person, target: string, more: object = { scopes }) => {
      const { data } = await install(await stage.as(app, person), target, more)
      const rows = await stage.db.sql<{ by: string | null }>(
        'select pii_by as by from test.installations where id = $1',
        [data.id],
      )
      return rows[0]?.by
    }
    expect(await restsOn(teammate, await stage.company({ editor: teammate }))).toBe('team')
    expect(await restsOn(founder, await stage.company({ founder }))).toBe('approval')
    expect(await restsOn(founder, await stage.company({ founder }), { scopes: ['read:companies'] })).toBeNull()
    expect(await restsOn(founder, await stage.syndicate(founder))).toBeNull()
  })

  test('a later approval adds no scope until the app is installed again', async () => {
    const app = await stage.partner()
    const by = await stage.as(app, founder)
    const company = await stage.company({ founder })
    const { data } = await install(by, company, { scopes })
    await stage.db.sql('update platform.apps set pii_approved_at = now() where id = $1', [app.app])
    expect((await by('GET', `/installations/${data.id}`)).data.scopes).toEqual(['read:companies'])
    expect((await by('POST', `/installations/${data.id}/tokens`, { scopes })).token.scope).toBe('read:companies')
    await by('DELETE', `/installations/${data.id}`)
    expect((await install(by, company, { scopes })).data.scopes).toEqual(scopes)
  })

  test('an installation on a syndicate gets the scope without approval', async () => {
    const { data } = await install(send, await stage.syndicate(founder), { scopes })
    expect(data.scopes).toEqual(scopes)
  })
})

describe('the tier of an installation', () => {
  test('a lower tier may be requested; 403 for a higher tier, 422 for a tier of another target type', async () => {
    const admin = await stage.person()
    const by = await stage.as(partner, admin)
    const company = await stage.company({ admin })
    const higher = await install(by, company, { tier: 'founder' })
    expect(refusal(higher)).toEqual([403, 'forbidden'])
    const other = await install(by, company, { tier: 'manager' })
    expect([refusal(other), fieldsOf(other)]).toMatchObject([[422, 'validation_error'], [{ field: 'tier' }]])
    const lower = await install(by, company, { tier: 'editor' })
    expect([lower.data.tier, lower.data.scopes.some((name) => name.startsWith('write:'))]).toEqual(['editor', false])
  })

  test('the tier is the highest of several roles; on a syndicate only manager is valid', async () => {
    const company = await stage.company({ employee: founder, editor: founder, admin: founder })
    expect((await install(send, company)).data.tier).toBe('admin')
    const syndicate = await stage.syndicate(founder)
    expect(refusal(await install(send, syndicate, { tier: 'founder' }))).toEqual([422, 'validation_error'])
    expect((await install(send, syndicate, { tier: 'manager' })).status).toBe(201)
  })

  test.each(['owner', 'full_access', '', 'user', null, 3])(
    '422 for %j, which is not a tier, with one error',
    async (tier) => {
      const response = await install(send, await stage.company({ founder }), { tier })
      expect(refusal(response)).toEqual([422, 'validation_error'])
      expect(fieldsOf(response)).toEqual([
        { field: 'tier', code: 'invalid_choice', message: 'must be one of: founder, admin, editor, manager' },
      ])
    },
  )
})

describe('409 already_installed', () => {
  test('the error contains the installation’s id; after its revocation a new installation gets a new id', async () => {
    const company = await stage.company({ founder })
    const first = await install(send, company)
    const second = await install(send, company, { scopes: [] })
    expect(refusal(second)).toEqual([409, 'already_installed'])
    expect(second.error.details).toEqual({ installation: first.data.id })
    await send('DELETE', `/installations/${first.data.id}`)
    const third = await install(send, company)
    expect(third.status).toBe(201)
    expect(third.data.id).not.toBe(first.data.id)
  })

  test('another app may be installed on the same company, and this app on another target', async () => {
    const [company, syndicate] = [await stage.company({ founder }), await stage.syndicate(founder)]
    const other = await stage.as(await stage.partner(), founder)
    const responses = [await install(send, company), await install(other, company), await install(send, syndicate)]
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
  })
})
