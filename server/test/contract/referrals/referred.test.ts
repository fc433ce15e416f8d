import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { narrowInstallations } from '#access/installations/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { releaseWeek, tokenKeyBox } from '#referrals/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { testChangeContext } from '#test/installations.ts'
import { anOffering, type Envelope, type EventStage, openEventStage } from '../events/stage.ts'
import { consent } from '../flow.ts'
import { aCompanyOf, type Target } from '../installing.ts'
import type { Person } from '../stage.ts'
import { aCode, aMarketer, installPartner, invest, type Marketer, reportVisit } from './stage.ts'

/**
 * "investment.referred reaches the app only through an installation on the investment's company that grants
 * read:attribution:anonymized; otherwise never, in any form." The tests send facts and read what the receiver gets.
 */

let stage: EventStage
let founder: Person
let investor: Person
let marketer: Marketer
beforeAll(async () => {
  stage = await openEventStage()
  founder = await stage.person()
  investor = await stage.person()
})
afterAll(() => stage.close())

let on: Target
let company: string
let offering: string
let code: string
let codeId: string
beforeEach(async () => {
  marketer ??= await aMarketer(stage)
  on = await aCompanyOf(stage, founder)
  company = on.target_id
  offering = await anOffering(stage, company)
  code = aCode()
  codeId = await marketer.code(code)
})

const about = (envelopes: readonly Envelope[], of = company) => envelopes.filter(({ data }) => data['company'] === of)
const referredTo = async (who = marketer, of = company) => about(await who.referred(), of)
const install = (scopes?: readonly string[], who = marketer, target = on) =>
  installPartner(stage, { app: who.app, by: founder, on: target, ...(scopes === undefined ? {} : { scopes }) })
/** Reads the stored credits of an investment. A credit can exist although no event is sent. */
const credits = (investment: string) =>
  stage.service.db.sql<{ code_id: string; time_to_invest: string }>(
    'select code_id, time_to_invest from test.referral_credits where investment_id = $1',
    [investment],
  )

