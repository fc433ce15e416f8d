import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SitePerson, userIn } from '#access/installations/testing/site.ts'
import { advance } from '#access/tokens/testing/stage.ts'
import type { Id } from '#kernel/ids.ts'
import { removeDeal } from '#market/syndicates/index.ts'
import { aPartner, aSyndicatePartner, openPartnerSite, type PartnerSite } from './testing/partner-stage.ts'

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

type Partner = Pick<Awaited<ReturnType<typeof aPartner>>, 'send' | 'offering'>
const PATH = '/partner/investment_sessions'
let count = 0

async function sent(partner: Partner, more: object = {}) {
  const recipient = 'platform_user_id' in more ? {} : { email: `page-${++count}@example.org` }
  const body = { investment_session: { spv_id: partner.offering, ...recipient, ...more } }
  const { data, status } = await partner.send('POST', PATH, body)
  expect(status).toBe(201)
  const at = String(data.attributes['url']).slice(site.url.length)
  const read = async () => (await partner.send('GET', `${PATH}/${data.id}`)).data.attributes
  const events = async () => ((await read())['events'] as { event: string }[]).map(({ event }) => event.split('.')[1])
  return { id: data.id as Id<'investmentSession'>, at, read, events }
}

const forPerson = (person: SitePerson) => ({ platform_user_id: userIn(person) })

/** The text of the page, as a person sees it. */
const words = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('GET /invest/session/{link}', () => {
  test('shows the requesting app, and the offering with link and time; opening the page does not start the session', async () => {
    const partner = await aPartner(site)
    const { at, read, events } = await sent(partner, { allocation_cents: 125_000 })
    const stranger = site.browser()
    const { status, text } = await stranger.open(at)
    expect(status).toBe(200)
    const shownText = words(text)
    for (const part of [
      'Fieldbook CRM',
      'Tidepool Robotics',
      'SAFE',
      '$8,000,000',
      'Reg CF',
      '$1,250',
      'As of',
      'Sandbox',
    ]) {
      expect(shownText).toContain(part)
    }
    expect(text).toMatch(/<a href="[^"]+">The company’s page<\/a>/)
    await site.browser().open(at)
    expect((await read())['status']).toBe('pending')
    expect(await events()).toEqual(['created'])
  })

  test('says “reserve” and never “invest” if the offering tests the waters', async () => {
    const partner = await aPartner(site, { offering: { testing_the_waters: true } })
    const person = await site.person()
    const { at } = await sent(partner, { ...forPerson(person), allocation_cents: 10_000 })
    const browser = await site.signedIn(person)
    const seen = [await browser.open(at), await browser.submit(at, { do: 'continue' }), await browser.open(at)]
    await browser.submit(at, { do: 'succeed' })
    const all = words([...seen, await browser.open(at)].map(({ text }) => text).join(' '))
    expect(all).toContain('reserve')
    expect(all).toContain('Your reservation is made')
    expect(all.replace('/invest/session', '')).not.toMatch(/invest/i)
  })

  test('404 for an id without the secret part of the link, for a changed letter, and for the link of another page', async () => {
    const { id, at } = await sent(await aPartner(site))
    const browser = site.browser()
    const changed = at.slice(0, -1) + (at.endsWith('A') ? 'B' : 'A')
    const elsewhere = `/i/${at.split('/').at(-1)}`
    for (const path of [`/invest/session/${id}`, changed, elsewhere]) {
      const { status, text } = await browser.open(path)
      expect(status).toBe(404)
      expect(text).not.toContain('Tidepool')
    }
  })

  test('a link for an account asks that account to sign in, and shows nothing to other people', async () => {
    const person = await site.person()
    const { at, read } = await sent(await aPartner(site), forPerson(person))
    const stranger = await site.browser().open(at)
    expect([stranger.status, stranger.location]).toEqual([303, expect.stringMatching(/^\/sign-in\?return_to=/)])
    const other = await site.signedIn(await site.person())
    const rejected = await other.open(at)
    expect([rejected.status, words(rejected.text)]).toEqual([403, expect.stringContaining('for another person')])
    expect(rejected.text).not.toContain('Tidepool')
    expect((await other.submit(at, { do: 'continue' })).status).toBe(403)
    expect((await read())['status']).toBe('pending')
    // An account without a user in this world is not a recipient here.
    const elsewhere = await site.signedIn(await site.person(['live']))
    expect((await elsewhere.open(at)).status).toBe(403)
    expect((await (await site.signedIn(person)).open(at)).status).toBe(200)
  })

  test('a link of a removed or suspended app no longer works, and its session does not start', async () => {
    const [removed, suspended] = [await aPartner(site), await aPartner(site)]
    const links = [await sent(removed), await sent(suspended)]
    await site.db.sql(
      `update test.installations set state = 'revoked', revoked_at = now(), revoked_by_role = 'founder' where id = $1`,
      [removed.installation],
    )
    await site.db.sql(`update platform.apps set suspended_at = now(), suspended_reason = 'Because.' where id = $1`, [
      suspended.app,
    ])
    const browser = await site.signedIn(await site.person())
    for (const { at, id } of links) {
      const { status, text } = await browser.open(at)
      expect([status, words(text)]).toEqual([403, expect.stringContaining('This link no longer works')])
      expect((await browser.submit(at, { do: 'continue' })).status).toBe(403)
      expect(await site.db.sql('select status from test.investment_sessions where id = $1', [id])).toEqual([
        { status: 'pending' },
      ])
    }
  })

  test('the page explains a canceled session and an offering that is not open', async () => {
    const partner = await aPartner(site)
    const browser = site.browser()
    const canceled = await sent(partner)
    await partner.send('DELETE', `${PATH}/${canceled.id}`)
    expect(words((await browser.open(canceled.at)).text)).toContain('This link was withdrawn')
    const closed = await sent(partner)
    await site.db.sql(`update test.offerings set status = 'closing' where id = $1`, [partner.offering])
    const page = words((await browser.open(closed.at)).text)
    expect(page).toContain('accepts no more investors')
    expect(page).not.toContain('Continue')
  })
})

