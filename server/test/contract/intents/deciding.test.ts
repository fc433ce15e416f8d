import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBrowser } from '#http/testing/browser.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { startClosing, updateOffering } from '#market/offerings/index.ts'
import { endManager, setManager } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeMembership } from '#test/syndicates.ts'
import type { Send } from '../sender.ts'
import { approve, type IntentStage, openIntentStage, type Person, reviewPath, shownOn } from './stage.ts'

let stage: IntentStage
let ada: Person
let grace: Person
let oscar: Person
let syndicate: Id<'syndicate'>
let api: Send
let adas: TestBrowser
let graces: TestBrowser
beforeAll(async () => {
  stage = await openIntentStage()
  ada = await stage.person('Ada Lovelace')
  grace = await stage.person('Grace Hopper')
  oscar = await stage.person('Oscar Operator')
  syndicate = await stage.syndicate({ full_access: ada, operator: oscar, name: 'Engine Backers' })
  await stage.arrange((tx) =>
    setManager(tx, { syndicateId: syndicate, userId: grace.user, permission: 'full_access' }, occasionAt()),
  )
  api = await stage.as(ada, ['write:syndicates', 'read:profile'])
  adas = await stage.browser(ada)
  graces = await stage.browser(grace)
})
afterAll(() => stage?.close())

async function proposeClose(send: Send = api) {
  const deal = await stage.deal(syndicate)
  const { meta } = await send('POST', `/syndicates/${syndicate}/deals/${deal}/close`)
  return { deal, id: (meta['close_deal_intent'] as { id: Id<'intent'> }).id }
}