describe('investment.referred', () => {
  test('is sent through an installation with read:attribution:anonymized: the code, the company and the anonymized row', async () => {
    const installation = await install()
    await reportVisit(stage, investor, company, code.toUpperCase())
    const id = await invest(stage, { offering, investor, cents: 500_000 })
    const [event, ...more] = await referredTo()
    expect(more).toEqual([])
    expect(event?.installation).toEqual({ id: installation, target: { type: 'company', id: company } })
    expect(event?.data).toEqual({
      referral_code: codeId,
      company,
      investment_token: expect.stringMatching(/^[\w-]{24}$/),
      investor_token: expect.stringMatching(/^[\w-]{24}$/),
      week: expect.stringMatching(/^\d{4}-W\d\d$/),
      amount_tier: 'medium',
      status: 'active',
      time_to_invest: 'direct',
    })
    // The event contains neither the investor's id, name and email nor the investment's id, amount and offering.
    const sent = JSON.stringify(event)
    for (const secret of [id, investor.user, investor.email, 'Ada', '5000', offering])
      expect(sent).not.toContain(secret)
  })

  test('is sent to an endpoint bound to the installation too, but not to an endpoint bound to another company’s installation', async () => {
    const [here, elsewhere] = [await install(), await install(undefined, marketer, await aCompanyOf(stage, founder))]
    const bound = (installation_id: string) =>
      stage.listen(marketer.app, { events: ['investment.referred'], installation_id })
    const [boundHere, boundElsewhere] = [await bound(here), await bound(elsewhere)]
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering, investor })
    expect(about(await boundHere.received())).toHaveLength(1)
    expect(await boundElsewhere.received()).toEqual([])
  })

  test('is sent with read:attribution:full, which implies read:attribution:anonymized', async () => {
    const full = await aMarketer(stage, { programs: [{ program: 'founder' }] })
    const mine = aCode()
    await full.code(mine)
    await install(['read:attribution:full'], full)
    await reportVisit(stage, investor, company, mine)
    await invest(stage, { offering, investor })
    expect(await referredTo(full)).toHaveLength(1)
  })

  test('is never sent without an installation on the company, or through an installation without the scope', async () => {
    const [none, other] = [await aMarketer(stage), await aMarketer(stage)]
    await install(['read:companies', 'read:attribution:aggregate'], other)
    // The app is installed with the scope on another company, and the investor has connected it.
    await install(undefined, none, await aCompanyOf(stage, founder))
    await consent(stage, none.app.key, investor, { scope: 'read:companies' })
    for (const who of [none, other]) {
      const mine = aCode()
      await who.code(mine)
      await reportVisit(stage, investor, company, mine)
      expect(await credits(await invest(stage, { offering, investor }))).toHaveLength(1)
      expect(await referredTo(who)).toEqual([])
    }
  })

  test('is never sent to an app whose code was not credited, even if it has the same scope on the same company', async () => {
    const bystander = await aMarketer(stage)
    await bystander.code(aCode())
    await install()
    await install(undefined, bystander)
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering, investor })
    expect(await referredTo()).toHaveLength(1)
    expect(await referredTo(bystander)).toEqual([])
  })

  test('is never sent after the app lost the scope, although the installation stays', async () => {
    const losing = await aMarketer(stage)
    const mine = aCode()
    await losing.code(mine)
    await install(undefined, losing)
    const removed = ['read:attribution:anonymized']
    const narrowing = {
      world: 'test',
      app: losing.app.id as Id<'app'>,
      allowed: ['read:companies'],
      removed,
      role: 'partner',
    } as const
    await stage.service.db.databases.platform.transaction((tx) =>
      narrowInstallations(tx, narrowing, testChangeContext()),
    )
    await reportVisit(stage, investor, company, mine)
    expect(await credits(await invest(stage, { offering, investor }))).toHaveLength(1)
    expect(await referredTo(losing)).toEqual([])
  })

  test('is never sent about an investment made while the installation was revoked, even if the app is installed again', async () => {
    const installation = await install()
    await stage.operator('DELETE', `/platform/installations/${installation}`, undefined, 'test')
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering, investor })
    expect(await referredTo()).toEqual([])
    await install()
    expect(await referredTo()).toEqual([])
  })

  test('is not sent if the installation is revoked before the event is fanned out', async () => {
    const installation = await install()
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering, investor })
    // The event is recorded, but not fanned out yet.
    await stage.operator('DELETE', `/platform/installations/${installation}`, undefined, 'test')
    expect(await referredTo()).toEqual([])
  })

  test('is never sent about an investment that the company may no longer see', async () => {
    await install()
    await reportVisit(stage, investor, company, code)
    const id = await invest(stage, { offering, investor })
    await stage.sendFact('investment.hidden', { id })
    expect(await referredTo()).toEqual([])
  })

  test('is not caused by a click that is reported in the other world, where the code is unknown', async () => {
    await install()
    // A user and a company with the same ids exist in both worlds and are unrelated.
    await stage.sendFact(
      'company.created',
      { id: company, name: 'Namesake', page_url: 'https://platform.example/n' },
      'live',
    )
    await stage.sendFact('referral.visited', { user: investor.user, company, code }, 'live')
    expect(await stage.service.db.sql('select from live.referral_visits')).toEqual([])
    await invest(stage, { offering, investor })
    expect(await referredTo()).toEqual([])
  })

  test('has fake records in a test delivery: no real code, company or token of a person', async () => {
    await install()
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering, investor })
    const [real] = await referredTo()
    const send = await stage.manage(marketer.app)
    const path = `/webhook_endpoints/${marketer.listener.id}/test`
    expect((await send('POST', path, { event: 'investment.referred' })).status).toBeLessThan(300)
    const test = (await marketer.referred()).find(({ id }) => id.startsWith('evt_test_'))
    expect(test?.data).toMatchObject({ referral_code: 'rc_example', company: 'co_example' })
    expect(test?.data['investor_token']).not.toBe(real?.data['investor_token'])
  })

  test('is in no response of the sandbox, even to the caller that caused it', async () => {
    await install()
    const other = await aMarketer(stage)
    const body = { offering, investor: investor.user, amount_cents: 25_000, ref: code }
    for (const { send } of [other, marketer]) {
      const { status, meta } = await send('POST', '/sandbox/investments', body)
      expect(status).toBe(201)
      expect(JSON.stringify(meta)).not.toContain('referred')
      expect(meta['event_count']).toBe(1)
    }
    expect(await referredTo()).toHaveLength(2)
    expect(await referredTo(other)).toEqual([])
  })
})

