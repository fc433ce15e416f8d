import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disconnectUser } from '#access/installations/index.ts'
import { SCOPE_CATALOGUE, SCOPE_NAMES } from '#access/scopes/index.ts'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { refusal } from '#views/profile/testing/stage.ts'
import { openPortfolioStage, type PortfolioStage } from './testing/portfolio-stage.ts'

let stage: PortfolioStage
beforeAll(async () => {
  stage = await openPortfolioStage()
})
afterAll(() => stage.close())

const PATHS = ['/portfolio', '/portfolio/positions'] as const
const SCOPES = ['read:investments'] as const
const OPENING: readonly string[] = ['read:investments', 'write:investments']

describe.each(PATHS)('GET %s', (path) => {
  test('one scope is enough: read:investments or a scope that includes it', async () => {
    const user = await stage.user()
    for (const scope of SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].holders.includes('user'))) {
      const response = await (await stage.as(user, [scope]))('GET', path)
      if (OPENING.includes(scope)) expect([scope, response.status]).toEqual([scope, 200])
      else {
        expect([scope, ...refusal(response)]).toEqual([scope, 403, 'insufficient_scope'])
        expect(response.headers.get('www-authenticate')).toContain('scope="read:investments"')
      }
    }
  })

  test('401 without a token; 403 insufficient_scope for the app’s own token and for its key', async () => {
    expect(refusal(await stage.bearer(null)('GET', path))).toEqual([401, 'invalid_token'])
    const client = await stage.client()
    const { accessToken } = await aClientToken(stage.db, client)
    for (const bearer of [accessToken, client.keyId]) {
      expect(refusal(await stage.bearer(bearer)('GET', path))).toEqual([403, 'insufficient_scope'])
    }
  })

  test('a token minted on the user’s own connection acts for that user', async () => {
    const [user, client] = [await stage.user(), await stage.client()]
    await stage.stake({ user, offering: await stage.offering() })
    const [own, minted] = [await stage.as(user, SCOPES), await stage.installedOn({ user }, SCOPES, client)]
    const [seen, also] = [await own('GET', path), await minted('GET', path)]
    expect(also.status).toBe(200)
    const timeless = ({ text }: typeof seen) => text.replace(/"as_of":"[^"]+"/g, '')
    expect(timeless(also)).toBe(timeless(seen))
  })

  test('403 forbidden for a token on a company or a syndicate, which gives no access to the installer’s account', async () => {
    const syndicate = await stage.arrange((tx) => makeSyndicate(tx))
    for (const target of [{ company: await stage.company() }, { syndicate }]) {
      const send = await stage.installedOn(target, SCOPES)
      expect(refusal(await send('GET', path))).toEqual([403, 'forbidden'])
    }
  })

  test('401 after the user has disconnected the app', async () => {
    const [user, client] = [await stage.user(), await stage.client()]
    const send = await stage.as(user, SCOPES, client)
    const gone = { appId: client.app, userId: user, role: 'user' as const }
    await stage.arrange((tx) => disconnectUser(tx, gone, { cause: 'test', caused: [], onRevoked: [] }))
    expect(refusal(await send('GET', path))).toEqual([401, 'invalid_token'])
  })

  test('401 after the user was deactivated', async () => {
    const user = await stage.user()
    const send = await stage.as(user, SCOPES)
    await stage.arrange((tx) => forgetUser(tx, user, occasionAt()))
    expect(refusal(await send('GET', path))).toEqual([401, 'invalid_token'])
  })

  test('a token of the other world sees that world’s portfolio, and a company of this world is unknown there', async () => {
    const company = await stage.company()
    const client = await stage.client({ world: 'live' })
    const send = await stage.as(await stage.user({}, 'live'), SCOPES, client)
    expect((await send('GET', path)).status).toBe(200)
    expect(refusal(await send('GET', `${path}?company=${company}`))).toEqual([404, 'not_found'])
  })
})
