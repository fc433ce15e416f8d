import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aStranger } from '#access/apps/testing/team.ts'
import { aConnection, accepted, aUserToken, refresh } from '#access/tokens/testing/stage.ts'
import { refusal, type ScopeStage, scopeStage } from './testing/scope-stage.ts'

let stage: ScopeStage
beforeAll(async () => {
  stage = await scopeStage()
})
afterAll(() => stage.service.close())

describe('POST /portal/api/apps/{id}/scopes', () => {
  test('200: writes the scopes to the app and every key, test and live, and records the change', async () => {
    const app = await stage.app({ scopes: ['read:investments'] })
    const { status, data } = await stage.add(app.id, ['write:profile', 'read:profile', 'read:investments'])
    expect(status).toBe(200)
    const scopes = ['read:profile', 'write:profile', 'read:investments']
    expect(data).toEqual({
      id: app.id,
      type: 'scope_addition',
      attributes: { scopes, added: ['read:profile', 'write:profile'] },
    })
    expect(await stage.declaredBy(app.id)).toEqual([scopes, scopes, scopes])
    const details = { added: ['read:profile', 'write:profile'] }
    expect(await stage.auditOf(app.id)).toEqual([
      { actor: stage.team.developer.account, action: 'app.scopes_added', details },
    ])
  })

  test('existing tokens, refresh tokens and installations keep exactly the scopes that they had', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const on = await aConnection(stage.db, app.test, { scopes: ['read:profile'] })
    const token = await aUserToken(stage.db, app.test, { on, scopes: ['read:profile'] })
    await stage.add(app.id, ['read:investments'])
    expect(await stage.installation('test', on)).toMatchObject({ state: 'active', scopes: ['read:profile'] })
    expect(await accepted(stage.db, [token.accessToken])).toBe(1)
    const refreshed = await refresh(stage.db, app.test, token.refreshToken)
    expect(refreshed).toMatchObject({ outcome: 'issued', token: { scopes: ['read:profile'] } })
  })

  test('a scope that is declared already may be named again; nothing changes, and the history has no entry', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'write:companies'] })
    expect(await stage.add(app.id, ['read:profile', 'write:companies'])).toMatchObject({
      status: 200,
      data: { attributes: { added: [], scopes: ['read:profile', 'write:companies'] } },
    })
    expect(await stage.auditOf(app.id)).toEqual([])
  })

  test.each([
    ['suspended', 'suspended'],
    ['disabled', 'disabled'],
  ] as const)('409 scope_change_blocked while the app is %s', async (state, status) => {
    const app = await stage.app({ scopes: ['read:profile'], state })
    expect(refusal(await stage.add(app.id, ['read:investments']))).toEqual([409, 'scope_change_blocked', { status }])
    expect(refusal(await stage.remove(app.id, ['read:profile']))).toEqual([409, 'scope_change_blocked', { status }])
    expect(await stage.declaredBy(app.id)).toEqual(Array(3).fill(['read:profile']))
  })

  test.each(['write:companies', 'read:attribution:full', 'read:offerings', 'admin:read', 'read:public', 'no:such'])(
    '422 invalid_scopes for %s, which is not self-serve; the other scopes are not added either',
    async (name) => {
      const app = await stage.app({ scopes: ['read:profile'] })
      expect(refusal(await stage.add(app.id, ['read:investments', name]))).toEqual([
        422,
        'invalid_scopes',
        { scopes: [name] },
      ])
      expect(await stage.declaredBy(app.id)).toEqual(Array(3).fill(['read:profile']))
    },
  )

  test('401 without a credential; 404 for people outside the team, as for an unknown app; 200 for every role on the team', async () => {
    const app = await stage.app({ scopes: [] })
    const stranger = { ...stage.team.owner, send: await aStranger(stage.service) }
    const signedOut = { ...stage.team.owner, send: await stage.service.as(null) }
    for (const change of [stage.add, stage.remove]) {
      expect((await change(app.id, ['read:profile'], signedOut)).status).toBe(401)
      expect((await change(app.id, ['read:profile'], stranger)).status).toBe(404)
      expect((await change('app_000000000000000000000000', ['read:profile'])).status).toBe(404)
    }
    for (const seat of [stage.team.owner, stage.team.admin, stage.team.developer]) {
      expect((await stage.add(app.id, ['read:profile'], seat)).status).toBe(200)
      expect((await stage.remove(app.id, ['read:profile'], seat)).status).toBe(200)
    }
  })

  test('422 for a body without scopes', async () => {
    const app = await stage.app({ scopes: [] })
    expect((await stage.add(app.id, [])).error).toMatchObject({ type: 'validation_error' })
  })
})
