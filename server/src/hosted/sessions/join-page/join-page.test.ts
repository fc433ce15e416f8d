import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Site, SitePerson } from '#access/installations/testing/site.ts'
import { userIn } from '#access/installations/testing/site.ts'
import { advance } from '#access/tokens/testing/stage.ts'
import { applyFact, factRules } from '#intake/facts/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  approveApplication,
  declineApplication,
  inviteMember,
  leaveSyndicate,
  removeMember,
  setMemberCountries,
  updateSyndicate,
} from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { A_FUND, makeMembership } from '#test/syndicates.ts'
import {
  aClub,
  aPartner,
  asUser,
  aVisit,
  continueAt,
  eventsOf,
  installOn,
  inTest,
  openJoinSite,
  pressThrough,
  RETURN,
  wayIn,
} from '../join-api/testing/join-site.ts'
import { settlingJoinSessions } from '../session-jobs.ts'

let site: Site
beforeAll(async () => {
  site = await openJoinSite()
})
afterAll(() => site.close())

type Club = Awaited<ReturnType<typeof aPartner>>
type Settings = Parameters<typeof aPartner>[1]

/** A session, and a signed-in person who has pressed "Continue as …" on its first page. */
async function scene(settings: Settings = {}, body?: object) {
  const it = await aVisit(site, settings, body)
  await continueAt(it.browser, it.path)
  return it
}

const names = async ({ syndicate }: Pick<Club, 'syndicate'>) =>
  (await eventsOf(site, syndicate)).map(({ name }) => name)
const takeOff = ({ installation }: Pick<Club, 'installation'>) =>
  site.db.sql(
    `update test.installations set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'manager'
      where id = $1`,
    [installation],
  )
const EMAIL_TOO = 'Your email address, because those who run'
const press = ({ browser, path }: Pick<Awaited<ReturnType<typeof scene>>, 'browser' | 'path'>) =>
  pressThrough(browser, path)

const back = (id: string, status: string) => `${RETURN}&join_session_id=${id}&status=${status}`

describe('joining without approval, and the page after the session has ended', () => {
  test('the person becomes a member at once; membership and session have their events; the browser returns to the app', async () => {
    const it = await scene({ auto_approval: true })
    const { text } = await it.browser.open(it.path)
    expect(text).toContain('Join Lakeshore Angels')
    expect(text).toContain('You become a member at once.')
    expect(text).toContain('Mary Manager')
    expect(text).toContain('Fieldbook CRM')
    expect(await press(it)).toMatchObject({ status: 303, location: back(it.id, 'joined') })
    const events = await eventsOf(site, it.syndicate)
    expect(events.map(({ name }) => name)).toEqual(['syndicate_member.joined', 'join_session.completed'])
    expect(events[0]?.data).toMatchObject({ approved_by: null, status: 'member' })
    expect(await it.read()).toMatchObject({ status: 'joined', user: { id: userIn(it.ada), name: 'Ada Lovelace' } })
  })

  test('without a return_url the page shows the outcome, but only to the person who joined', async () => {
    const it = await scene({ auto_approval: true }, {})
    expect(await press(it)).toMatchObject({ status: 303, location: it.path })
    expect((await it.browser.open(it.path)).text).toContain('You are a member of')
    const other = await site.signedIn(await site.person())
    expect((await other.open(it.path)).text).toContain('This link has been used')
    const nobody = await site.browser().open(it.path)
    expect(nobody.text).toContain('This link has been used')
    expect(nobody.text).not.toContain('Ada')
  })

  test('the link back to the app contains the outcome only for the person who pressed the button', async () => {
    const it = await scene({ requires_accreditation: true })
    await press(it)
    const other = await site.signedIn(await site.person())
    for (const browser of [other, site.browser()]) {
      const { text } = await browser.open(it.path)
      expect(text).toContain('This link has been used')
      expect(text).toContain('href="https://partner.example/welcome?plan=a"')
      expect(text).not.toContain('ineligible')
      expect(text).not.toContain('status=')
    }
    expect((await it.browser.open(it.path)).text).toContain('status=ineligible')
  })

  test('if a session is canceled after a person applied, only this person sees the cancellation', async () => {
    const it = await scene()
    await press(it)
    await it.send('DELETE', `${it.at}/${it.id}`)
    expect((await it.browser.open(it.path)).text).toContain('was withdrawn')
    const other = await site.signedIn(await site.person())
    expect((await other.open(it.path)).text).not.toMatch(/withdrawn|status=/)
  })

  test('accredited people join without approval if the syndicate allows that', async () => {
    const it = await scene({ auto_accept_accredited_members: true })
    expect(wayIn((await it.browser.open(it.path)).text)).toBe('apply')
    await site.db.sql(`update test.users set accreditation = 'verified' where id = $1`, [userIn(it.ada)])
    expect(wayIn((await it.browser.open(it.path)).text)).toBe('join')
  })
})

