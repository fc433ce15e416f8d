import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted } from '#access/tokens/testing/stage.ts'
import { newClientId, newId } from '#kernel/ids.ts'
import { aKey } from '#test/apps.ts'
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
let team: Send
beforeAll(async () => {
  stage = await openApiStage()
  partner = await stage.partner()
  founder = await stage.person()
  team = await stage.signedIn(await stage.teammate(partner))
})
afterAll(() => stage.close())

const refusal = ({ status, error }: ApiResponse) => [status, error?.type]
const path = (app: string, id: string, more = '') => `/portal/api/apps/${app}/installations/${id}${more}`

async function installed(on: Partner = partner, by: Person = founder, more: object = {}) {
  const send = await stage.as(on, by)
  const body = { target_type: 'company', target_id: await stage.company({ founder: by }), ...more }
  return (await send('POST', '/installations', body)).data
}

/** For each missing scope the reason. */
async function missing(by: Send, app: string, id: string): Promise<Record<string, string>> {
  const { data } = await by('GET', path(app, id))
  const rows = data['missing_scopes'] as readonly { scope: string; reason: string; remedy: string }[]
  expect(rows.every(({ remedy }) => remedy.endsWith('.'))).toBe(true)
  return Object.fromEntries(rows.map(({ scope, reason }) => [scope, reason]))
}

async function declare(app: string, scopes: readonly string[]) {
  await stage.db.sql('update platform.apps set scopes = $2 where id = $1', [app, scopes])
  await stage.db.sql('update platform.app_keys set scopes = $2 where app_id = $1', [app, scopes])
}

describe('GET /portal/api/apps/{id}/installations/{id}', () => {
  test('200 with the record, its mode, its last use, the number of valid tokens, and the scopes that the app asks for', async () => {
    const data = await installed()
    const response = await team('GET', path(partner.app, data.id))
    expect(response.status).toBe(200)
    expect(response.data).toMatchObject({ ...data, mode: 'test', last_used_at: null, valid_tokens: 1 })
    expect(response.data['requested_scopes']).toEqual(expect.arrayContaining([...data.scopes, 'read:investors:pii']))
    expect(await missing(team, partner.app, data.id)).toEqual({
      'read:investors:pii': 'pii_not_approved',
      'read:referral_codes': 'not_for_installations',
    })
  })

  test('shows why each scope is missing: tier, not listed, left out, declared later, removed, program not granted', async () => {
    const scopes = ['read:profile', 'read:companies', 'read:syndicates', 'write:syndicates', 'read:attribution:full']
    const app = await stage.partner({ scopes: [...scopes, 'write:installations'] })
    const by = await stage.signedIn(await stage.teammate(app))
    const listed = await installed(app, founder, { scopes: ['read:companies', 'read:syndicates'] })
    expect(await missing(by, app.app, listed.id)).toMatchObject({
      'read:profile': 'not_consented',
      'read:attribution:full': 'must_be_listed',
    })
    const editor = await installed(app, await stage.person(), { tier: 'editor' })
    expect(await missing(by, app.app, editor.id)).toMatchObject({
      'write:syndicates': 'tier_without_writes',
      'read:attribution:full': 'founder_only',
    })
    await declare(app.app, ['read:companies', 'read:webhooks'])
    await stage.db.sql(
      `update test.installations set scopes = '{read:companies}', taken_scopes = '{read:syndicates}' where id = $1`,
      [listed.id],
    )
    await stage.db.sql(
      `insert into platform.app_programs (app_id, program, tier, requested_at)
       values ($1, 'marketing_partner', 1, now())`,
      [app.app],
    )
    expect(await missing(by, app.app, listed.id)).toMatchObject({
      'read:syndicates': 'removed',
      'read:webhooks': 'not_consented',
      'read:attribution:anonymized': 'program_pending',
    })
  })

  test('shows the scopes of a higher tier that waits, while the app is in the program at the lower tier', async () => {
    const scopes = ['read:profile', 'read:companies', 'read:attribution:aggregate', 'write:installations']
    const app = await stage.partner({ scopes })
    const by = await stage.signedIn(await stage.teammate(app))
    const { id } = await installed(app)
    await stage.db.sql(
      `insert into platform.app_programs (app_id, program, tier, requested_at, approved_at)
       values ($1, 'marketing_partner', 0, now() - interval '2 hours', now() - interval '1 hour')`,
      [app.app],
    )
    expect(await missing(by, app.app, id)).not.toHaveProperty('read:attribution:anonymized')
    await stage.db.sql('update platform.app_programs set requested_at = now() where app_id = $1', [app.app])
    expect(await missing(by, app.app, id)).toMatchObject({ 'read:attribution:anonymized': 'program_pending' })
    const { data } = await by('GET', path(app.app, id))
    expect(data['requested_scopes']).toContain('read:attribution:anonymized')
  })

  test('shows that the person has to install again to get a scope that was approved after the installation', async () => {
    const app = await stage.partner()
    const by = await stage.signedIn(await stage.teammate(app))
    const { id } = await installed(app)
    expect((await missing(by, app.app, id))['read:investors:pii']).toBe('pii_not_approved')
    await stage.db.sql('update platform.apps set pii_approved_at = now() where id = $1', [app.app])
    expect((await missing(by, app.app, id))['read:investors:pii']).toBe('not_consented')
  })

  test('200 also for a user’s connection, for a suspended app, and for 30 days after a revocation', async () => {
    const app = await stage.partner()
    const by = await stage.signedIn(await stage.teammate(app))
    const user = await stage.as(app, founder)
    const [own] = (await user('GET', '/installations')).list
    expect((await by('GET', path(app.app, String(own?.id)))).data).toMatchObject({ target: { type: 'user' } })
    const { id } = await installed(app)
    await by('DELETE', path(app.app, id))
    await stage.db.sql('update platform.apps set suspended_at = now(), suspended_reason = $2 where id = $1', [
      app.app,
      'x',
    ])
    expect((await by('GET', path(app.app, id))).data).toMatchObject({ status: 'revoked', valid_tokens: 0 })
    await stage.db.sql(
      `update test.installations set installed_at = installed_at - interval '40 days',
              revoked_at = revoked_at - interval '31 days' where id = $1`,
      [id],
    )
    expect(refusal(await by('GET', path(app.app, id)))).toEqual([404, 'not_found'])
  })
})

