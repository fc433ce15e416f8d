import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aClientToken, advance } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { endRole, setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
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

const refusal = ({ status, error }: ApiResponse) => [status, error?.type]
const mint = (by: Send, id: string, body?: unknown) => by('POST', `/installations/${id}/tokens`, body)

async function installed(target?: string, more: object = {}) {
  const target_id = target ?? (await stage.company({ founder }))
  const target_type = target_id.startsWith('syn_') ? 'syndicate' : 'company'
  const { data } = await send('POST', '/installations', { target_type, target_id, ...more })
  return data
}
const works = async (token: string, id: string) => (await stage.bearer(token)('GET', `/installations/${id}`)).status

describe('POST /installations/{id}/tokens', () => {
  test('201 with the record and a token of the full grant, if the request has no body', async () => {
    const data = await installed()
    const response = await mint(send, data.id)
    expect(response.status).toBe(201)
    expect(response.data).toEqual(data)
    expect(response.token).toMatchObject({
      token_type: 'Bearer',
      expires_in: 7200,
      scope: GRANTED.join(' '),
      installation: data.id,
    })
    expect(await works(response.token.access_token, data.id)).toBe(200)
  })

  test('the token has the scopes that are requested and that the installation has', async () => {
    const data = await installed(undefined, { scopes: ['read:companies', 'write:syndicates'] })
    const scopes = ['read:syndicates', 'read:companies', 'read:installations', 'read:nonsense']
    expect((await mint(send, data.id, { scopes })).token.scope).toBe('read:companies read:syndicates')
    expect((await mint(send, data.id, {})).token.scope).toBe('read:companies write:syndicates')
  })

  test('an empty list gives a token without scopes; operations that need a scope reject it', async () => {
    const data = await installed()
    const { status, token } = await mint(send, data.id, { scopes: [] })
    expect([status, token.scope]).toEqual([201, ''])
    const rejected = await stage.bearer(token.access_token)('GET', `/installations/${data.id}`)
    expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
    expect(rejected.error.remediation).toContain('mint a token that requests it')
  })

  test('the token is valid for two hours of the world’s time', async () => {
    const data = await installed()
    const { token } = await mint(send, data.id)
    await advance(stage.db, '119 minutes')
    expect(await works(token.access_token, data.id)).toBe(200)
    await advance(stage.db, '2 minutes')
    expect(await works(token.access_token, data.id)).toBe(401)
    send = await stage.as(partner, founder)
  })

  test('201 for every person who could revoke the installation: an editor of the company, the app’s team', async () => {
    const editor = await stage.person()
    const data = await installed(await stage.company({ founder, editor }))
    expect((await mint(await stage.as(partner, editor), data.id)).status).toBe(201)
    const teammate = await stage.as(partner, await stage.teammate(partner))
    expect((await mint(teammate, data.id)).status).toBe(201)
  })

  test('a person who acts for the company gets the scopes that they could grant now, no matter who installed the app', async () => {
    const full = 'read:attribution:full'
    const app = await stage.partner({ scopes: ['read:companies', 'write:syndicates', 'write:installations', full] })
    const [admin, editor] = [await stage.person(), await stage.person()]
    const target_id = await stage.company({ founder, admin, editor })
    const by = await stage.as(app, founder)
    const scopes = ['read:companies', 'write:installations', 'write:syndicates', full]
    const { data } = await by('POST', '/installations', { target_type: 'company', target_id, scopes })
    const scopeOf = async (person: Person, body?: unknown) =>
      (await mint(await stage.as(app, person), data.id, body)).token.scope
    expect(await scopeOf(founder)).toBe(scopes.join(' '))
    expect(await scopeOf(admin)).toBe('read:companies write:installations write:syndicates')
    expect(await scopeOf(editor)).toBe('read:companies')
    expect(await scopeOf(editor, { scopes: [...scopes, 'read:syndicates'] })).toBe('read:companies read:syndicates')
    // The app's team gets the scopes that the company granted. A person with both roles acts for the company.
    expect(await scopeOf(await stage.teammate(app))).toBe(scopes.join(' '))
    const both = await stage.teammate(app)
    await stage.arrange((tx) => setRole(tx, { company: target_id, user: both.user, role: 'editor' }, occasionAt()))
    expect(await scopeOf(both)).toBe('read:companies')
    // The person's current role counts, not the role with which they installed the app.
    await stage.arrange((tx) => setRole(tx, { company: target_id, user: founder.user, role: 'editor' }, occasionAt()))
    await stage.arrange((tx) => endRole(tx, { company: target_id, user: founder.user, role: 'founder' }, occasionAt()))
    expect(await scopeOf(founder)).toBe('read:companies')
  })

  test('an editor’s token has no write scope; 422 if the editor requests only write scopes', async () => {
    const editor = await stage.person()
    const data = await installed(await stage.company({ founder, editor }))
    const by = await stage.as(partner, editor)
    const { token } = await mint(by, data.id, { scopes: ['write:installations', 'read:companies'] })
    expect(token.scope).toBe('read:companies')
    expect(await works(token.access_token, data.id)).toBe(403)
    expect(refusal(await mint(by, data.id, { scopes: ['write:installations'] }))).toEqual([422, 'nothing_grantable'])
  })

  test('an editor’s token cannot revoke the installation', async () => {
    const editor = await stage.person()
    const data = await installed(await stage.company({ founder, editor }))
    const { token } = await mint(await stage.as(partner, editor), data.id)
    expect(token.scope).toContain('read:installations')
    const rejected = await stage.bearer(token.access_token)('DELETE', `/installations/${data.id}`)
    expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
    expect(await works(token.access_token, data.id)).toBe(200)
  })

  test('422 nothing_grantable if none of the named scopes can be granted; 201 for an empty list', async () => {
    const data = await installed(await stage.company({ founder }))
    for (const scopes of [['read:nonsense'], ['read:webhooks', 'read:explore']]) {
      expect(refusal(await mint(send, data.id, { scopes }))).toEqual([422, 'nothing_grantable'])
    }
    const nothing = await mint(send, data.id, { scopes: [] })
    expect([nothing.status, nothing.token.scope]).toEqual([201, ''])
  })

  test('an alias of a scope that the installation has is granted under its own name', async () => {
    const data = await installed(await stage.company({ founder }))
    expect((await mint(send, data.id, { scopes: ['read:offerings'] })).token.scope).toBe('read:offerings')
  })

  test('the token’s scope names read:public only if it was requested', async () => {
    const data = await installed(await stage.company({ founder }))
    const scopeOf = async (scopes?: readonly string[]) => (await mint(send, data.id, { scopes })).token.scope
    expect(await scopeOf(['read:public'])).toBe('read:public')
    expect(await scopeOf(['read:companies', 'read:public'])).toBe('read:public read:companies')
    expect(await scopeOf(['read:companies'])).toBe('read:companies')
    expect(await scopeOf()).not.toContain('read:public')
  })

  test('404 for a stranger, 403 for the installer after their role has ended', async () => {
    const company = await stage.company({ founder })
    const data = await installed(company)
    const stranger = await stage.as(partner, await stage.person())
    expect(refusal(await mint(stranger, data.id))).toEqual([404, 'not_found'])
    await stage.arrange((tx) => endRole(tx, { company, user: founder.user, role: 'founder' }, occasionAt()))
    expect(refusal(await mint(send, data.id))).toEqual([403, 'forbidden'])
  })

  test('404 through another app or from the other world, 403 without the scope', async () => {
    const data = await installed()
    const other = await stage.as(await stage.partner(), founder)
    expect(refusal(await mint(other, data.id))).toEqual([404, 'not_found'])
    const live = await stage.as(await stage.partner({ world: 'live' }), await stage.person('live'))
    expect(refusal(await mint(live, data.id))).toEqual([404, 'not_found'])
    const reader = await stage.as(partner, founder, ['read:installations'])
    expect(refusal(await mint(reader, data.id))).toEqual([403, 'insufficient_scope'])
    send = await stage.as(partner, founder)
  })

  test('403 for an installation token, even the installation’s own, and for the app’s own credentials', async () => {
    const data = await installed()
    const { token } = await mint(send, data.id)
    expect(refusal(await mint(stage.bearer(token.access_token), data.id))).toEqual([403, 'forbidden'])
    const client = await aClientToken(stage.db, partner)
    expect(refusal(await mint(stage.bearer(client.accessToken), data.id))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await mint(stage.bearer(partner.keyId), data.id))).toEqual([403, 'insufficient_scope'])
  })

  test('409 installation_revoked for a revoked installation; 404 for an unknown id', async () => {
    const data = await installed()
    await send('DELETE', `/installations/${data.id}`)
    expect(refusal(await mint(send, data.id))).toEqual([409, 'installation_revoked'])
    expect(refusal(await mint(send, newId('installation')))).toEqual([404, 'not_found'])
    await advance(stage.db, '31 days')
    send = await stage.as(partner, founder)
    expect(refusal(await mint(send, data.id))).toEqual([409, 'installation_revoked'])
    const stranger = await stage.as(partner, await stage.person())
    expect(refusal(await mint(stranger, data.id))).toEqual([404, 'not_found'])
  })

  test('new tokens lack a scope that was removed from the app', async () => {
    const app = await stage.partner()
    const by = await stage.as(app, founder)
    const company = await stage.company({ founder })
    const { data } = await by('POST', '/installations', { target_type: 'company', target_id: company })
    // Only the key loses the scope here, not the installation, because minting must also check the key's scopes.
    await stage.db.sql(`update platform.app_keys set scopes = '{read:companies,write:installations}' where id = $1`, [
      app.keyId,
    ])
    expect((await mint(by, data.id)).token.scope).toBe('read:companies read:installations write:installations')
  })
})

