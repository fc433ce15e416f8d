import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { anInvestment, anOffering, eventsIn, openEventStage } from './events/stage.ts'
import { authorizeUrl, callbackParams, consent, offeredOn, redeem, refresh } from './flow.ts'
import { aCompanyOf, INSTALLING, installer } from './installing.ts'
import { openIntentStage, reviewPath, shownOn } from './intents/stage.ts'
import { openStage, type Person, type Stage } from './stage.ts'

const DECLARED = ['read:profile', 'read:investments', ...INSTALLING]

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const disable = ({ account }: Pick<Person, 'account'>) =>
  stage.operator('POST', `/platform/accounts/${account}/disable`)
const enable = ({ account }: Pick<Person, 'account'>) => stage.operator('POST', `/platform/accounts/${account}/enable`)

async function connectPerson() {
  const { key, ...app } = await stage.app({ scopes: DECLARED, approved: true })
  const person = await stage.person()
  const tokens = await consent(stage, key, person, { scope: 'read:profile read:investments' })
  const me = (token = tokens.access_token) => stage.api(token)('GET', '/users/me')
  return { app: { ...app, key }, key, person, tokens, me }
}

/** Returns a code that the app has not redeemed yet. */
async function aCode(key: Parameters<typeof authorizeUrl>[0], person: Person): Promise<string | undefined> {
  const url = authorizeUrl(key, { scope: 'read:profile read:investments' })
  const scope = offeredOn(await person.browser.open(url))
  return callbackParams(await person.browser.submit(url, { decision: 'connect', scope }))['code']
}

describe('while an account is disabled', () => {
  test('user tokens of the account get 401 on the next request, and enabling restores tokens that have not expired', async () => {
    const { person, me } = await connectPerson()
    expect((await me()).status).toBe(200)
    await disable(person)
    const refused = await me()
    expect([refused.status, refused.error.type]).toEqual([401, 'invalid_token'])
    await enable(person)
    expect((await me()).status).toBe(200)
  })

  test('a token minted on the user’s own connection gets 401 too, and works again after enabling', async () => {
    const { key } = await stage.app({ scopes: DECLARED, approved: true })
    const [person, other] = [await stage.person(), await stage.person()]
    const mintToken = async (by: Person) => {
      const send = stage.api((await consent(stage, key, by, { scope: DECLARED.join(' ') })).access_token)
      const [connection] = (await send('GET', '/installations')).list
      const { status, token } = await send('POST', `/installations/${connection?.id}/tokens`, {})
      expect(status).toBe(201)
      return token.access_token
    }
    const [token, theirs] = [await mintToken(person), await mintToken(other)]
    const isIn = async (bearer: string) => (await stage.api(bearer)('GET', '/users/me')).status
    expect(await isIn(token)).toBe(200)
    await disable(person)
    expect([await isIn(token), await isIn(theirs)]).toEqual([401, 200])
    await enable(person)
    expect(await isIn(token)).toBe(200)
  })

  test('a token that expires meanwhile stays expired', async () => {
    const { person, me } = await connectPerson()
    await disable(person)
    await stage.advanceClock('PT2H1M')
    await enable(person)
    expect((await me()).status).toBe(401)
  })

  test('a refresh is rejected, uses up no token and never counts as reuse, even if repeated', async () => {
    const { key, person, tokens, me } = await connectPerson()
    await disable(person)
    for (let i = 0; i < 3; i++)
      expect(await refresh(stage, key, tokens)).toMatchObject({ status: 400, error: 'invalid_grant' })
    await enable(person)
    const renewed = await refresh(stage, key, tokens)
    expect(renewed.status).toBe(200)
    expect((await me(renewed.access_token)).status).toBe(200)
  })

  test('a refresh token that was used before is rejected, but ends no tokens until the account is enabled', async () => {
    const { key, person, tokens, me } = await connectPerson()
    const renewed = await refresh(stage, key, tokens)
    const again = await refresh(stage, key, renewed)
    await disable(person)
    expect((await refresh(stage, key, tokens)).status).toBe(400)
    await enable(person)
    expect((await me(again.access_token)).status).toBe(200)
    expect((await refresh(stage, key, tokens)).status).toBe(400)
    expect((await me(again.access_token)).status).toBe(401)
  })

  test('a code is rejected, and works after enabling if it has not expired', async () => {
    const { key, person } = await connectPerson()
    const [early, late] = [await aCode(key, person), await aCode(key, person)]
    await disable(person)
    expect(await redeem(stage, key, late)).toMatchObject({ status: 400, error: 'invalid_grant' })
    await enable(person)
    expect((await redeem(stage, key, late)).status).toBe(200)
    await stage.advanceClock('PT2M')
    expect((await redeem(stage, key, early)).status).toBe(400)
  })

  test('introspection says that the account’s tokens are not active', async () => {
    const { key, person, tokens } = await connectPerson()
    const active = async (token: string) => {
      const body = new URLSearchParams({ token, client_id: key.clientId, client_secret: key.secret })
      const response = await fetch(`${stage.service.url}/oauth/introspect`, { method: 'POST', body })
      return ((await response.json()) as { active: boolean }).active
    }
    expect([await active(tokens.access_token), await active(tokens.refresh_token)]).toEqual([true, true])
    await disable(person)
    expect([await active(tokens.access_token), await active(tokens.refresh_token)]).toEqual([false, false])
    await enable(person)
    expect([await active(tokens.access_token), await active(tokens.refresh_token)]).toEqual([true, true])
  })

  test('browsers of the account are signed out, and enabling does not sign them in', async () => {
    const person = await stage.person()
    const isSignedIn = async () => (await person.browser.open('/sign-in')).status === 303
    expect(await isSignedIn()).toBe(true)
    await disable(person)
    expect(await isSignedIn()).toBe(false)
    await enable(person)
    expect(await isSignedIn()).toBe(false)
  })

  test('other people’s tokens of the same app keep working', async () => {
    const { key, person } = await connectPerson()
    const other = await stage.person()
    const theirs = await consent(stage, key, other, { scope: 'read:profile' })
    await disable(person)
    expect((await stage.api(theirs.access_token)('GET', '/users/me')).status).toBe(200)
  })

  test('an app that the person installed on a company keeps working with its token there', async () => {
    const { app, person } = await connectPerson()
    const send = await installer(stage, app, person)
    const target = await aCompanyOf(stage, person)
    const { status, token } = await send('POST', '/installations', { ...target, scopes: ['read:investments'] })
    expect(status).toBe(201)
    const isIn = async () => (await stage.identityOf(token.access_token)) !== null
    expect(await isIn()).toBe(true)
    await disable(person)
    expect(await isIn()).toBe(true)
    expect((await send('GET', '/installations')).status).toBe(401)
  })

  test('a user who is linked to the account while it is disabled loses access too', async () => {
    const { person, me } = await connectPerson()
    const { db } = stage.service
    await db.sql('delete from platform.account_users where account_id = $1', [person.account])
    await disable(person)
    expect((await me()).status).toBe(200)
    await stage.operator('PUT', `/platform/accounts/${person.account}/users/test`, { user: person.user })
    expect((await me()).status).toBe(401)
  })
})