describe('the tokens', () => {
  const tokens = (envelopes: readonly Envelope[]) =>
    envelopes.map(({ data }) => [data['investor_token'], data['investment_token']])

  test('are one investor_token for each investor of a company, and one investment_token for each investment', async () => {
    await install()
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering, investor })
    await invest(stage, { offering, investor })
    const [[one, first] = [], [two, second] = []] = tokens(await referredTo())
    expect(one).toBe(two)
    expect(first).not.toBe(second)
  })

  test('differ between companies and between apps, so that a person cannot be linked', async () => {
    const other = await aMarketer(stage)
    const others = aCode()
    await other.code(others)
    const there = await aCompanyOf(stage, founder)
    const elsewhere = await anOffering(stage, there.target_id)
    await install()
    await install(undefined, marketer, there)
    await install(undefined, other)
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering, investor })
    await reportVisit(stage, investor, there.target_id, code)
    await invest(stage, { offering: elsewhere, investor })
    await reportVisit(stage, investor, company, others)
    await invest(stage, { offering, investor })
    const seen = [
      ...tokens(await referredTo()),
      ...tokens(await referredTo(marketer, there.target_id)),
      ...tokens(await referredTo(other)),
    ]
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(([person]) => person)).size).toBe(3)
  })
})

describe('a credit', () => {
  const creditOf = async (investment: string) => (await credits(investment))[0] ?? null

  test('is given for the last click on the page of the investment’s company, with the code of any app', async () => {
    const other = await aMarketer(stage)
    const [others, later] = [aCode(), aCode()]
    await other.code(others)
    const laterId = await marketer.code(later)
    await reportVisit(stage, investor, company, code)
    await reportVisit(stage, investor, company, others)
    await reportVisit(stage, investor, company, later)
    await reportVisit(stage, investor, (await aCompanyOf(stage, founder)).target_id, others)
    expect(await creditOf(await invest(stage, { offering, investor }))).toMatchObject({ code_id: laterId })
  })

  test('is not given without a click, for another person’s click, or for a click on another company’s page', async () => {
    const stranger = await stage.person()
    await reportVisit(stage, stranger, company, code)
    await reportVisit(stage, investor, (await aCompanyOf(stage, founder)).target_id, code)
    expect(await creditOf(await invest(stage, { offering, investor }))).toBeNull()
  })

  test('is given for a reservation too', async () => {
    await install()
    const waters = await anOffering(stage, company, { waters: true })
    await reportVisit(stage, investor, company, code)
    await invest(stage, { offering: waters, investor })
    expect((await referredTo())[0]?.data).toMatchObject({ status: 'reserved' })
  })

  test('is not given while the last clicked code is paused, not even to an earlier code, and is given after the code is resumed', async () => {
    const before = aCode()
    await marketer.code(before)
    await reportVisit(stage, investor, company, before)
    await reportVisit(stage, investor, company, code)
    const stored = await invest(stage, { offering, investor })
    await marketer.send('PATCH', `/referral_codes/${codeId}`, { status: 'paused' })
    expect(await creditOf(await invest(stage, { offering, investor }))).toBeNull()
    const other = await stage.person()
    await reportVisit(stage, other, company, code)
    await marketer.send('PATCH', `/referral_codes/${codeId}`, { status: 'active' })
    // A click on a paused code does not count.
    expect(await creditOf(await invest(stage, { offering, investor: other }))).toBeNull()
    expect(await creditOf(await invest(stage, { offering, investor }))).toMatchObject({ code_id: codeId })
    expect(await creditOf(stored)).toMatchObject({ code_id: codeId })
  })

  test('is not given to a suspended app', async () => {
    const suspended = await aMarketer(stage)
    const mine = aCode()
    await suspended.code(mine)
    await reportVisit(stage, investor, company, mine)
    await stage.operator('POST', `/platform/apps/${suspended.app.id}/suspend`, { reason: 'Spam' })
    expect(await creditOf(await invest(stage, { offering, investor }))).toBeNull()
  })

  test('is not given for an unknown code, but the visit and the investment are accepted', async () => {
    await reportVisit(stage, investor, company, 'nobodys-code')
    const id = await invest(stage, { offering, investor, referral: { code: 'nobodys-code' } })
    expect(await creditOf(id)).toBeNull()
  })

  test('can be set by the host, to a code or to no code, and the click must not be later than the investment', async () => {
    const own = aCode()
    const ownId = await marketer.code(own)
    await reportVisit(stage, investor, company, code)
    const hour = 3_600_000
    const clicked_at = new Date(Date.now() - 20 * hour).toISOString()
    const reported = await invest(stage, { offering, investor, referral: { code: own, clicked_at } })
    expect(await creditOf(reported)).toEqual({ code_id: ownId, time_to_invest: 'assisted' })
    expect(await creditOf(await invest(stage, { offering, investor, referral: null }))).toBeNull()
    const later = new Date(Date.now() + hour).toISOString()
    const refused = invest(stage, { offering, investor, referral: { code: own, clicked_at: later } })
    await expect(refused).rejects.toThrow('too_late')
  })

  test('stays with its code after any change of the investment, and its event is sent once', async () => {
    await install()
    await reportVisit(stage, investor, company, code)
    const id = await invest(stage, { offering, investor })
    const other = await anOffering(stage, company)
    const successor = newId('investment')
    await stage.sendFact('investment.moved', { id, offering: other, successor })
    await reportVisit(stage, investor, company, await fresh())
    await stage.sendFact('investment.canceled', { id: successor })
    await stage.sendFact('investment.reinstated', { id: successor })
    expect(await creditOf(id)).toMatchObject({ code_id: codeId })
    expect(await creditOf(successor)).toBeNull()
    expect(await referredTo()).toHaveLength(1)
  })

  async function fresh(): Promise<string> {
    const made = aCode()
    await marketer.code(made)
    return made
  }

  test('stays when the person is erased, without the time of the click, and the person’s clicks are deleted', async () => {
    const leaving = await stage.person()
    await reportVisit(stage, leaving, company, code)
    const id = await invest(stage, { offering, investor: leaving })
    await stage.sendFact('user.deactivated', { id: leaving.user })
    const { db } = stage.service
    expect(await db.sql('select from test.referral_visits where user_id = $1', [leaving.user])).toEqual([])
    const stored = await db.sql('select clicked_at from test.referral_credits where investment_id = $1', [id])
    expect(stored).toEqual([{ clicked_at: null }])
    // New clicks of an erased person are not stored.
    await reportVisit(stage, leaving, company, code)
    expect(await db.sql('select from test.referral_visits where user_id = $1', [leaving.user])).toEqual([])
  })
})

