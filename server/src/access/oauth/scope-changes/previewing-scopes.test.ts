import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aStranger, aTeam } from '#access/apps/testing/team.ts'
import { aClientToken, aCode, aConnection, aUserToken, type StagedConnection } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { makeCompany } from '#test/companies.ts'
import type { ModeEffects } from './preview-scopes.ts'
import { refusal, type ScopeStage, scopeStage } from './testing/scope-stage.ts'

let stage: ScopeStage
beforeAll(async () => {
  stage = await scopeStage()
})
afterAll(() => stage.service.close())

type Endpoint = { readonly events: readonly string[]; readonly on?: StagedConnection; readonly world?: World }

async function endpoint(app: string, { events, on, world = 'test' }: Endpoint): Promise<string> {
  const id = newId('webhookEndpoint')
  await stage.db.sql(
    `insert into platform.webhook_endpoints
       (id, app_id, world, installation_id, url, events, subscribed_at, secret, created_at)
     values ($1, $2, $3, $4, 'https://partner.example/hook', $5, array_fill(now(), array[cardinality($5::text[])]),
             '\\x00', now())`,
    [id, app, world, on?.installation ?? null, events],
  )
  await stage.db.sql(`insert into ${world}.webhook_lanes (endpoint_id) values ($1)`, [id])
  return id
}

async function countsIn(world: World, app: string) {
  const [row] = await stage.db.sql<Record<'installations' | 'tokens' | 'families' | 'endpoints', number>>(
    `select (select count(*)::int from ${world}.installations where app_id = $1 and state = 'active') as installations,
            (select count(*)::int from ${world}.access_tokens where app_id = $1 and revoked_at is null) as tokens,
            (select count(*)::int from ${world}.refresh_families where app_id = $1 and revoked_at is null) as families,
            (select count(*)::int from platform.webhook_endpoints
              where app_id = $1 and world = $2 and state = 'enabled') as endpoints`,
    [app, world],
  )
  return row
}

const modesOf = (response: Awaited<ReturnType<ScopeStage['preview']>>) =>
  response.data.attributes['modes'] as Record<World, ModeEffects>

/** Creates everything that a removal can affect, in both worlds: connections, tokens, codes and endpoints. */
async function inhabited() {
  const both = ['read:profile', 'read:investments']
  const app = await stage.app({ scopes: [...both, 'read:syndicates'] })
  for (const world of WORLDS) {
    const client = app[world]
    const wide = await aConnection(stage.db, client, { scopes: both })
    const only = await aConnection(stage.db, client, { scopes: ['read:investments'] })
    const other = await aConnection(stage.db, client, { scopes: ['read:profile'] })
    await aUserToken(stage.db, client, { on: wide, scopes: both })
    await aUserToken(stage.db, client, { on: only, scopes: ['read:investments'] })
    await aCode(stage.db, client, { on: only, scopes: ['read:investments'] })
    await aUserToken(stage.db, client, { on: other, scopes: ['read:profile'] })
    await stage.mint(client, wide, ['read:investments'])
    await stage.mint(client, wide, ['read:profile'])
    await stage.mint(client, only, ['read:investments'])
    await aClientToken(stage.db, client)
    // A connection that the user has replaced, and whose access tokens work until they expire.
    const replaced = await aConnection(stage.db, client, { scopes: ['read:profile', 'read:syndicates'] })
    await aUserToken(stage.db, client, { on: replaced, scopes: ['read:profile'] })
    await aConnection(stage.db, client, { scopes: ['read:investments'], user: replaced.user })
    await endpoint(app.id, { events: ['investment.changed'], world })
    await endpoint(app.id, { events: ['installation.*'], world })
    await endpoint(app.id, { events: ['investment.changed'], on: only, world })
  }
  return app
}