describe('POST /invest/session/{link}', () => {
  test('“No, thank you” changes nothing, and its page has a link back to the offer', async () => {
    const { at, read, events } = await sent(await aPartner(site))
    const browser = await site.signedIn(await site.person())
    expect(words((await browser.open(at)).text)).toContain('No, thank you')
    const { status, text } = await browser.submit(at, { do: 'decline' })
    expect([status, words(text)]).toEqual([200, expect.stringContaining('You said no to Tidepool Robotics')])
    expect(words(text)).toContain('Nothing was invested, and no money was taken.')
    expect(text).toContain(`href="${at}"`)
    expect([(await read())['status'], await events()]).toEqual(['pending', ['created']])
  })

  test('Continue starts the session once, even if pressed often; then only the person who pressed it can open the link', async () => {
    const { at, read, events } = await sent(await aPartner(site))
    const browser = await site.signedIn(await site.person())
    await browser.open(at)
    const responses = await Promise.all([1, 2, 3].map(() => browser.submit(at, { do: 'continue' })))
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await read())['status']).toBe('in_progress')
    expect(await events()).toEqual(['created', 'started'])
    const other = await site.signedIn(await site.person())
    expect((await other.open(at)).status).toBe(403)
  })

  test('a form from another site, or without the browser’s token, does nothing', async () => {
    const { at, read } = await sent(await aPartner(site))
    const browser = await site.signedIn(await site.person())
    await browser.open(at)
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.submit(at, { do: 'continue' }, elsewhere)).status).toBe(403)
    expect((await browser.submit(at, { do: 'continue', csrf: 'x' })).status).toBe(403)
    expect((await read())['status']).toBe('pending')
  })

  test('in the sandbox a visitor must sign in before the session starts', async () => {
    const { at, read } = await sent(await aPartner(site))
    const browser = site.browser()
    const { text } = await browser.open(at)
    expect(text).toMatch(/<a class="button primary" href="\/sign-in\?return_to=[^"]+">Sign in<\/a>/)
    expect(words(text)).not.toContain('Continue')
    expect((await browser.submit(at, { do: 'continue' })).status).toBe(403)
    expect((await read())['status']).toBe('pending')
  })

  test('the test buttons: each failure is in the page and the API record, and success makes a confirmed investment', async () => {
    const partner = await aPartner(site)
    const person = await site.person()
    const back = 'https://partner.example/done?lead=7'
    const { at, read, events } = await sent(partner, { ...forPerson(person), success_url: back })
    const browser = await site.signedIn(person)
    await browser.open(at)
    await browser.submit(at, { do: 'continue' })
    for (const [pressed, kyc, funding, shownText] of [
      ['card_declined', 'passed', 'card_declined', 'Your card was declined'],
      ['insufficient_funds', 'passed', 'insufficient_funds', 'not enough money'],
      ['identity_failed', 'failed', null, 'identity could not be confirmed'],
    ] as const) {
      expect((await browser.submit(at, { do: pressed })).status).toBe(303)
      expect(await read()).toMatchObject({ status: 'in_progress', kyc_status: kyc, funding_status: funding })
      const page = words((await browser.open(at)).text)
      expect(page).toContain(shownText)
      expect(page).toContain('Afterwards you go to partner.example')
    }
    const wrong = await browser.submit(at, { do: 'succeed', amount: '12.50' })
    expect([wrong.status, words(wrong.text)]).toEqual([422, expect.stringContaining('must be a whole number')])
    const done = await browser.submit(at, { do: 'succeed', amount: '1,250' })
    expect([done.status, done.location]).toEqual([303, back])
    const session = await read()
    expect(session).toMatchObject({ status: 'completed', kyc_status: 'passed', funding_status: 'succeeded' })
    const [investment] = await site.db.sql<Record<string, unknown>>(
      'select investor_id, amount_cents, confirmed_at from test.investments where id = $1',
      [session['investment_id']],
    )
    expect(investment).toMatchObject({ investor_id: userIn(person), confirmed_at: expect.anything() })
    expect(Number(investment?.['amount_cents'])).toBe(125_000)
    expect(await events()).toEqual(['created', 'started', 'completed'])
    expect(words((await browser.open(at)).text)).toContain('Your investment is made')
    expect(words((await browser.submit(at, { do: 'succeed', amount: '5' })).text)).toContain('Your investment is made')
  })

  test('a person who leaves can come back: leaving and returning cause no event, and the session starts only once', async () => {
    const person = await site.person()
    const { at, read, events } = await sent(await aPartner(site), forPerson(person))
    const browser = await site.signedIn(person)
    await browser.open(at)
    await browser.submit(at, { do: 'continue' })
    await browser.submit(at, { do: 'leave' })
    expect((await read())['status']).toBe('abandoned')
    expect(words((await browser.open(at)).text)).toContain('Continue where you left off')
    await browser.submit(at, { do: 'continue' })
    expect((await read())['status']).toBe('in_progress')
    expect(await events()).toEqual(['created', 'started'])
  })

  test('if a session is completed and canceled at the same moment, only one of the two succeeds', async () => {
    const partner = await aPartner(site)
    const person = await site.person()
    const { id, at, read, events } = await sent(partner, { ...forPerson(person), allocation_cents: 10_000 })
    const browser = await site.signedIn(person)
    await browser.open(at)
    await browser.submit(at, { do: 'continue' })
    await Promise.all([browser.submit(at, { do: 'succeed' }), partner.send('DELETE', `${PATH}/${id}`)])
    const { status, investment_id } = await read()
    expect(['completed', 'canceled']).toContain(status)
    expect(investment_id === null).toBe(status === 'canceled')
    expect(await events()).toEqual(['created', 'started', status])
  })
})