/**
 * "Tokens match those of investment.referred for the same company." The facts of this test have real time, so it runs
 * before the tests that move the clock further.
 */
test('the row of a credit in GET /referral_codes/{id}/stats equals the event, once its week is published', async () => {
  await install()
  await reportVisit(stage, investor, company, code)
  await invest(stage, { offering, investor, cents: 500_000 })
  const [event] = await referredTo()
  const { referral_code, company: at, ...row } = event?.data ?? {}
  expect([referral_code, at]).toEqual([codeId, company])
  const { db, secret } = stage.service
  const releasing = {
    ...{ peopleMin: 5, tokenKeys: tokenKeyBox(keyring(secret)('referral-tokens')) },
    onUnopened: () => {
      throw new Error('the service has another secret')
    },
  }
  await stage.advanceClock('P7D')
  while (await db.databases.test.transaction((tx) => releaseWeek(tx, releasing)));
  const { list } = await marketer.send('GET', `/referral_codes/${codeId}/stats`)
  const [part] = (list[0] as unknown as { companies: readonly object[] }).companies
  expect(part).toEqual({ company, detail: 'anonymized', rows: [row], corrections: [] })
})

describe('changes over time', () => {
  test.each([
    ['PT59M', 'direct'],
    ['PT23H', 'assisted'],
    ['P20D', 'delayed'],
    ['P31D', null],
  ])('an investment %s after the click has time_to_invest %s (null: it has no credit)', async (duration, expected) => {
    const play = (path: string, body: object) => stage.operator('POST', `/sandbox${path}`, body, 'test')
    await play(`/users/${investor.user}/visit`, { company, ref: code })
    await stage.advanceClock(duration)
    const { data } = await play('/investments', { offering, investor: investor.user, amount_cents: 25_000 })
    const [credit] = await credits(data.id)
    expect(credit?.time_to_invest ?? null).toBe(expected)
  })
})