describe('a manager-approval syndicate', () => {
  const decide = async (it: Awaited<ReturnType<typeof scene>>, what: 'approve' | 'decline') => {
    const membershipId = (await it.read())['membership_id'] as Id<'membership'>
    const on = occasionAt()
    await inTest(site, (tx) => {
      const approve = () => approveApplication(tx, { id: membershipId, approvedBy: it.manager }, on)
      const decline = () => declineApplication(tx, { id: membershipId }, on)
      return settlingJoinSessions(tx, { membershipId, decide: what === 'approve' ? approve : decline }, on)
    })
  }

  test('the session is pending_approval, and joined after a manager approves', async () => {
    const it = await scene()
    expect((await it.browser.open(it.path)).text).toContain('Apply to Lakeshore Angels')
    expect(await press(it)).toMatchObject({ status: 303, location: back(it.id, 'pending_approval') })
    expect((await it.browser.open(it.path)).text).toContain('Your application is with')
    await decide(it, 'approve')
    expect(await names(it)).toEqual([
      'syndicate_member.applied',
      'join_session.pending_approval',
      'syndicate_member.approved',
      'syndicate_member.joined',
      'join_session.completed',
    ])
    expect((await it.browser.open(it.path)).text).toContain('You are a member of')
  })

  test('the session is rejected after a manager declines', async () => {
    const it = await scene()
    await press(it)
    await decide(it, 'decline')
    expect(await it.read()).toMatchObject({ status: 'rejected' })
    expect((await it.browser.open(it.path)).text).toContain('declined your application')
  })

  test('a person who has applied before does not apply twice', async () => {
    const it = await scene()
    await inTest(site, (tx) => makeMembership(tx, { syndicate: it.syndicate, user: userIn(it.ada) }))
    expect((await it.browser.open(it.path)).text).toContain('You have applied already')
    await press(it)
    expect(await names(it)).toEqual(['syndicate_member.applied', 'join_session.pending_approval'])
  })

  test('an invited person and a former member join at once', async () => {
    const invited = await scene({ membership_open: false })
    const [user] = await site.db.sql<{ email: string }>('select email from test.users where id = $1', [
      userIn(invited.ada),
    ])
    const inviting = { syndicateId: invited.syndicate, email: user?.email ?? '', invitedBy: invited.manager }
    await inTest(site, (tx) => inviteMember(tx, inviting, occasionAt()))
    expect(wayIn((await invited.browser.open(invited.path)).text)).toBe('join')
    const returning = await scene()
    await inTest(site, async (tx) => {
      const id = await makeMembership(tx, {
        syndicate: returning.syndicate,
        user: userIn(returning.ada),
        status: 'member',
      })
      await leaveSyndicate(tx, { id }, occasionAt())
    })
    await press(returning)
    expect(await returning.read()).toMatchObject({ status: 'joined' })
  })

  test('a decision by a fact of the host platform also ends the session', async () => {
    for (const [type, status] of [
      ['membership.approved', 'joined'],
      ['membership.declined', 'rejected'],
      ['membership.withdrawn', 'canceled'],
    ] as const) {
      const it = await scene()
      await press(it)
      const data = {
        id: (await it.read())['membership_id'],
        ...(status === 'joined' ? { approved_by: it.manager } : {}),
      }
      const fact = { id: `decision-${it.id}`, type, occurred_at: '2026-06-01T12:00:00.000Z', data }
      expect(await applyFact(site.db.databases.test, factRules(FACT_SETTINGS), fact)).toMatchObject({
        status: 'applied',
      })
      expect(await it.read()).toMatchObject({ status })
    }
  })

  test('when a person joins by one session, their other waiting sessions are completed too', async () => {
    const it = await scene()
    await press(it)
    await inTest(site, (tx) =>
      updateSyndicate(tx, { id: it.syndicate, changes: { auto_approval: true } }, occasionAt()),
    )
    const second = (await it.send('POST', it.at)).data
    await press({ browser: it.browser, path: new URL(String(second.attributes['url'])).pathname })
    expect(await it.read()).toMatchObject({ status: 'joined' })
    expect((await names(it)).filter((name) => name === 'join_session.completed')).toHaveLength(2)
    expect((await names(it)).filter((name) => name === 'syndicate_member.joined')).toHaveLength(1)
  })

  test('a member can confirm their membership to the app, and does not join a second time', async () => {
    const it = await scene()
    await inTest(site, (tx) => makeMembership(tx, { syndicate: it.syndicate, user: userIn(it.ada), status: 'member' }))
    expect((await it.browser.open(it.path)).text).toContain('You are a member already')
    await press(it)
    expect((await names(it)).filter((name) => name.startsWith('join_session'))).toEqual(['join_session.completed'])
    expect((await names(it)).filter((name) => name === 'syndicate_member.joined')).toHaveLength(1)
  })
})

