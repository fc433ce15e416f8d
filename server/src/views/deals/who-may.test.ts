import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeInstallation } from '#access/installations/index.ts'
import { SCOPE_CATALOGUE, SCOPE_NAMES } from '#access/scopes/index.ts'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { endManager } from '#market/syndicates/index.ts'
import { syndicatePortfolioRoutes } from '#views/portfolio/http.ts'
import { refusal } from '#views/profile/testing/stage.ts'
import { type DealStage, openDealStage } from './testing/deal-stage.ts'

let stage: DealStage
beforeAll(async () => {
  stage = await openDealStage(syndicatePortfolioRoutes)
})
afterAll(() => stage.close())

const SCOPES = ['read:syndicates'] as const
const OPENING: readonly string[] = ['read:syndicates', 'write:syndicates', 'read:mcp']
const PATHS = [
  'deals',
  'deals/{deal}',
  'deals/{deal}/investors',
  'members/{member}/investments',
  'statistics',
  'portfolio',
  'portfolio/positions',
] as const

/** A syndicate with a deal and a member, and the path of one of its routes. */
async function staged(path: string, settings: { readonly published?: boolean } = {}) {
  const run = await stage.run(settings)
  const deal = await stage.deal(run.syndicate)
  const member = await stage.member(run.syndicate)
  const at = path.replace('{deal}', deal).replace('{member}', member.id)
  return { ...run, deal, member, path: `/syndicates/${run.syndicate}/${at}` }
}

describe.each(PATHS)('GET /syndicates/{syndicate_id}/%s', (what) => {
  test('one scope is enough: read:syndicates or a scope that includes it', async () => {
    const { manager, path } = await staged(what)
    for (const scope of SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].holders.includes('user'))) {
      const response = await (await stage.as(manager, [scope]))('GET', path)
      if (OPENING.includes(scope)) expect([scope, response.status]).toEqual([scope, 200])
      else expect([scope, ...refusal(response)]).toEqual([scope, 403, 'insufficient_scope'])
    }
  })

  test('200 for a manager with the permission operator, and for an app on that syndicate', async () => {
    const { syndicate, path } = await staged(what)
    const operator = await stage.user()
    await stage.db.sql(
      `insert into test.syndicate_managers (syndicate_id, user_id, permission) values ($1, $2, 'operator')`,
      [syndicate, operator],
    )
    for (const send of [await stage.as(operator, SCOPES), await stage.installedOn({ syndicate }, SCOPES)]) {
      expect((await send('GET', path)).status).toBe(200)
    }
  })

  test('403 forbidden for a plain member, and for a stranger if the syndicate is public', async () => {
    const { member, path } = await staged(what)
    expect(refusal(await (await stage.as(member.user, SCOPES))('GET', path))).toEqual([403, 'forbidden'])
    const open = await staged(what, { published: true })
    for (const send of [await stage.as(await stage.user(), SCOPES), (await stage.run()).send]) {
      expect(refusal(await send('GET', open.path))).toEqual([403, 'forbidden'])
    }
  })

  test('404 for a stranger, a manager of another syndicate and an app on another one, with the same error as for an unknown syndicate', async () => {
    const { syndicate, path } = await staged(what)
    const other = await stage.run()
    const missing = await other.send('GET', path.replace(syndicate, newId('syndicate')))
    expect(refusal(missing)).toEqual([404, 'not_found'])
    for (const send of [
      other.send,
      await stage.as(await stage.user(), SCOPES),
      await stage.installedOn({ syndicate: other.syndicate }, SCOPES),
    ]) {
      const rejected = await send('GET', path)
      expect({ ...rejected.error, request_id: '' }).toEqual({ ...missing.error, request_id: '' })
    }
  })

  test('403 forbidden for an app on a company, and for a former manager', async () => {
    const { syndicate, manager, send, path } = await staged(what, { published: true })
    const onCompany = await stage.installedOn({ company: await stage.company() }, SCOPES)
    expect(refusal(await onCompany('GET', path))).toEqual([403, 'forbidden'])
    expect((await send('GET', path)).status).toBe(200)
    await stage.arrange((tx) => endManager(tx, { syndicateId: syndicate, userId: manager }))
    expect(refusal(await send('GET', path))).toEqual([403, 'forbidden'])
  })

  test('401 without a token and after the installation was revoked; 403 insufficient_scope for the app’s own token', async () => {
    const { syndicate, path } = await staged(what)
    expect(refusal(await stage.bearer(null)('GET', path))).toEqual([401, 'invalid_token'])
    const client = await stage.client()
    const { accessToken } = await aClientToken(stage.db, client)
    for (const bearer of [accessToken, client.keyId]) {
      expect(refusal(await stage.bearer(bearer)('GET', path))).toEqual([403, 'insufficient_scope'])
    }
    const send = await stage.installedOn({ syndicate }, SCOPES, client)
    const [row] = await stage.db.sql<{ id: Id<'installation'> }>(
      'select id from test.installations where syndicate_id = $1',
      [syndicate],
    )
    const changeContext = { cause: 'test', caused: [], onRevoked: [] }
    const id = row?.id ?? newId('installation')
    await stage.arrange((tx) => revokeInstallation(tx, { id, role: 'manager' }, changeContext))
    expect(refusal(await send('GET', path))).toEqual([401, 'invalid_token'])
  })

  test('404 with a token of the other world', async () => {
    const { path } = await staged(what, { published: true })
    const send = await stage.as(await stage.user({}, 'live'), SCOPES, await stage.client({ world: 'live' }))
    expect(refusal(await send('GET', path))).toEqual([404, 'not_found'])
  })
})