describe('a user’s own connection', () => {
  test('gives no scope that the user token in the request lacks, so a narrowed token cannot be widened', async () => {
    const person = await stage.person()
    const narrowed = await stage.as(partner, person)
    const [connection] = await stage.db.sql<{ id: string }>(
      `update test.installations set scopes = '{read:companies,write:installations}'
        where app_id = $1 and user_id = $2 and state = 'active' returning id`,
      [partner.app, person.user],
    )
    expect((await mint(narrowed, String(connection?.id))).token.scope).toBe('write:installations')
    const listed = await mint(narrowed, String(connection?.id), { scopes: ['read:companies', 'read:installations'] })
    expect(listed.token.scope).toBe('read:installations')
  })

  test('gives an installation token to the user, and to no member of the app’s team', async () => {
    const rows = await stage.db.sql<{ id: string }>(
      `select id from test.installations where app_id = $1 and user_id = $2 and state = 'active'`,
      [partner.app, founder.user],
    )
    const id = String(rows[0]?.id)
    const { status, data, token } = await mint(send, id)
    expect([status, data.target['type'], token.scope]).toEqual([201, 'user', 'write:installations'])
    const teammate = await stage.as(partner, await stage.teammate(partner))
    const rejected = await mint(teammate, id)
    expect(refusal(rejected)).toEqual([403, 'forbidden'])
    expect(rejected.error.message).toContain('Only the user who connected the app')
  })
})