describe('ineligible: the person sees the reason first; the app sees it only after the person pressed the button', () => {
  type It = Awaited<ReturnType<typeof scene>>
  const removed = async ({ syndicate, ada }: It) => {
    await inTest(site, async (tx) => {
      const id = await makeMembership(tx, { syndicate, user: userIn(ada), status: 'member' })
      await removeMember(tx, { id }, occasionAt())
    })
  }
  const abroad = ({ syndicate }: It) =>
    inTest(site, (tx) => setMemberCountries(tx, { id: syndicate, countries: ['US'] }, occasionAt()))

  test.each<[string, Settings, ((it: It) => Promise<unknown>) | null]>([
    ['accreditation_required', { requires_accreditation: true }, null],
    ['jurisdiction', {}, abroad],
    ['blocked', { auto_approval: true }, removed],
    ['club_unavailable', { launched: false }, null],
    ['requires_investment', { fund_required: true, fund: A_FUND }, null],
  ])('%s', async (reason, settings, arrange) => {
    const it = await scene(settings)
    await arrange?.(it)
    const before = await names(it)
    expect(wayIn((await it.browser.open(it.path)).text)).toBe(reason)
    expect(await it.read()).toMatchObject({ status: 'open', ineligible_reason: null, user: { id: userIn(it.ada) } })
    expect(await press(it)).toMatchObject({ status: 303, location: back(it.id, 'ineligible') })
    expect((await names(it)).slice(before.length)).toEqual(['join_session.ineligible'])
    expect((await eventsOf(site, it.syndicate)).at(-1)?.data).toMatchObject({
      status: 'ineligible',
      ineligible_reason: reason,
      user: { id: userIn(it.ada) },
      theme: { id: null, version: null, override_fingerprint: null },
    })
    expect(await it.read()).toMatchObject({ status: 'ineligible', ineligible_reason: reason })
  })

  test('a person is eligible only if they have invested at least the fund’s minimum', async () => {
    const it = await scene({ fund_required: true })
    const company = await inTest(site, async (tx) => {
      const made = await makeCompany(tx)
      const fund = {
        type: 'traditional_fund',
        require_minimum_investment: true,
        minimum_investment_amount_cents: 500_000,
      } as const
      const changes = { fund, primary_fund_company: made }
      await updateSyndicate(tx, { id: it.syndicate, changes }, occasionAt())
      return made
    })
    const invest = (cents: number) =>
      inTest(site, async (tx) => {
        const offering = await makeOffering(tx, { company })
        await makeInvestment(tx, { offering, investor: userIn(it.ada), amount_cents: cents as Cents })
      })
    await invest(400_000)
    expect(wayIn((await it.browser.open(it.path)).text)).toBe('requires_investment')
    await invest(100_000)
    expect(wayIn((await it.browser.open(it.path)).text)).toBe('apply')
  })

  test('a person in a permitted country is eligible; without a legal address, the country of the profile counts', async () => {
    const it = await scene()
    await abroad(it)
    const living = async (country: string | null, address: object | null) => {
      const values = [userIn(it.ada), country, address === null ? null : JSON.stringify(address)]
      await site.db.sql('update test.users set country = $2, address = $3 where id = $1', values)
      return wayIn((await it.browser.open(it.path)).text)
    }
    expect(await living('US', null)).toBe('apply')
    expect(await living('United States', null)).toBe('apply')
    // An app with write:profile can change the country of the profile, but not the legal address.
    expect(await living('US', { line1: 'Unter den Linden 1', country: 'DE' })).toBe('jurisdiction')
    expect(await living('DE', { line1: '1 Compiler Street', country: 'USA' })).toBe('apply')
    expect(await living('US', { line1: '1 Compiler Street' })).toBe('apply')
    expect(await living('US', { line1: '1 Compiler Street', country: 'Atlantis' })).toBe('jurisdiction')
  })
})

