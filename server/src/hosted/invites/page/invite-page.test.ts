import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SitePerson, userIn } from '#access/installations/testing/site.ts'
import { aPartner, openPartnerSite, type PartnerSite } from '#hosted/sessions/investment-api/testing/partner-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { recordInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { useLink } from '../manage-link.ts'

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

type Partner = Awaited<ReturnType<typeof aPartner>>

async function invited(partner: Partner, invite_link: object = {}) {
  const path = `/partner/spvs/${partner.offering}/invite_links`
  const { data, status } = await partner.send('POST', path, { invite_link })
  expect(status).toBe(201)
  const at = String(data.attributes['url']).slice(site.url.length)
  const read = async () => (await partner.send('GET', `${path}/${data.id}`)).data.attributes
  const events = async () => ((await read())['events'] as { event: string }[]).map(({ event }) => event)
  return {
    id: data.id as Id<'inviteLink'>,
    at,
    read,
    events,
    cancel: () => partner.send('DELETE', `${path}/${data.id}`),
  }
}

const words = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const seesRound = async (person: SitePerson, offering: string) =>
  (
    await site.db.sql('select from test.offering_invitations where user_id = $1 and offering_id = $2', [
      userIn(person),
      offering,
    ])
  ).length > 0

describe('GET /i/{link}', () => {
  test('shows who invites, the partner’s message as a quotation, and the offering; viewing the page does not open the link', async () => {
    const { at, read } = await invited(await aPartner(site), {
      email: 'grace@example.org',
      message: 'Dear Grace,\n<b>look</b>',
      allocation_cents: 100_000,
    })
    const { status, text } = await site.browser().open(at)
    expect(status).toBe(200)
    expect(text).toContain('&lt;b&gt;look&lt;/b&gt;')
    for (const part of ['Fieldbook CRM', 'Tidepool Robotics', 'SAFE', 'up to $1,000', 'Sandbox', 'A message from']) {
      expect(words(text)).toContain(part)
    }
    expect(text).not.toContain('grace@example.org')
    expect(await read()).toMatchObject({ status: 'pending', opened_at: null })
  })

  test('never says “invest” if the offering tests the waters', async () => {
    const partner = await aPartner(site, { offering: { testing_the_waters: true } })
    const { at } = await invited(partner)
    const browser = await site.signedIn(await site.person())
    const seen = [await browser.open(at), await browser.submit(at, { do: 'continue' }), await browser.open(at)]
    expect(words(seen.map(({ text }) => text).join(' '))).not.toMatch(/invest/i)
  })

  test('a link for an account asks that account to sign in; another person sees nothing', async () => {
    const person = await site.person()
    const { at } = await invited(await aPartner(site), { platform_user_id: userIn(person) })
    expect((await site.browser().open(at)).location).toMatch(/^\/sign-in/)
    const rejected = await (await site.signedIn(await site.person())).open(at)
    expect([rejected.status, rejected.text.includes('Tidepool')]).toEqual([403, false])
    expect((await (await site.signedIn(person)).open(at)).status).toBe(200)
  })

  test('a link is 403 while the app is removed, and works when the installation is active again', async () => {
    const partner = await aPartner(site)
    const { at } = await invited(partner)
    const browser = site.browser()
    const set = (state: string) =>
      site.db.sql(
        `update test.installations set state = $2, revoked_at = case when $2 = 'revoked' then now() end,
                revoked_by_role = case when $2 = 'revoked' then 'founder' end where id = $1`,
        [partner.installation, state],
      )
    await set('revoked')
    expect((await browser.open(at)).status).toBe(403)
    await set('active')
    expect((await browser.open(at)).status).toBe(200)
  })

  test('404 for an id without the secret part of the link, and for the link at the address of investment sessions', async () => {
    const { id, at } = await invited(await aPartner(site))
    const browser = site.browser()
    expect((await browser.open(`/i/${id}`)).status).toBe(404)
    expect((await browser.open(`/invest/session/${at.split('/').at(-1)}`)).status).toBe(404)
  })
})