describe('POST /portal/api/apps/{id}/scopes/preview', () => {
  test('the previewed counts are the same as those of the removal afterwards, in each mode', async () => {
    const app = await inhabited()
    const before = { test: await countsIn('test', app.id), live: await countsIn('live', app.id) }
    const preview = await stage.preview(app.id, { remove: ['read:investments'] })
    expect([preview.status, preview.data.attributes]).toMatchObject([
      200,
      { scopes: ['read:profile', 'read:syndicates'], added: [], removed: ['read:investments'] },
    ])
    for (const world of WORLDS) expect(await countsIn(world, app.id)).toEqual(before[world])

    const { attributes: done } = (await stage.remove(app.id, ['read:investments'])).data
    const modes = modesOf(preview)
    const sum = (of: (mode: ModeEffects) => number) => of(modes.test) + of(modes.live)
    expect({
      installs_narrowed: sum(({ installations }) => installations.narrowed),
      installs_disconnected: sum(({ installations }) => installations.disconnected),
      tokens_revoked: sum(({ access_tokens }) => access_tokens.revoked),
      refresh_tokens_revoked: sum(({ refresh_tokens }) => refresh_tokens.revoked),
      endpoints_disabled: sum(({ endpoints }) => endpoints.disabled),
    }).toEqual({
      installs_narrowed: done['installs_narrowed'],
      installs_disconnected: done['installs_disconnected'],
      tokens_revoked: done['tokens_revoked'],
      refresh_tokens_revoked: done['refresh_tokens_revoked'],
      endpoints_disabled: done['endpoints_disabled'],
    })
    for (const world of WORLDS) {
      const { installations, access_tokens, refresh_tokens, endpoints } = modes[world]
      expect({
        installations: installations.before,
        tokens: access_tokens.before,
        families: refresh_tokens.before,
        endpoints: endpoints.before,
      }).toEqual(before[world])
      expect({
        installations: installations.after,
        tokens: access_tokens.after,
        families: refresh_tokens.after,
        endpoints: endpoints.after,
      }).toEqual(await countsIn(world, app.id))
      expect(installations).toMatchObject({ narrowed: 1, disconnected: 2, lacking_added: 0 })
      // The tokens of the replaced connection end with the newer connection.
      expect(access_tokens.revoked).toBe(5)
      expect(endpoints).toMatchObject({ before: 3, disabled: 1, losing_events: 1 })
    }
  })

  test('an addition revokes nothing; the response counts the installations that lack the scope until a new install', async () => {
    const app = await inhabited()
    const { data } = await stage.preview(app.id, { add: ['read:companies', 'read:profile'] })
    expect(data.attributes).toMatchObject({ added: ['read:companies'], removed: [] })
    const modes = data.attributes['modes'] as Record<World, ModeEffects>
    const counted = { test: await countsIn('test', app.id), live: await countsIn('live', app.id) }
    await stage.add(app.id, ['read:companies'])
    for (const world of WORLDS) {
      const lacking = await stage.db.sql(
        `select id from ${world}.installations where app_id = $1 and state = 'active' and not 'read:companies' = any(scopes)`,
        [app.id],
      )
      expect(modes[world].installations).toMatchObject({ narrowed: 0, disconnected: 0, lacking_added: lacking.length })
      expect(modes[world]).toMatchObject({
        access_tokens: { revoked: 0 },
        endpoints: { disabled: 0, losing_events: 0 },
      })
      expect(await countsIn(world, app.id)).toEqual(counted[world])
    }
  })

  test('a preview of an addition and a removal counts as if the scopes were added first', async () => {
    const app = await inhabited()
    const change = { add: ['read:companies'], remove: ['read:investments'] }
    const preview = modesOf(await stage.preview(app.id, change))
    await stage.add(app.id, change.add)
    const { attributes: done } = (await stage.remove(app.id, change.remove)).data
    expect(preview.test.access_tokens.revoked + preview.live.access_tokens.revoked).toBe(done['tokens_revoked'])
    // Two installations stay; both lack the added scope.
    expect(preview.test.installations).toMatchObject({ after: 2, lacking_added: 2 })
  })

  test('an installation on a company does not count as lacking a scope that has an effect only for people', async () => {
    const app = await inhabited()
    for (const world of WORLDS) {
      const company = await stage.db.databases[world].transaction((tx) => makeCompany(tx))
      // One of the four connections becomes an installation on a company.
      await stage.db.sql(
        `update ${world}.installations set target_type = 'company', user_id = null, company_id = $2, tier = 'founder'
          where id = (select min(id) from ${world}.installations where app_id = $1 and state = 'active')`,
        [app.id, company],
      )
    }
    const preview = modesOf(await stage.preview(app.id, { add: ['write:follows', 'read:referral_codes'] }))
    for (const world of WORLDS) {
      expect(preview[world].installations).toMatchObject({ before: 4, after: 4, lacking_added: 3 })
    }
  })

  test('rejects the same requests as the change, with the same error; an empty change has no effect', async () => {
    const app = await stage.app({ scopes: ['read:profile', 'write:syndicates', 'read:syndicates'] })
    const same = async (change: { add?: string[]; remove?: string[] }) => {
      const previewed = refusal(await stage.preview(app.id, change))
      expect(previewed).toEqual(
        refusal(await (change.add ? stage.add(app.id, change.add) : stage.remove(app.id, change.remove ?? []))),
      )
      return previewed[0]
    }
    expect(await same({ add: ['read:nonsense'] })).toBe(422)
    expect(await same({ add: ['read:attribution:full'] })).toBe(422)
    expect(await same({ remove: ['read:syndicates'] })).toBe(422)
    expect(await same({ remove: ['read:public'] })).toBe(422)
    expect((await stage.preview(app.id, {})).data.attributes).toMatchObject({ added: [], removed: [] })
    for (const state of ['suspended', 'disabled'] as const) {
      const stopped = await stage.app({ scopes: ['read:profile'], state })
      expect(refusal(await stage.preview(stopped.id, { add: ['read:companies'] })).slice(0, 2)).toEqual([
        409,
        'scope_change_blocked',
      ])
    }
  })

  test('200 for every role on the team; 404 for a stranger, another team and a removed member; 401 when signed out', async () => {
    const app = await stage.app({ scopes: ['read:profile'] })
    const change = { remove: ['read:profile'] }
    for (const role of ['owner', 'admin', 'developer'] as const) {
      expect((await stage.preview(app.id, change, stage.team[role])).status).toBe(200)
    }
    const commandLine = { send: await stage.service.commandLine(stage.team.developer.account) }
    expect((await stage.preview(app.id, change, commandLine)).status).toBe(200)
    const others = await aTeam(stage.service)
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [others.admin.account])
    for (const send of [await aStranger(stage.service), others.owner.send, others.admin.send]) {
      expect(refusal(await stage.preview(app.id, change, { send })).slice(0, 2)).toEqual([404, 'not_found'])
    }
    const removed = await aTeam(stage.service)
    await stage.db.sql('update platform.apps set organization_id = $2 where id = $1', [app.id, removed.organization])
    expect((await stage.preview(app.id, change, removed.developer)).status).toBe(200)
    await stage.db.sql('delete from platform.organization_members where account_id = $1', [removed.developer.account])
    expect((await stage.preview(app.id, change, removed.developer)).status).toBe(404)
    const signedOut = { send: await stage.service.as(null) }
    expect((await stage.preview(app.id, change, signedOut)).status).toBe(401)
  })
})