describe('an amount', () => {
  const range = { min_investment_cents: 10_000 as never, max_investment_cents: 500_000 as never }

  test('that the person chooses must be within the offering’s bounds, which the page shows', async () => {
    const partner = await aPartner(site, { offering: range })
    const person = await site.person()
    const { at, read } = await sent(partner, forPerson(person))
    const browser = await site.signedIn(person)
    await browser.open(at)
    await browser.submit(at, { do: 'continue' })
    const shown = words((await browser.open(at)).text)
    expect(shown).toContain('Minimum investment: $100. Maximum investment: $5,000.')
    for (const amount of ['99', '5,001', '9999999999999']) {
      expect((await browser.submit(at, { do: 'succeed', amount })).status).toBe(422)
    }
    expect(await read()).toMatchObject({ status: 'in_progress', investment_id: null })
    expect((await browser.submit(at, { do: 'succeed', amount: '5,000' })).status).toBe(303)
  })

  test('that the app fixes is rejected if it is outside the offering’s bounds', async () => {
    const { send, offering } = await aPartner(site, { offering: range })
    for (const allocation_cents of [9_900, 500_100]) {
      const body = { investment_session: { spv_id: offering, email: 'fixed@example.org', allocation_cents } }
      const { status, error } = await send('POST', PATH, body)
      const field = 'investment_session.allocation_cents'
      expect([status, error.details]).toEqual([422, { fields: [expect.objectContaining({ field })] }])
    }
  })
})

test('pressing the success button twice: the page says that the investment is made, and shows no error', async () => {
  const person = await site.person()
  const { at, events } = await sent(await aPartner(site), { ...forPerson(person), allocation_cents: 10_000 })
  const browser = await site.signedIn(person)
  await browser.open(at)
  await browser.submit(at, { do: 'continue' })
  const twice = await Promise.all([1, 2].map(() => browser.submit(at, { do: 'succeed' })))
  expect(twice.map(({ status, text }) => status === 303 || text.includes('Your investment is made'))).toEqual([
    true,
    true,
  ])
  expect(words((await browser.open(at)).text)).toContain('Your investment is made')
  expect(await events()).toEqual(['created', 'started', 'completed'])
})