describe('POST /i/{link}', () => {
  test('Continue opens the link once, and then the person may see the private round', async () => {
    const partner = await aPartner(site, { offering: { exemption: 'reg_d_506b' } })
    const person = await site.person()
    const { at, read, events } = await invited(partner, { email: 'someone@example.org', send_email: false })
    const browser = await site.signedIn(person)
    await browser.open(at)
    expect(await seesRound(person, partner.offering)).toBe(false)
    await Promise.all([1, 2, 3].map(() => browser.submit(at, { do: 'continue' })))
    expect(await seesRound(person, partner.offering)).toBe(true)
    expect(await read()).toMatchObject({ status: 'opened', opened_at: expect.any(String), platform_user_id: null })
    expect(await events()).toEqual(['open'])
    // After that the link belongs to this person.
    expect((await (await site.signedIn(await site.person())).open(at)).status).toBe(403)
  })

  test('several people can open a reusable link', async () => {
    const partner = await aPartner(site)
    const { at } = await invited(partner)
    for (const person of [await site.person(), await site.person()]) {
      const browser = await site.signedIn(person)
      expect((await browser.open(at)).status).toBe(200)
      await browser.submit(at, { do: 'continue' })
      expect(await seesRound(person, partner.offering)).toBe(true)
    }
  })

  test('the test button makes an investment up to the link’s allocation, which counts as a use of the link', async () => {
    const partner = await aPartner(site)
    const person = await site.person()
    const { at, read, events } = await invited(partner, { platform_user_id: userIn(person), allocation_cents: 50_000 })
    const browser = await site.signedIn(person)
    await browser.open(at)
    await browser.submit(at, { do: 'continue' })
    const over = await browser.submit(at, { do: 'succeed', amount: '501' })
    expect([over.status, words(over.text)]).toEqual([422, expect.stringContaining('must not be more than $500')])
    expect((await browser.submit(at, { do: 'succeed', amount: '500' })).status).toBe(303)
    const record = await read()
    expect(record).toMatchObject({ status: 'invested', uses_count: 1, investment_id: expect.stringMatching(/^inv_/) })
    expect(await events()).toEqual(['open', 'invest'])
    expect(words((await browser.open(at)).text)).toContain('Your investment is made')
  })

  test('of five people who invest at the same time with one use left, only one succeeds', async () => {
    const partner = await aPartner(site)
    const { at, read } = await invited(partner, { max_uses: 1 })
    const browsers: Awaited<ReturnType<typeof site.signedIn>>[] = []
    for (let i = 0; i < 5; i++) browsers.push(await site.signedIn(await site.person()))
    await Promise.all(browsers.map((browser) => browser.open(at)))
    await Promise.all(browsers.map((browser) => browser.submit(at, { do: 'succeed', amount: '100' })))
    expect((await read())['uses_count']).toBe(1)
    const ends: string[] = []
    for (const browser of browsers) ends.push(words((await browser.open(at)).text))
    expect(ends.filter((end) => end.includes('Your investment is made'))).toHaveLength(1)
    expect(ends.filter((end) => end.includes('used up') && end.includes('Nothing was invested'))).toHaveLength(4)
    // A visitor who is not signed in may be the person who invested.
    const stranger = words((await site.browser().open(at)).text)
    expect(stranger).toContain('used up')
    expect(stranger).not.toContain('Nothing was invested')
  })

  test('if a person declines twice, the link’s history has one decline, and the page shows it', async () => {
    const person = await site.person()
    const { at, events } = await invited(await aPartner(site), { platform_user_id: userIn(person) })
    const browser = await site.signedIn(person)
    await browser.open(at)
    await browser.submit(at, { do: 'decline' })
    await browser.submit(at, { do: 'decline' })
    expect(words((await browser.open(at)).text)).toContain('You said no')
    expect(await events()).toEqual(['decline'])
  })

  test('a visitor can decline before the offering has opened, and before signing in', async () => {
    const upcoming = await invited(await aPartner(site, { offering: { status: 'upcoming' } }), {
      email: 'a@example.org',
    })
    const open = await invited(await aPartner(site), { email: 'a@example.org' })
    for (const { at, events } of [upcoming, open]) {
      const browser = site.browser()
      expect(words((await browser.open(at)).text)).toContain('No, thank you')
      await browser.submit(at, { do: 'decline' })
      expect(words((await browser.open(at)).text)).toContain('You said no')
      expect(await events()).toEqual(['decline'])
    }
  })

  test('a person who invested sees that the investment is made, also if the link was canceled afterwards or has uses left', async () => {
    const partner = await aPartner(site)
    const person = await site.person()
    const links = [await invited(partner, { platform_user_id: userIn(person) }), await invited(partner)] as const
    const browser = await site.signedIn(person)
    for (const { at, cancel } of links) {
      await browser.open(at)
      await browser.submit(at, { do: 'succeed', amount: '100' })
      expect(words((await browser.open(at)).text)).toContain('Your investment is made')
      await cancel()
      const after = words((await browser.open(at)).text)
      expect(after).toContain('Your investment is made')
      expect(after).not.toContain('Nothing was invested')
    }
    const other = await site.signedIn(await site.person())
    const seen = words((await other.open(links[1].at)).text)
    expect([seen.includes('withdrawn'), seen.includes('Nothing was invested')]).toEqual([true, true])
  })

  test('rejects an amount outside the offering’s bounds, which the page shows', async () => {
    const bounds = { min_investment_cents: 10_000 as never, max_investment_cents: 500_000 as never }
    const partner = await aPartner(site, { offering: bounds })
    const { at, read } = await invited(partner)
    const browser = await site.signedIn(await site.person())
    expect(words((await browser.open(at)).text)).toContain('Maximum investment $5,000')
    await browser.submit(at, { do: 'continue' })
    expect(words((await browser.open(at)).text)).toContain('Maximum investment: $5,000.')
    for (const amount of ['99', '5001', '9999999999999']) {
      expect((await browser.submit(at, { do: 'succeed', amount })).status).toBe(422)
    }
    expect((await read())['uses_count']).toBe(0)
  })

  test('an account without a user in the sandbox sees a message, and is not redirected in a loop', async () => {
    const { at } = await invited(await aPartner(site), { email: 'a@example.org' })
    const browser = await site.signedIn(await site.person(['live']))
    const { text } = await browser.open(at)
    expect(words(text)).toContain('is not known in the sandbox')
    expect(text).not.toContain('href="/sign-in')
    expect((await browser.submit(at, { do: 'continue' })).status).toBe(200)
  })

  test('a link to an address belongs to the person who invested by it, even if a visitor without sign-in opened it first', async () => {
    const partner = await aPartner(site, { world: 'live' })
    const { id, at } = await invited(partner, { email: 'a@example.org' })
    const stranger = site.browser()
    await stranger.open(at)
    await stranger.submit(at, { do: 'continue' })
    const person = await site.person()
    await site.db.databases.live.transaction(async (tx) => {
      const investment = newId('investment')
      const investor = userIn(person, 'live')
      const made = { id: investment, offering: partner.offering, investor, amount_cents: 10_000 as never }
      await recordInvestment(tx, made, occasionAt())
      await useLink(tx, { link: id, investment }, occasionAt())
    })
    expect((await stranger.open(at)).status).toBe(303)
    expect(words((await (await site.signedIn(person)).open(at)).text)).toContain('Your investment is made')
    expect((await (await site.signedIn(await site.person())).open(at)).status).toBe(403)
  })

  test('a canceled link: the page says so, and Continue does not open it', async () => {
    const person = await site.person()
    const partner = await aPartner(site)
    const { at, read, cancel } = await invited(partner, { platform_user_id: userIn(person) })
    const browser = await site.signedIn(person)
    await browser.open(at)
    await cancel()
    expect(words((await browser.submit(at, { do: 'continue' })).text)).toContain('withdrawn')
    expect(await read()).toMatchObject({ status: 'revoked', opened_at: null })
    expect(await seesRound(person, partner.offering)).toBe(false)
  })

  test('in the live world Continue redirects to the host’s checkout with the link’s id, and no button makes an investment', async () => {
    const partner = await aPartner(site, { world: 'live' })
    const { id, at, read } = await invited(partner)
    const browser = site.browser()
    await browser.open(at)
    expect((await browser.submit(at, { do: 'succeed', amount: '100' })).status).toBe(404)
    const { location } = await browser.submit(at, { do: 'continue' })
    expect(Object.fromEntries(new URL(location ?? '').searchParams)).toMatchObject({
      o: partner.offering,
      i: id,
      s: '',
    })
    expect((await read())['uses_count']).toBe(0)
  })
})