describe('the review page', () => {
  test('shows the effect, the syndicate and the proposer, and marks irreversible effects and the sandbox', async () => {
    const { id } = await proposeClose()
    const { status, text } = await graces.open(reviewPath(id))
    expect(status).toBe(200)
    for (const words of [
      '<h1>Close Engine No. 1 of Analytical Engines?</h1>',
      'Engine No. 1 of Analytical Engines stops taking investments',
      'Engine Backers',
      'Ada Lovelace',
      'A closed deal cannot be opened again',
      'Approve<span class="not-on-phone">: Close Engine No. 1',
      'Reason for rejecting',
      'Sandbox.',
    ])
      expect(text).toContain(words)
  })

  test('redirects a person who is not signed in to sign-in, which returns to the page', async () => {
    const { id } = await proposeClose()
    const stranger = await stage.browser({ ...ada, account: ada.account })
    stranger.cookies.clear()
    const { status, location } = await stranger.open(reviewPath(id))
    expect([status, location]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(reviewPath(id))}`])
  })

  test('answers 403 without content to a stranger, a plain member, an operator, another syndicate’s manager', async () => {
    const { id, deal } = await proposeClose()
    const plain = await stage.person()
    await stage.arrange((tx) => makeMembership(tx, { syndicate, user: plain.user, status: 'member' }))
    const other = await stage.person()
    await stage.syndicate({ full_access: other })
    const elsewhere = await stage.person('Ada Lovelace', 'live')
    for (const person of [await stage.person(), plain, oscar, other, elsewhere]) {
      const browser = await stage.browser(person)
      const seen = await browser.open(reviewPath(id))
      expect(seen.status).toBe(403)
      for (const words of ['Engine', deal, 'Ada Lovelace</bdi>', 'Approve']) {
        if (words !== 'Ada Lovelace</bdi>' || person === oscar) expect(seen.text).not.toContain(words)
      }
      const shown = shownOn((await graces.open(reviewPath(id))).text)
      const tried = await browser.submit(reviewPath(id), { decision: 'approve', shown })
      expect(tried.status).toBe(403)
    }
    expect(await stage.stateOf(id)).toBe('pending')
  })

  test('answers 404 for an unknown intent', async () => {
    expect((await graces.open(reviewPath(`int_${'0'.repeat(24)}`))).status).toBe(404)
  })

  test('a form from another origin, or with a wrong CSRF token, decides nothing', async () => {
    const { id } = await proposeClose()
    const shown = shownOn((await graces.open(reviewPath(id))).text)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await graces.submit(reviewPath(id), { decision: 'approve', shown }, foreign)).status).toBe(403)
    expect((await graces.submit(reviewPath(id), { decision: 'approve', shown, csrf: 'x' })).status).toBe(403)
    expect(await stage.stateOf(id)).toBe('pending')
  })
})

describe('approving', () => {
  test('executes the action once, as the page and GET /intents/{id} show', async () => {
    const { id, deal } = await proposeClose()
    const answer = await approve(graces, id)
    expect([answer.status, answer.location]).toEqual([303, reviewPath(id)])
    const page = await graces.open(reviewPath(id))
    expect(page.text).toContain('<h1>Done</h1>')
    expect(page.text).toContain('Approved by <bdi>Grace Hopper</bdi>')
    const { data } = await api('GET', `/intents/${id}`)
    expect(data.attributes).toMatchObject({
      status: 'executed',
      execution_result: { offering: deal, status: 'closing' },
      approved_at: expect.any(String),
      executed_at: expect.any(String),
    })
    expect(await stage.events('offering.closing', deal)).toBe(1)
    expect((await graces.submit(reviewPath(id), { decision: 'approve', shown: '' })).status).toBe(303)
    expect(await stage.events('offering.closing', deal)).toBe(1)
  })

  test('the proposer cannot approve: the page says that another person must, the form is rejected, and withdrawing works', async () => {
    const { id } = await proposeClose()
    const page = await adas.open(reviewPath(id))
    expect(page.text).toContain('another person has to approve it')
    expect(page.text).not.toContain('value="approve"')
    const shown = shownOn((await graces.open(reviewPath(id))).text)
    await adas.open(reviewPath(id))
    expect((await adas.submit(reviewPath(id), { decision: 'approve', shown })).status).toBe(403)
    expect(await stage.stateOf(id)).toBe('pending')
    expect((await adas.submit(reviewPath(id), { decision: 'reject' })).status).toBe(303)
    expect(await stage.stateOf(id)).toBe('rejected')
  })

  test('a manager approves an operator’s proposal, which the operator sees but cannot approve', async () => {
    const { id } = await proposeClose(await stage.as(oscar))
    const oscars = await stage.browser(oscar)
    expect((await oscars.open(reviewPath(id))).status).toBe(200)
    const shown = shownOn((await graces.open(reviewPath(id))).text)
    expect((await oscars.submit(reviewPath(id), { decision: 'approve', shown })).status).toBe(403)
    await approve(graces, id)
    expect(await stage.stateOf(id)).toBe('executed')
  })

  test('an installation is not a person: any manager with full access approves its proposal', async () => {
    const { id } = await proposeClose(await stage.installed({ syndicate }))
    expect((await adas.open(reviewPath(id))).text).toContain('The app itself, installed on the syndicate')
    await approve(adas, id)
    expect(await stage.stateOf(id)).toBe('executed')
  })

  test('a change after the page was opened returns the intent to review and shows the difference', async () => {
    const { id, deal } = await proposeClose()
    const shown = shownOn((await graces.open(reviewPath(id))).text)
    await stage.arrange((tx) =>
      updateOffering(tx, { id: deal, name: 'Engine No. 2' }, occasionAt('2026-07-01T00:00:00.000000Z')),
    )
    const answer = await graces.submit(reviewPath(id), { decision: 'approve', shown })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('Something changed since you opened this page. Nothing was done')
    expect(answer.text).toContain(
      'What will happen now reads: Engine No. 2 of Analytical Engines stops taking investments',
    )
    expect(await stage.stateOf(id)).toBe('pending')
    await graces.submit(reviewPath(id), { decision: 'approve', shown: shownOn(answer.text) })
    expect(await stage.stateOf(id)).toBe('executed')
  })

  test('a change of a field that is not on the page returns the intent to review and is shown', async () => {
    const { id, deal } = await proposeClose()
    const shown = shownOn((await graces.open(reviewPath(id))).text)
    await stage.arrange((tx) =>
      updateOffering(tx, { id: deal, description: 'New' }, occasionAt('2026-07-01T00:00:00.000000Z')),
    )
    const answer = await graces.submit(reviewPath(id), { decision: 'approve', shown })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('Description: was nothing, now New')
  })

  test('a new name of the app or of its organization returns the intent to review', async () => {
    const app = await stage.client()
    const { id } = await proposeClose(await stage.installed({ syndicate }, undefined, app))
    const shown = shownOn((await graces.open(reviewPath(id))).text)
    await stage.service.db.sql(`update platform.apps set name = 'Desk of Deals' where id = $1`, [app.app])
    const renamed = await graces.submit(reviewPath(id), { decision: 'approve', shown })
    expect([renamed.status, renamed.text.includes('App: was Deal Desk, now Desk of Deals')]).toEqual([409, true])
    await stage.service.db.sql(
      `update platform.organizations set name = 'Sold Inc.'
        where id = (select organization_id from platform.apps where id = $1)`,
      [app.app],
    )
    const sold = await graces.submit(reviewPath(id), { decision: 'approve', shown: shownOn(renamed.text) })
    expect([sold.status, sold.text.includes('App by: was Partner, now Sold Inc.')]).toEqual([409, true])
    await graces.submit(reviewPath(id), { decision: 'approve', shown: shownOn(sold.text) })
    expect(await stage.stateOf(id)).toBe('executed')
  })

  test('another small commitment to an open deal does not return the intent to review, because figures are rounded', async () => {
    const deal = await stage.deal(syndicate)
    const commit = (amount_cents: number) =>
      stage.arrange((tx) => makeInvestment(tx, { offering: deal, amount_cents: amount_cents as Cents }))
    for (const amount of [19_000_000, 500_000, 300_000, 160_000]) await commit(amount)
    const { meta } = await api('POST', `/syndicates/${syndicate}/deals/${deal}/close`)
    const { id } = meta['close_deal_intent'] as { id: Id<'intent'> }
    const page = await graces.open(reviewPath(id))
    for (const words of ['about $200,000', 'fewer than 10 commitments']) expect(page.text).toContain(words)
    await commit(100_000)
    await graces.submit(reviewPath(id), { decision: 'approve', shown: shownOn(page.text) })
    expect(await stage.stateOf(id)).toBe('executed')
  })

  test('a change of an unimportant field, a member’s title, does not return the intent to review', async () => {
    const member = await stage.arrange((tx) => makeMembership(tx, { syndicate, status: 'member' }))
    const removal = { action_name: 'syndicates.remove_member', resource_type: 'syndicate', resource_id: syndicate }
    const { data } = await api('POST', '/intents', { ...removal, params: { member_id: member } })
    const shown = shownOn((await graces.open(reviewPath(data.id))).text)
    const retitled = `update test.memberships set title = 'Scout', updated_at = test.world_now() where id = $1`
    await stage.service.db.sql(retitled, [member])
    await graces.submit(reviewPath(data.id), { decision: 'approve', shown })
    expect(await stage.stateOf(data.id)).toBe('executed')
  })

  test('a form that our pages did not make approves nothing', async () => {
    const { id } = await proposeClose()
    await graces.open(reviewPath(id))
    for (const shown of ['', '{}', 'null', '[1]', '{"facts":[1]}', 'not json']) {
      expect((await graces.submit(reviewPath(id), { decision: 'approve', shown })).status).toBe(409)
    }
    expect(await stage.stateOf(id)).toBe('pending')
  })

  test('an impossible intent shows why it is impossible, and can only be rejected', async () => {
    const { id, deal } = await proposeClose()
    const shown = shownOn((await graces.open(reviewPath(id))).text)
    await stage.arrange((tx) => startClosing(tx, { id: deal }, occasionAt('2026-07-01T00:00:00.000000Z')))
    const answer = await graces.submit(reviewPath(id), { decision: 'approve', shown })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('This can no longer be done. The deal is closing')
    expect(answer.text).not.toContain('value="approve"')
    expect(await stage.events('offering.closing', deal)).toBe(1)
  })

  test('a person who lost the right after the page was opened gets 403', async () => {
    const other = await stage.person('Henry Hollerith')
    const manager = { syndicateId: syndicate, userId: other.user }
    await stage.arrange((tx) => setManager(tx, { ...manager, permission: 'full_access' }, occasionAt()))
    const { id } = await proposeClose()
    const browser = await stage.browser(other)
    const shown = shownOn((await browser.open(reviewPath(id))).text)
    await stage.arrange((tx) => endManager(tx, manager))
    expect((await browser.submit(reviewPath(id), { decision: 'approve', shown })).status).toBe(403)
    expect(await stage.stateOf(id)).toBe('pending')
  })
})

describe('rejecting', () => {
  test('stores a reason that the app can read, and executes nothing', async () => {
    const { id, deal } = await proposeClose()
    await graces.open(reviewPath(id))
    await graces.submit(reviewPath(id), { decision: 'reject', reason: '  Too <early>.\r\nAsk in May. ' })
    const { data } = await api('GET', `/intents/${id}`)
    expect(data.attributes).toMatchObject({ status: 'rejected', rejection_reason: 'Too <early>.\nAsk in May.' })
    expect(data.attributes['approved_at']).toBeNull()
    expect(await stage.events('offering.closing', deal)).toBe(0)
    expect((await graces.open(reviewPath(id))).text).toContain('Too &lt;early&gt;.')
  })

  test('is a 422 with an error if the reason is too long', async () => {
    const { id } = await proposeClose()
    await graces.open(reviewPath(id))
    const answer = await graces.submit(reviewPath(id), { decision: 'reject', reason: 'x'.repeat(2_001) })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('It is too long')
    expect(await stage.stateOf(id)).toBe('pending')
  })

  test.each([['a\u202eb'], ['\u200b'], ['bell \u0007']])('is a 422 for an unreadable reason: %j', async (reason) => {
    const { id } = await proposeClose()
    await graces.open(reviewPath(id))
    const answer = await graces.submit(reviewPath(id), { decision: 'reject', reason })
    expect([answer.status, answer.text.includes('It holds characters that cannot be shown')]).toEqual([422, true])
    expect(await stage.stateOf(id)).toBe('pending')
  })
})

describe('after the decision', () => {
  test('every step is in the audit, and in the activity of the proposer and of the person who decides', async () => {
    const { id } = await proposeClose()
    await approve(graces, id)
    const trail = await stage.service.db.sql<{ actor: string; action: string; details: object }>(
      'select actor, action, details from platform.audit_entries where subject = $1 order by id',
      [id],
    )
    expect(trail.map(({ actor, action }) => [actor, action])).toEqual([
      [ada.user, 'intent.proposed'],
      [grace.user, 'intent.approved'],
      [grace.user, 'intent.executed'],
    ])
    expect(trail[1]?.details).toMatchObject({ world: 'test', shown: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const steps = async (send: Send) =>
      (await send('GET', '/activity')).list
        .map(({ attributes }) => attributes)
        .filter(({ intent }) => intent === id)
        .map(({ actor_type, action, resource_id, status }) => [actor_type, action, resource_id, status])
        .toSorted()
    const approvedBy = (actor: string) => [
      [actor, 'intents.approve', syndicate, 'success'],
      [actor, 'syndicates.close_deal', syndicate, 'success'],
    ]
    expect(await steps(api)).toEqual([['app', 'intents.create', syndicate, 'success'], ...approvedBy('reviewer')])
    expect(await steps(await stage.as(grace, ['read:profile']))).toEqual(approvedBy('user'))
  })
})
