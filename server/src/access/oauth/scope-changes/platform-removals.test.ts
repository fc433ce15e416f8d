import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConnection, accepted, aUserToken } from '#access/tokens/testing/stage.ts'
import type { World } from '#kernel/world.ts'
import { NOTHING, refusal, type ScopeStage, scopeStage } from './testing/scope-stage.ts'

let stage: ScopeStage
beforeAll(async () => {
  stage = await scopeStage()
})
afterAll(() => stage.service.close())

const removeAsPlatform = (app: string, scopes: readonly string[]) =>
  stage.service.operator()('POST', `/platform/apps/${app}/scopes/remove`, { scopes })
const withdraw = (app: string, program: string, world: World = 'live') =>
  stage.service.operator(world)('DELETE', `/platform/apps/${app}/programs/${program}`)
const setState = (app: string, change: string) =>
  stage.db.sql(`update platform.apps set ${change} where id = $1`, [app])

describe('POST /platform/apps/{id}/scopes/remove', () => {
  test.each(['active', 'suspended', 'disabled'] as const)(
    '200 even if the app is %s; the event names the platform, and the audit names the operator key',
    async (state) => {
      const app = await stage.app({ scopes: ['read:profile'] })
      const on = await aConnection(stage.db, app.live, { scopes: ['read:profile'] })
      if (state === 'suspended') await setState(app.id, `suspended_at = now(), suspended_reason = 'x'`)
      if (state === 'disabled') await setState(app.id, 'disabled_at = now()')
      const { status, data } = await removeAsPlatform(app.id, ['read:profile'])
      expect([status, data.attributes]).toMatchObject([200, { installs_disconnected: 1, removed: ['read:profile'] }])
      expect(await stage.installation('live', on)).toMatchObject({ state: 'revoked', revoked_by_role: 'wefunder' })
      expect((await stage.eventsOf('live', on)).at(-1)).toEqual({ name: 'installation.revoked', role: 'wefunder' })
      expect(await stage.auditOf(app.id)).toMatchObject([
        { actor: 'system', action: 'installation.removal_due', details: { installation: on.installation } },
        { actor: expect.stringMatching(/^opk_/), action: 'app.scopes_removed' },
      ])
    },
  )

  test('403 with a key of the sandbox, because an app belongs to both worlds; 403 for a member of the app’s team', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const path = `/platform/apps/${app.id}/scopes/remove`
    const body = { scopes: ['read:profile'] }
    expect(await stage.service.operator('test')('POST', path, body)).toMatchObject({
      status: 403,
      error: { type: 'forbidden' },
    })
    expect((await stage.team.owner.send('POST', path, body)).status).toBe(403)
    expect((await withdraw(app.id, 'founder', 'test')).status).toBe(403)
  })

  test('404 for an unknown app; 422 still_implied under the same conditions as for the team', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'write:profile'] })
    expect((await removeAsPlatform('app_000000000000000000000000', ['read:profile'])).status).toBe(404)
    expect(refusal(await removeAsPlatform(app.id, ['read:profile']))).toMatchObject([422, 'still_implied', {}])
  })
})