test('an account without a user in the sandbox sees a message, and is not redirected in a circle', async () => {
  const { at, read } = await sent(await aPartner(site))
  const browser = await site.signedIn(await site.person(['live']))
  const { status, text } = await browser.open(at)
  expect([status, words(text)]).toEqual([200, expect.stringContaining('is not known in the sandbox')])
  expect(text).not.toContain('href="/sign-in')
  const pressed = await browser.submit(at, { do: 'continue' })
  expect([pressed.status, words(pressed.text)]).toEqual([200, expect.stringContaining('is not known in the sandbox')])
  expect((await read())['status']).toBe('pending')
})

test('after a syndicate stopped running the deal, its session cannot continue and can be canceled', async () => {
  const partner = await aSyndicatePartner(site)
  const { id, at } = await sent(partner)
  expect((await site.browser().open(at)).status).toBe(200)
  const deal = { syndicateId: partner.syndicate, offeringId: partner.offering }
  await site.db.databases.test.transaction((tx) => removeDeal(tx, deal))
  const { status, text } = await site.browser().open(at)
  expect([status, words(text)]).toEqual([403, expect.stringContaining('This link no longer works')])
  expect((await partner.send('DELETE', `${PATH}/${id}`)).data.attributes['status']).toBe('canceled')
})

describe('in the live world', () => {
  test('a session that a visitor started without signing in belongs to the first signed-in person who continues it', async () => {
    const { at } = await sent(await aPartner(site, { world: 'live' }))
    const stranger = site.browser()
    await stranger.open(at)
    await stranger.submit(at, { do: 'continue' })
    const first = await site.signedIn(await site.person())
    await first.open(at)
    expect((await first.submit(at, { do: 'continue' })).status).toBe(303)
    expect((await first.open(at)).status).toBe(200)
    expect((await (await site.signedIn(await site.person())).open(at)).status).toBe(403)
    expect((await stranger.open(at)).status).toBe(303)
  })

  test('Continue redirects to the host’s checkout with encoded values, and no button completes the session', async () => {
    const partner = await aPartner(site, { world: 'live' })
    const { id, at, read } = await sent(partner, { success_url: 'https://partner.example/?a=1&b=%7Boffering%7D' })
    const browser = site.browser()
    const { headers, text } = await browser.open(at)
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https:")
    expect(text).not.toMatch(/Test:|Sandbox/)
    expect((await browser.submit(at, { do: 'succeed', amount: '100' })).status).toBe(404)
    expect((await read())['status']).toBe('pending')
    const { location } = await browser.submit(at, { do: 'continue' })
    const url = new URL(location ?? '')
    expect(url.origin).toBe('https://host.example')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      o: partner.offering,
      s: id,
      i: '',
      back: site.url + at,
      done: 'https://partner.example/?a=1&b=%7Boffering%7D',
    })
    expect((await read())['status']).toBe('in_progress')
  })

  test('after a person went to the host’s checkout, the page of a canceled link does not say “Nothing was invested”', async () => {
    const partner = await aPartner(site, { world: 'live' })
    const [begun, untouched] = [await sent(partner), await sent(partner)]
    const browser = site.browser()
    await browser.open(begun.at)
    await browser.submit(begun.at, { do: 'continue' })
    for (const { id } of [begun, untouched]) await partner.send('DELETE', `${PATH}/${id}`)
    const shownText = async ({ at }: typeof begun) => words((await browser.open(at)).text)
    expect(await shownText(begun)).toContain('This link was withdrawn')
    expect(await shownText(begun)).not.toContain('Nothing was invested')
    expect(await shownText(untouched)).toContain('Nothing was invested')
  })

  test('without a configured checkout the page says so, and the session does not start', async () => {
    const bare = await openPartnerSite(null)
    try {
      const partner = await aPartner(bare, { world: 'live' })
      const body = { investment_session: { spv_id: partner.offering, email: 'a@example.org' } }
      const { data } = await partner.send('POST', PATH, body)
      const at = String(data.attributes['url']).slice(bare.url.length)
      const browser = bare.browser()
      expect(words((await browser.open(at)).text)).toContain('has not opened its checkout')
      await browser.submit(at, { do: 'continue' })
      expect((await partner.send('GET', `${PATH}/${data.id}`)).data.attributes['status']).toBe('pending')
    } finally {
      await bare.close()
    }
  })
})

test('a session past its time is shown as expired and accepts no decision, even before a worker has run', async () => {
  const person = await site.person()
  const { at, read } = await sent(await aPartner(site), { ...forPerson(person), expires_in_hours: 1 })
  const browser = await site.signedIn(person)
  await browser.open(at)
  await advance(site.db, '61 minutes')
  expect(words((await browser.open(at)).text)).toContain('This link has expired')
  await browser.submit(at, { do: 'continue' })
  expect(await read()).toMatchObject({ status: 'expired', investment_id: null })
})
