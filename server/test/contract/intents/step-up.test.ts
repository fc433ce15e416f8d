import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hiddenFields } from '#access/accounts/testing/browser.ts'
import type { TestBrowser } from '#http/testing/browser.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { type IntentStage, openIntentStage, type Person, reviewPath, shownOn } from './stage.ts'

const PASSWORD = 'lantern over a quiet harbour'

let stage: IntentStage
let ada: Person
let grace: Person
let adas: TestBrowser
let syndicate: Id<'syndicate'>
beforeAll(async () => {
  stage = await openIntentStage({ environment: { PORTICO_LIMITS: 'off', PORTICO_STEP_UP_AMOUNT: '1000' } })
  ada = await stage.person('Ada Lovelace')
  const hash = await quickHasher.hash(PASSWORD)
  await stage.service.db.sql('update platform.accounts set password_hash = $2 where id = $1', [ada.account, hash])
  grace = await stage.person('Grace Hopper')
  syndicate = await stage.syndicate({ full_access: ada })
  await stage.arrange((tx) =>
    setManager(tx, { syndicateId: syndicate, userId: grace.user, permission: 'full_access' }, occasionAt()),
  )
  adas = await stage.browser(ada)
})
afterAll(() => stage?.close())

/** Creates another manager's intent to close a deal with this committed amount. */
async function proposeClose(committedCents: number, app = stage.app) {
  const deal = await stage.deal(syndicate)
  await stage.arrange((tx) => makeInvestment(tx, { offering: deal, amount_cents: committedCents as Cents }))
  const { meta } = await (await stage.as(grace, undefined, app))('POST', `/syndicates/${syndicate}/deals/${deal}/close`)
  return (meta['close_deal_intent'] as { id: string }).id
}

const age = () =>
  stage.service.db.sql(
    `update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1`,
    [ada.account],
  )

const press = async (id: string) => {
  const path = reviewPath(id)
  const fields = { decision: 'approve', shown: shownOn((await adas.open(path)).text) }
  return { fields, sent: await adas.submit(path, fields) }
}

describe('an approval above PORTICO_STEP_UP_AMOUNT', () => {
  test('without a recent proof, decides nothing until the person confirms with the password and the same form is sent again', async () => {
    const id = await proposeClose(100_100)
    await age()
    const { fields, sent } = await press(id)
    expect(sent.status).toBe(307)
    expect(sent.location).toBe(
      `/sign-in/confirm/form?${new URLSearchParams({ for: reviewPath(id), return_to: reviewPath(id) })}`,
    )
    expect(await stage.stateOf(id)).toBe('pending')
    const confirming = await adas.submit(sent.location ?? '', fields)
    const carried = { ...hiddenFields(confirming.text), password: PASSWORD }
    expect((await adas.submit('/sign-in/confirm', { ...carried, password: 'wrong' })).status).toBe(422)
    expect(await stage.stateOf(id)).toBe('pending')
    const confirmed = await adas.submit('/sign-in/confirm', carried)
    expect([confirmed.status, confirmed.location]).toEqual([307, reviewPath(id)])
    expect((await adas.submit(reviewPath(id), carried)).status).toBe(303)
    expect(await stage.stateOf(id)).toBe('executed')
  })

  test('has to be repeated if the shown content changed while the person confirmed', async () => {
    const app = await stage.client()
    const id = await proposeClose(100_100, app)
    await age()
    const { fields, sent } = await press(id)
    const confirming = await adas.submit(sent.location ?? '', fields)
    const carried = { ...hiddenFields(confirming.text), password: PASSWORD }
    await stage.service.db.sql(`update platform.apps set name = 'Desk of Deals' where id = $1`, [app.app])
    await adas.submit('/sign-in/confirm', carried)
    const confirmPage = await adas.submit(reviewPath(id), carried)
    expect([confirmPage.status, confirmPage.text.includes('now Desk of Deals')]).toEqual([409, true])
    expect(await stage.stateOf(id)).toBe('pending')
  })

  test('needs no confirmation right after a proof; an approval of exactly the amount and a rejection never need it', async () => {
    const at = await proposeClose(100_000)
    await age()
    expect((await press(at)).sent.location).toBe(reviewPath(at))
    expect(await stage.stateOf(at)).toBe('executed')
    const above = await proposeClose(100_100)
    await adas.open(reviewPath(above))
    await adas.submit(reviewPath(above), { decision: 'reject' })
    expect(await stage.stateOf(above)).toBe('rejected')
    const proven = await proposeClose(100_100)
    adas = await stage.browser(ada)
    expect((await press(proven)).sent.location).toBe(reviewPath(proven))
    expect(await stage.stateOf(proven)).toBe('executed')
  })
})