describe('never_expires: a syndicate’s API key', () => {
  test('201 for a manager of the syndicate: the token has no expires_in and never expires', async () => {
    const data = await installed(await stage.syndicate(founder))
    const { status, token } = await mint(send, data.id, { never_expires: true })
    expect([status, 'expires_in' in token]).toEqual([201, false])
    await advance(stage.db, '400 days')
    expect(await works(token.access_token, data.id)).toBe(200)
    send = await stage.as(partner, founder)
    await send('DELETE', `/installations/${data.id}`)
    expect(await works(token.access_token, data.id)).toBe(401)
  })

  test('422 for an installation on a company, and for the app’s team, who do not manage the syndicate', async () => {
    const onCompany = await installed()
    const onSyndicate = await installed(await stage.syndicate(founder))
    const teammate = await stage.as(partner, await stage.teammate(partner))
    for (const [by, { id }] of [
      [send, onCompany],
      [teammate, onSyndicate],
    ] as const) {
      const response = await mint(by, id, { never_expires: true })
      expect(refusal(response)).toEqual([422, 'validation_error'])
      expect(response.error.details?.['fields']).toMatchObject([{ field: 'never_expires', code: 'not_allowed' }])
    }
    expect((await mint(teammate, onSyndicate.id, { never_expires: false })).token.expires_in).toBe(7200)
  })
})