describe('DELETE /platform/apps/{id}/programs/{program}', () => {
  const grant = (app: string, body: object) => stage.service.operator()('POST', `/platform/apps/${app}/programs`, body)
  const programsOf = (app: string) =>
    stage.db.sql('select program from platform.app_programs where app_id = $1 order by program', [app])

  test('200: the program’s scopes are removed, and tokens with them are revoked', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    await grant(app.id, { program: 'marketing_partner', tier: 1 })
    const scopes = ['read:attribution:anonymized', 'read:profile']
    const on = await aConnection(stage.db, app.test, { scopes })
    const { accessToken } = await aUserToken(stage.db, app.test, { on, scopes })
    const { status, data } = await withdraw(app.id, 'marketing_partner')
    const removed = ['read:attribution:aggregate', 'read:attribution:anonymized', 'write:attribution']
    const counts = { ...NOTHING, installs_narrowed: 1, tokens_revoked: 1, refresh_tokens_revoked: 1 }
    expect([status, data.attributes]).toEqual([200, { scopes: ['read:profile'], removed, ...counts }])
    expect(await accepted(stage.db, [accessToken])).toBe(0)
    expect(await stage.declaredBy(app.id)).toEqual(Array(3).fill(['read:profile']))
    expect(await programsOf(app.id)).toEqual([])
    expect((await stage.auditOf(app.id)).at(-1)).toMatchObject({
      action: 'app.program_withdrawn',
      details: { program: 'marketing_partner', tier: 1, removed, ...counts },
    })
  })

  test('has the same effect on connections, tokens, events and duties as POST …/scopes/remove with the same scopes', async () => {
    const removed = ['read:attribution:aggregate', 'read:attribution:anonymized', 'write:attribution']
    const after = async (remove: (app: string) => Promise<{ data: { attributes: unknown } }>) => {
      const app = await stage.app({ scopes: ['read:profile'] })
      await grant(app.id, { program: 'marketing_partner', tier: 1 })
      const connect = async (...scopes: string[]) => {
        const on = await aConnection(stage.db, app.test, { scopes })
        return { on, bearer: (await aUserToken(stage.db, app.test, { on, scopes })).accessToken }
      }
      const all = [
        await connect('read:attribution:anonymized', 'read:profile'),
        await connect('read:attribution:anonymized'),
        await connect('read:profile'),
      ]
      const { attributes } = (await remove(app.id)).data
      const seen = all.map(async ({ on, bearer }) => ({
        installation: await stage.installation('test', on),
        events: await stage.eventsOf('test', on),
        accepted: await accepted(stage.db, [bearer]),
      }))
      const duties = (await stage.auditOf(app.id)).filter(({ action }) => action === 'installation.removal_due').length
      return { attributes, duties, declared: await stage.declaredBy(app.id), connections: await Promise.all(seen) }
    }
    const withdrawn = await after((app) => withdraw(app, 'marketing_partner'))
    expect(withdrawn).toEqual(await after((app) => removeAsPlatform(app, removed)))
    expect(withdrawn).toMatchObject({ attributes: { removed, installs_narrowed: 1, installs_disconnected: 1 } })
    expect(withdrawn.connections.map((one) => one.accepted)).toEqual([0, 0, 1])
  })

  test('tokens with a scope that another program’s scope implies stay valid', async () => {
    const app = await stage.app({ scopes: [] })
    await grant(app.id, { program: 'marketing_partner', tier: 1 })
    await grant(app.id, { program: 'founder' })
    const scopes = ['read:attribution:anonymized']
    const on = await aConnection(stage.db, app.test, { scopes })
    const { accessToken } = await aUserToken(stage.db, app.test, { on, scopes })
    expect(await withdraw(app.id, 'marketing_partner')).toMatchObject({
      status: 200,
      data: { attributes: { ...NOTHING, removed: ['write:attribution'], scopes: ['read:attribution:full'] } },
    })
    expect(await accepted(stage.db, [accessToken])).toBe(1)
    expect(await programsOf(app.id)).toEqual([{ program: 'founder' }])
  })

  test('a request that was not granted yet is declined, and no scope is removed', async () => {
    const app = await stage.app({ scopes: ['read:attribution:full'] })
    await stage.team.owner.send('POST', `/portal/api/apps/${app.id}/program_requests`, { program: 'founder' })
    expect(await withdraw(app.id, 'founder')).toMatchObject({ status: 200, data: { attributes: { removed: [] } } })
    expect(await stage.declaredBy(app.id)).toEqual(Array(3).fill(['read:attribution:full']))
  })

  test('404 for a program that the app does not have and did not request', async () => {
    const app = await stage.app({ scopes: [] })
    expect((await withdraw(app.id, 'founder')).status).toBe(404)
  })
})
