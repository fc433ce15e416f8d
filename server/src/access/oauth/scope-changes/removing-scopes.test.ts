import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aClientToken,
  aCode,
  aConnection,
  accepted,
  aUserToken,
  redeem,
  refresh,
  type StagedConnection,
  whyNot,
} from '#access/tokens/testing/stage.ts'
import { WORLDS } from '#kernel/world.ts'
import { NOTHING, refusal, type ScopeStage, scopeStage } from './testing/scope-stage.ts'

let stage: ScopeStage
beforeAll(async () => {
  stage = await scopeStage()
})
afterAll(() => stage.service.close())

describe('POST /portal/api/apps/{id}/scopes/remove', () => {
  test('200: removes the scope from the app and every key, installation, code and token of both worlds, and returns the counts', async () => {
    const { db } = stage
    const both = ['read:profile', 'read:investments']
    const app = await stage.app({ scopes: both })
    const seen: { readonly dead: string[]; readonly alive: string[]; readonly refused: (() => Promise<string>)[] } = {
      ...{ dead: [], alive: [], refused: [] },
    }
    const connections = { test: [] as StagedConnection[], live: [] as StagedConnection[] }
    for (const world of WORLDS) {
      const client = app[world]
      const [wide, only, other] = [
        await aConnection(db, client, { scopes: both }),
        await aConnection(db, client, { scopes: ['read:investments'] }),
        await aConnection(db, client, { scopes: ['read:profile'] }),
      ]
      connections[world] = [wide, only, other]
      const carrying = await aUserToken(db, client, { on: wide, scopes: both })
      const code = await aCode(db, client, { on: only, scopes: ['read:investments'] })
      const kept = await aUserToken(db, client, { on: other, scopes: ['read:profile'] })
      const never = await stage.mint(client, wide, ['read:investments'])
      const narrow = await stage.mint(client, wide, ['read:profile'])
      seen.dead.push(carrying.accessToken, never, await stage.mint(client, only, ['read:investments']))
      seen.alive.push(kept.accessToken, narrow, (await aClientToken(db, client)).accessToken)
      seen.refused.push(
        async () => whyNot(await refresh(db, client, carrying.refreshToken)),
        async () => whyNot(await redeem(db, client, code)),
      )
    }

    const { status, data } = await stage.remove(app.id, ['read:investments'])
    const counts = {
      ...{ installs_narrowed: 2, installs_disconnected: 2, tokens_revoked: 6, refresh_tokens_revoked: 2 },
      endpoints_disabled: 0,
    }
    expect(status).toBe(200)
    expect(data).toEqual({
      id: app.id,
      type: 'scope_removal',
      attributes: { scopes: ['read:profile'], removed: ['read:investments'], ...counts },
    })
    expect(await stage.declaredBy(app.id)).toEqual(Array(3).fill(['read:profile']))
    expect(await accepted(db, seen.dead)).toBe(0)
    expect(await accepted(db, seen.alive)).toBe(6)
    for (const why of seen.refused) expect(await why()).toBe('revoked')
    for (const world of WORLDS) {
      const [wide, only, other] = connections[world] as [StagedConnection, StagedConnection, StagedConnection]
      const active = { state: 'active', scopes: ['read:profile'], revoked_by_role: null }
      expect(await stage.installation(world, wide)).toEqual(active)
      expect(await stage.installation(world, other)).toEqual(active)
      expect(await stage.installation(world, only)).toMatchObject({ state: 'revoked', revoked_by_role: 'partner' })
      expect(await stage.eventsOf(world, only)).toEqual([
        { name: 'installation.created', role: null },
        { name: 'installation.revoked', role: 'partner' },
      ])
      expect(await stage.eventsOf(world, wide)).toHaveLength(1)
    }
    const details = { removed: ['read:investments'], ...counts }
    expect((await stage.auditOf(app.id)).at(-1)).toEqual({
      actor: stage.team.developer.account,
      action: 'app.scopes_removed',
      details,
    })
  })

  test('another app’s tokens and installations stay', async () => {
    const [app, other] = [await stage.app({ scopes: ['read:profile'] }), await stage.app({ scopes: ['read:profile'] })]
    const on = await aConnection(stage.db, other.test, { scopes: ['read:profile'] })
    const { accessToken } = await aUserToken(stage.db, other.test, { on, scopes: ['read:profile'] })
    expect(await stage.remove(app.id, ['read:profile'])).toMatchObject({ data: { attributes: NOTHING } })
    expect(await accepted(stage.db, [accessToken])).toBe(1)
    expect(await stage.installation('test', on)).toMatchObject({ state: 'active' })
  })

  test('a scope that only the removed scope implied is removed too, so a token that was narrowed to it is revoked', async () => {
    const app = await stage.app({ scopes: ['write:syndicates', 'read:profile'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['write:syndicates', 'read:profile'] })
    const bearers = [
      await stage.mint(app.test, on, ['read:syndicates']),
      await stage.mint(app.test, on, ['read:profile']),
    ]
    expect(await stage.remove(app.id, ['write:syndicates'])).toMatchObject({
      data: { attributes: { ...NOTHING, installs_narrowed: 1, tokens_revoked: 1 } },
    })
    expect(await accepted(stage.db, bearers.slice(0, 1))).toBe(0)
    expect(await accepted(stage.db, bearers.slice(1))).toBe(1)
  })

  test('an installation without any scope left loses all its tokens, even tokens with scopes that the app still declares', async () => {
    const app = await stage.app({ scopes: ['write:syndicates', 'read:syndicates'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['write:syndicates'] })
    const bearer = await stage.mint(app.test, on, ['read:syndicates'])
    expect(await stage.remove(app.id, ['write:syndicates'])).toMatchObject({
      data: { attributes: { ...NOTHING, installs_disconnected: 1, tokens_revoked: 1 } },
    })
    expect(await accepted(stage.db, [bearer])).toBe(0)
  })

  test('tokens of a replaced connection are revoked if they have the removed scope', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'read:investments'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['read:investments'] })
    const { accessToken } = await aUserToken(stage.db, app.test, { on, scopes: ['read:investments'] })
    await aConnection(stage.db, app.test, { user: on.user, scopes: ['read:profile'] })
    expect(await accepted(stage.db, [accessToken])).toBe(1)
    expect(await stage.remove(app.id, ['read:investments'])).toMatchObject({
      data: { attributes: { ...NOTHING, tokens_revoked: 1 } },
    })
    expect(await accepted(stage.db, [accessToken])).toBe(0)
  })

  test('expired and revoked access tokens are not counted', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['read:profile'] })
    await aUserToken(stage.db, app.test, { on, scopes: ['read:profile'] })
    await stage.db.sql(`update test.access_tokens set revoked_at = now() where app_id = $1`, [app.id])
    await aUserToken(stage.db, app.test, { on, scopes: ['read:profile'] })
    await stage.db.sql(
      `update test.access_tokens set expires_at = now() - interval '1 second' where app_id = $1 and revoked_at is null`,
      [app.id],
    )
    const attributes = { ...NOTHING, installs_disconnected: 1, refresh_tokens_revoked: 2 }
    expect(await stage.remove(app.id, ['read:profile'])).toMatchObject({ data: { attributes } })
  })

  test('a default grant of read:profile stays when another scope is removed, and ends when read:profile is removed', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'read:investments'] })
    const grant = { scopes: ['read:profile'], byDefault: true }
    const on = await aConnection(stage.db, app.test, grant)
    const first = await aUserToken(stage.db, app.test, { on, ...grant })
    await stage.remove(app.id, ['read:investments'])
    expect(await accepted(stage.db, [first.accessToken])).toBe(1)
    expect(await stage.remove(app.id, ['read:profile'])).toMatchObject({
      data: { attributes: { installs_disconnected: 1, tokens_revoked: 1, refresh_tokens_revoked: 1 } },
    })
    expect(await accepted(stage.db, [first.accessToken])).toBe(0)
  })

  test('a default grant of an app that never declared read:profile stays after every removal', async () => {
    const app = await stage.app({ scopes: ['read:investments'] })
    const grant = { scopes: ['read:profile'], byDefault: true }
    const on = await aConnection(stage.db, app.test, grant)
    const token = await aUserToken(stage.db, app.test, { on, ...grant })
    expect(await stage.remove(app.id, ['read:investments'])).toMatchObject({ data: { attributes: NOTHING } })
    expect(await accepted(stage.db, [token.accessToken])).toBe(1)
    expect(whyNot(await refresh(stage.db, app.test, token.refreshToken))).toBe('issued')
    expect(await stage.installation('test', on)).toMatchObject({ state: 'active' })
  })

  test('an alias is removed from installations; tokens with it stay valid while the app declares its replacement', async () => {
    const app = await stage.app({ scopes: ['read:companies', 'read:offerings'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['read:companies', 'read:offerings'] })
    const bearers = [
      await stage.mint(app.test, on, ['read:offerings']),
      await stage.mint(app.test, on, ['read:companies']),
    ]
    await stage.remove(app.id, ['read:offerings'])
    expect(await stage.installation('test', on)).toMatchObject({ scopes: ['read:companies'] })
    expect(await accepted(stage.db, bearers)).toBe(2)
  })

  test('an installation that has only the removed alias gets the replacement of the alias', async () => {
    const app = await stage.app({ scopes: ['read:companies', 'read:offerings'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['read:offerings'] })
    const bearer = await stage.mint(app.test, on, ['read:offerings'])
    expect(await stage.remove(app.id, ['read:offerings'])).toMatchObject({
      data: { attributes: { installs_disconnected: 0, tokens_revoked: 0 } },
    })
    expect(await stage.installation('test', on)).toMatchObject({ state: 'active', scopes: ['read:companies'] })
    expect(await accepted(stage.db, [bearer])).toBe(1)
    await stage.remove(app.id, ['read:companies'])
    expect(await stage.installation('test', on)).toMatchObject({ state: 'revoked' })
    expect(await accepted(stage.db, [bearer])).toBe(0)
  })

  test('read:follows is removed even if read:profile is still declared, because read:follows is not an alias', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'read:follows'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['read:profile', 'read:follows'] })
    const bearer = await stage.mint(app.test, on, ['read:follows'])
    await stage.remove(app.id, ['read:follows'])
    expect(await stage.installation('test', on)).toMatchObject({ scopes: ['read:profile'] })
    expect(await accepted(stage.db, [bearer])).toBe(0)
  })

  test('an installation with no scope left except read:public is revoked', async () => {
    const app = await stage.app({ scopes: ['read:investments'] })
    const grant = { scopes: ['read:public', 'read:investments'] }
    const on = await aConnection(stage.db, app.test, grant)
    const token = await aUserToken(stage.db, app.test, { on, ...grant })
    expect(token.scopes).toEqual(['read:public', 'read:investments'])
    expect(await stage.installation('test', on)).toMatchObject({ scopes: ['read:investments'] })
    expect(await stage.remove(app.id, ['read:investments'])).toMatchObject({
      data: { attributes: { installs_disconnected: 1, tokens_revoked: 1, refresh_tokens_revoked: 1 } },
    })
    expect(await accepted(stage.db, [token.accessToken])).toBe(0)
  })

  test('422 still_implied names the scope that implies the scope to remove; nothing changes', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'write:profile'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['read:profile'] })
    const { accessToken } = await aUserToken(stage.db, app.test, { on, scopes: ['read:profile'] })
    const still_implied = ['write:profile']
    expect(refusal(await stage.remove(app.id, ['read:profile']))).toEqual([422, 'still_implied', { still_implied }])
    expect(await stage.declaredBy(app.id)).toEqual(Array(3).fill(['read:profile', 'write:profile']))
    expect(await accepted(stage.db, [accessToken])).toBe(1)
    expect(await stage.auditOf(app.id)).toEqual([])
    expect((await stage.remove(app.id, ['read:profile', 'write:profile'])).status).toBe(200)
  })

  test('422 still_implied for a scope that the app does not declare but that a declared scope implies', async () => {
    const app = await stage.app({ scopes: ['write:syndicates'] })
    const still_implied = ['write:syndicates']
    expect(refusal(await stage.remove(app.id, ['read:syndicates']))).toEqual([422, 'still_implied', { still_implied }])
  })

  test.each(['read:investments', 'read:public', 'no:such'])(
    '422 invalid_scopes for %s, which the app does not declare; the other scopes are not removed either',
    async (name) => {
      const app = await stage.app({ scopes: ['read:profile'] })
      expect(refusal(await stage.remove(app.id, ['read:profile', name]))).toEqual([
        422,
        'invalid_scopes',
        { scopes: [name] },
      ])
      expect(await stage.declaredBy(app.id)).toEqual(Array(3).fill(['read:profile']))
    },
  )

  test('removing a non-self-serve scope is allowed, but only the platform can add it back', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'write:companies'] })
    expect((await stage.remove(app.id, ['write:companies'])).status).toBe(200)
    expect(refusal(await stage.add(app.id, ['write:companies']))).toMatchObject([422, 'invalid_scopes', {}])
    expect(
      (await stage.service.operator()('POST', `/platform/apps/${app.id}/scopes`, { scopes: ['write:companies'] }))
        .status,
    ).toBe(200)
  })

  test('removals never change approval state or investor-PII approval', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'read:investors:pii'], approved: true, piiApproved: true })
    await stage.remove(app.id, ['read:investors:pii'])
    const approvals = await stage.db.sql(
      'select approved_at is not null as approved, pii_approved_at is not null as pii from platform.apps where id = $1',
      [app.id],
    )
    expect(approvals).toEqual([{ approved: true, pii: true }])
  })

  test('a repeat with the same Idempotency-Key returns the first response', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const path = `/portal/api/apps/${app.id}/scopes/remove`
    const send = () => stage.team.owner.send('POST', path, { scopes: ['read:profile'] }, { 'idempotency-key': 'once' })
    const [first, again] = [await send(), await send()]
    expect(again.data).toEqual(first.data)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await stage.auditOf(app.id)).toHaveLength(1)
  })
})