describe('POST /portal/api/apps/{id}/installations/{id}/tokens', () => {
  const mint = (by: Send, on: Partner, id: string, body: object = {}, headers = {}) =>
    by('POST', path(on.app, id, '/tokens'), { key_id: on.keyId, ...body }, headers)

  test('201: a token for two hours, with all scopes or some of them; the history names the person', async () => {
    const member = await stage.teammate(partner)
    const by = await stage.signedIn(member)
    const { id, scopes } = await installed()
    const whole = await mint(by, partner, id)
    expect([whole.status, whole.token]).toMatchObject([
      201,
      { expires_in: 7200, scope: scopes.join(' '), installation: id },
    ])
    expect(await accepted(stage.db, [whole.token.access_token])).toBe(1)
    const some = await mint(by, partner, id, { scopes: ['read:companies', 'read:webhooks'] })
    expect(some.token.scope).toBe('read:companies')
    const entries = await stage.db.sql(
      `select actor, details ->> 'installation' as on from platform.audit_entries
        where subject = $1 and action = 'installation.token_minted' and actor = $2`,
      [partner.app, member.account],
    )
    expect(entries).toEqual(Array(2).fill({ actor: member.account, on: id }))
  })

  test('the token lasts two hours even if the app is pinned to a version whose tokens never expire', async () => {
    const app = await stage.partner()
    await stage.db.sql(`update platform.app_keys set api_version = '2026-01-01' where app_id = $1`, [app.app])
    const { id } = await installed(app)
    const by = await stage.signedIn(await stage.teammate(app))
    expect((await mint(by, app, id)).token.expires_in).toBe(7200)
  })

  test('a repeated request with the same Idempotency-Key returns the same token, but not to a person who has left the team', async () => {
    const member = await stage.teammate(partner)
    const by = await stage.signedIn(member)
    const { id } = await installed()
    const headers = { 'idempotency-key': id }
    const once = await mint(by, partner, id, {}, headers)
    const again = await mint(by, partner, id, {}, headers)
    expect([again.headers.get('idempotent-replayed'), again.token]).toEqual(['true', once.token])
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [member.account])
    expect(refusal(await mint(by, partner, id, {}, headers))).toEqual([404, 'not_found'])
  })

  test('403 for a user’s connection, which only the user may use; 409 for a revoked installation; 422 if no scope can be granted', async () => {
    const user = await stage.as(partner, await stage.person())
    const [own] = (await user('GET', '/installations')).list
    expect(refusal(await mint(team, partner, String(own?.id)))).toEqual([403, 'forbidden'])
    const { id } = await installed()
    expect(refusal(await mint(team, partner, id, { scopes: ['read:webhooks'] }))).toEqual([422, 'nothing_grantable'])
    await team('DELETE', path(partner.app, id))
    expect(refusal(await mint(team, partner, id))).toEqual([409, 'installation_revoked'])
  })

  test('422 for a key that is unknown, revoked, of the other mode or of another app', async () => {
    const { id } = await installed()
    const other = await stage.partner()
    const live = await aKey(stage.db, partner.app, { world: 'live' })
    const ended = await aKey(stage.db, partner.app, { world: 'test' })
    await stage.db.sql(`update platform.app_keys set state = 'revoked', revoked_at = now() where id = $1`, [
      ended.clientId,
    ])
    for (const key_id of [newClientId('test'), live.clientId, ended.clientId, other.keyId, 'pk_test_nonsense']) {
      const response = await mint(team, partner, id, { key_id })
      expect([refusal(response), response.error.details]).toMatchObject([
        [422, 'validation_error'],
        { fields: [{ field: 'key_id' }] },
      ])
    }
    expect(refusal(await team('POST', path(partner.app, id, '/tokens'), {}))).toEqual([422, 'validation_error'])
  })

  test.each([
    ['suspended', 403, 'app_suspended'],
    ['disabled', 409, 'illegal_transition'],
  ])('an app that is %s gets %i %s', async (state, status, type) => {
    const app = await stage.partner()
    const { id } = await installed(app)
    const by = await stage.signedIn(await stage.teammate(app))
    await stage.db.sql('update platform.app_keys set state = $2 where app_id = $1', [app.app, state])
    expect(refusal(await mint(by, app, id))).toEqual([status, type])
  })

  test('403 recent_proof_required without a recent proof', async () => {
    const { id } = await installed()
    const member = await stage.teammate(partner)
    const by = await stage.signedIn(member)
    await stage.db.sql(
      `update platform.sign_in_sessions set proven_at = now() - interval '1 hour' where account_id = $1`,
      [member.account],
    )
    const response = await mint(by, partner, id)
    expect([refusal(response), response.error.details]).toMatchObject([
      [403, 'forbidden'],
      { reason: 'recent_proof_required' },
    ])
  })

  test('reading and minting accept every role on the team; 404 for a stranger, another team, a removed member and another app; 401 for a bearer token', async () => {
    const { id } = await installed()
    for (const role of ['owner', 'admin', 'developer'] as const) {
      const by = await stage.signedIn(await stage.teammate(partner, role))
      expect((await by('GET', path(partner.app, id))).status).toBe(200)
      expect((await mint(by, partner, id)).status).toBe(201)
    }
    const other = await stage.partner()
    const removed = await stage.teammate(partner)
    const outsiders = [
      await stage.signedIn(founder),
      await stage.signedIn(await stage.teammate(other)),
      await stage.signedIn(removed),
    ]
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [removed.account])
    for (const by of outsiders) {
      expect(refusal(await by('GET', path(partner.app, id)))).toEqual([404, 'not_found'])
      expect(refusal(await mint(by, partner, id))).toEqual([404, 'not_found'])
    }
    const elsewhere = await installed(other)
    for (const unknown of [elsewhere.id, newId('installation')]) {
      expect(refusal(await team('GET', path(partner.app, unknown)))).toEqual([404, 'not_found'])
      expect(refusal(await mint(team, partner, unknown))).toEqual([404, 'not_found'])
    }
    const bearer = await stage.as(partner, founder)
    expect(refusal(await bearer('GET', path(partner.app, id)))).toEqual([401, 'invalid_token'])
    expect(refusal(await mint(bearer, partner, id))).toEqual([401, 'invalid_token'])
  })

  test('reading and minting give 401 to a browser that is not signed in', async () => {
    const { id } = await installed()
    const signedOut = stage.signedOut()
    expect(refusal(await signedOut('GET', path(partner.app, id)))).toEqual([401, 'invalid_token'])
    expect(refusal(await mint(signedOut, partner, id))).toEqual([401, 'invalid_token'])
  })
})