describe('the link', () => {
  test('is 404 for an unknown session, and reveals nothing', async () => {
    const it = await scene()
    const tampered = `${it.path.slice(0, -1)}${it.path.endsWith('A') ? 'B' : 'A'}`
    for (const path of [tampered, `/join/${it.id}`, `/join/${newId('joinSession')}.x`]) {
      const { status, text } = await it.browser.open(path)
      expect(status).toBe(404)
      expect(text).not.toContain('Lakeshore')
    }
  })

  test('shows the offer to a person who has not signed in, with a sign-in link that returns to the offer', async () => {
    const it = await scene()
    const { status, text } = await site.browser().open(it.path)
    expect(status).toBe(200)
    expect(text).toContain(`/sign-in?return_to=${encodeURIComponent(it.path)}`)
    expect(text).toContain('What <bdi>Fieldbook CRM</bdi> learns')
  })

  test('a form from another site, without its token, or from a signed-out browser does nothing', async () => {
    const it = await scene({ auto_approval: true })
    await it.browser.open(it.path)
    const foreign = await it.browser.submit(it.path, { way: 'join' }, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect((await it.browser.submit(it.path, { way: 'join', csrf: 'x' })).status).toBe(403)
    const stranger = site.browser()
    await stranger.open('/sign-in')
    expect((await stranger.submit(it.path, { way: 'join' })).location).toContain('/sign-in?return_to=')
    expect(await it.read()).toMatchObject({ status: 'open', membership_id: null })
    expect(await names(it)).toEqual([])
  })

  test('409 if the page would now show another way to join than the person saw', async () => {
    const it = await scene({ auto_approval: true })
    await it.browser.open(it.path)
    await inTest(site, (tx) =>
      updateSyndicate(tx, { id: it.syndicate, changes: { auto_approval: false } }, occasionAt()),
    )
    const response = await it.browser.submit(it.path, { way: 'join' })
    expect(response.status).toBe(409)
    expect(response.text).toContain('Something changed since you opened this page')
    expect(wayIn(response.text)).toBe('apply')
    expect(await names(it)).toEqual([])
  })

  test('belongs to the person who pressed Continue: another account gets 403', async () => {
    const it = await scene()
    const other = await site.signedIn(await site.person())
    expect(await other.open(it.path)).toMatchObject({ status: 403, text: expect.stringContaining('another person’s') })
    expect((await other.submit(it.path, { way: 'apply' })).status).toBe(403)
    expect((await it.browser.open(it.path)).status).toBe(200)
  })

  test('an account without a user in the session’s world cannot join', async () => {
    const it = await scene()
    const elsewhere: SitePerson = await site.person(['live'])
    const browser = await site.signedIn(elsewhere)
    expect((await browser.open(it.path)).status).toBe(403)
  })

  test('a canceled session is shown as canceled, and its button does nothing', async () => {
    const it = await scene({ auto_approval: true })
    await it.browser.open(it.path)
    await it.send('DELETE', `${it.at}/${it.id}`)
    expect((await it.browser.open(it.path)).text).toContain('was withdrawn')
    expect(await it.browser.submit(it.path, { way: 'join' })).toMatchObject({
      status: 409,
      text: expect.stringContaining('Nothing was done now'),
    })
    expect(await names(it)).toEqual(['join_session.canceled'])
  })

  test('no person can join by an expired session; pressing the button records the expiry', async () => {
    const it = await scene({ auto_approval: true }, { expires_in_hours: 1 })
    await it.browser.open(it.path)
    await advance(site.db, '1 hour')
    expect((await it.browser.open(it.path)).text).toContain('This link has expired')
    expect((await it.browser.submit(it.path, { way: 'join' })).status).toBe(409)
    expect(await names(it)).toEqual(['join_session.expired'])
  })

  test('no person can join by a link of an app that was removed from the syndicate or suspended', async () => {
    for (const stop of [
      `update test.installations set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'manager'
        where id = $1`,
      `update platform.apps set suspended_at = clock_timestamp(), suspended_reason = 'Because.'
        where id = (select app_id from test.installations where id = $1)`,
    ]) {
      const it = await scene({ auto_approval: true })
      await it.browser.open(it.path)
      await site.db.sql(stop, [it.installation])
      expect(await it.browser.open(it.path)).toMatchObject({
        status: 403,
        text: expect.stringContaining('no longer works'),
      })
      expect((await it.browser.submit(it.path, { way: 'join' })).status).toBe(403)
      expect(await names(it)).toEqual([])
    }
  })

  test('after the app was installed again, its links work again and are unchanged', async () => {
    const it = await scene({ auto_approval: true })
    await it.browser.open(it.path)
    await takeOff(it)
    expect((await it.browser.open(it.path)).status).toBe(403)
    // With the manager's token the app can read the session, but the manager's connection does not make the link work again.
    const send = await asUser(site, it.manager, { client: it.client })
    expect((await send('GET', `${it.at}/${it.id}`)).data.attributes).toMatchObject({ status: 'open', url: null })
    expect((await it.browser.open(it.path)).status).toBe(403)
    // An existing link also works if the new installation lacks write:syndicate_members, which only the API needs.
    const reading = { client: it.client, scopes: ['read:syndicates'] }
    const again = await installOn(site, { syndicate: it.syndicate }, reading)
    const { data } = await again.send('GET', `${it.at}/${it.id}`)
    expect(new URL(String(data.attributes['url'])).pathname).toBe(it.path)
    expect(await press(it)).toMatchObject({ status: 303, location: back(it.id, 'joined') })
  })

  test('a link made with a manager’s token works while the manager runs the syndicate and has the app connected', async () => {
    for (const stop of [
      'delete from test.syndicate_managers where syndicate_id = $1',
      `update test.installations set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'user'
        where user_id = (select user_id from test.syndicate_managers where syndicate_id = $1)`,
    ]) {
      const { syndicate, manager } = await aClub(site, { auto_approval: true })
      const send = await asUser(site, manager)
      const { data } = await send('POST', `/syndicates/${syndicate}/join_sessions`)
      const path = new URL(String(data.attributes['url'])).pathname
      const browser = await site.signedIn(await site.person())
      expect((await continueAt(browser, path)).status).toBe(303)
      expect((await browser.open(path)).text).toContain('Join Lakeshore Angels')
      await site.db.sql(stop, [syndicate])
      expect((await browser.open(path)).status).toBe(403)
      expect((await browser.submit(path, { way: 'join' })).status).toBe(403)
    }
  })

  test('if the person presses the button in ten windows at once, they join once', async () => {
    const it = await scene({ auto_approval: true })
    await it.browser.open(it.path)
    const responses = await Promise.all(Array.from({ length: 10 }, () => it.browser.submit(it.path, { way: 'join' })))
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(await names(it)).toEqual(['syndicate_member.joined', 'join_session.completed'])
  })

  test('if the person joins and the app cancels at the same moment, only one of the two happens, as the events show', async () => {
    const ends = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const it = await scene({ auto_approval: true })
        await it.browser.open(it.path)
        const [pressed, canceled] = await Promise.all([
          it.browser.submit(it.path, { way: 'join' }),
          it.send('DELETE', `${it.at}/${it.id}`),
        ])
        expect([pressed.status, canceled.status].toSorted()).toEqual(pressed.status === 303 ? [303, 422] : [200, 409])
        return [(await it.read())['status'], ...(await names(it))].join(' ')
      }),
    )
    for (const end of ends) {
      expect(['joined syndicate_member.joined join_session.completed', 'canceled join_session.canceled']).toContain(end)
    }
  })

  test('the page lists what the app will see, with the email address if the app may read the members', async () => {
    const blind = await scene()
    expect((await blind.browser.open(blind.path)).text).not.toContain(EMAIL_TOO)
    const seeing = await aPartner(site, {}, { scopes: ['write:syndicates'] })
    const { data } = await seeing.send('POST', seeing.at)
    const path = new URL(String(data.attributes['url'])).pathname
    await continueAt(blind.browser, path)
    expect((await blind.browser.open(path)).text).toContain(EMAIL_TOO)
  })

  test('the email address is also listed if the app uses a manager’s token that may read the members', async () => {
    const { syndicate, manager } = await aClub(site)
    const made = async (scopes: readonly string[]) => {
      const send = await asUser(site, manager, { scopes })
      const { data } = await send('POST', `/syndicates/${syndicate}/join_sessions`)
      return (await site.browser().open(new URL(String(data.attributes['url'])).pathname)).text
    }
    expect(await made(['write:syndicate_members'])).not.toContain(EMAIL_TOO)
    expect(await made(['write:syndicate_members', 'read:syndicates'])).toContain(EMAIL_TOO)
    expect(await made(['write:syndicates'])).toContain(EMAIL_TOO)
  })

  test('the email address is also listed if the installation may not read the members and a manager’s connection may', async () => {
    const it = await scene()
    const stranger = await inTest(site, (tx) => makeUser(tx))
    await installOn(site, { user: stranger }, { client: it.client, scopes: ['read:syndicates'] })
    expect((await it.browser.open(it.path)).text).not.toContain(EMAIL_TOO)
    await installOn(site, { user: it.manager }, { client: it.client, scopes: ['read:syndicates'] })
    expect((await it.browser.open(it.path)).text).toContain(EMAIL_TOO)
  })

  test('no site can show the page in a frame, and its form can lead only to our site and to https addresses', async () => {
    const it = await scene()
    const { headers } = await it.browser.open(it.path)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https:")
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