describe('intents', () => {
  test('cannot be decided by a disabled account, even on a page that it opened before', async () => {
    const intents = await openIntentStage()
    const [ada, grace] = [await intents.person('Ada Lovelace'), await intents.person('Grace Hopper')]
    const syndicate = await intents.syndicate({ full_access: grace, operator: ada, name: 'Engine Backers' })
    const api = await intents.as(ada, ['write:syndicates'])
    const deal = await intents.deal(syndicate)
    const { meta } = await api('POST', `/syndicates/${syndicate}/deals/${deal}/close`)
    const { id } = meta['close_deal_intent'] as { id: string }
    const browser = await intents.browser(grace)
    const shown = shownOn((await browser.open(reviewPath(id))).text)
    await intents.service.db.sql('update platform.accounts set disabled_at = now() where id = $1', [grace.account])
    const { status, location } = await browser.submit(reviewPath(id), { decision: 'approve', shown })
    expect([status, location]).toEqual([303, expect.stringContaining('/sign-in')])
    expect(await intents.stateOf(id)).toBe('pending')
    await intents.close()
  })
})

describe('deliveries through the connection of a disabled account', () => {
  test('stop, also for earlier events, and continue after enabling; the company’s deliveries are not affected', async () => {
    const events = await openEventStage()
    onTestFinished(() => events.close())
    const [founder, investor] = [await events.person(), await events.person()]
    const on = await aCompanyOf(events, founder)
    const offering = await anOffering(events, on.target_id)
    const app = await events.partner(['read:companies', 'read:investments'])
    const installation = await events.install(app, founder, on)
    await consent(events, app.key, investor, { scope: 'read:investments' })
    const listener = await events.listen(app, { events: ['investment.created', 'investment.amount_changed'] })
    const heardOf = async () => {
      const all = await listener.received()
      const ofCompany = all.filter((each) => each.installation?.id === installation)
      return { company: eventsIn(ofCompany), own: eventsIn(all.filter((each) => !ofCompany.includes(each))) }
    }
    const id = await anInvestment(events, { offering, investor })
    await events.operator('POST', `/platform/accounts/${investor.account}/disable`)
    expect(await heardOf()).toEqual({ company: ['investment.created'], own: [] })
    await events.sendFact('investment.amount_changed', { id, amount_cents: 30_000 })
    expect((await heardOf()).own).toEqual([])
    await events.operator('POST', `/platform/accounts/${investor.account}/enable`)
    await events.sendFact('investment.amount_changed', { id, amount_cents: 40_000 })
    expect(await heardOf()).toEqual({
      company: ['investment.created', 'investment.amount_changed', 'investment.amount_changed'],
      own: ['investment.amount_changed'],
    })
    const path = `/webhook_endpoints/${listener.id}/deliveries`
    const canceled = (await (await events.manage(app))('GET', path)).list.filter(
      ({ attributes }) => attributes['status'] === 'canceled',
    )
    expect(canceled.map(({ attributes }) => attributes['reason'])).toEqual(['account_disabled', 'account_disabled'])
  })
})
